// A shop on Go's standard library. A notification is only a hint: the shop queries the status of the payment, and believes that
// answer. It queries open orders regularly, too, because a notification can get lost. Each change of an order is appended to a file.
package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
)

type Order struct {
	ID                        string `json:"id"`
	Amount, Currency, Channel string
	Payer                     struct{ Name, Mobile string }
	State                     string `json:"state"`
	Fulfilments               int    `json:"fulfilments"`
	PaidAmount                string `json:"paidAmount"`
}

var (
	orders   sync.Map
	changing sync.Mutex // held from reading an order to storing it
	file, _  = os.OpenFile(setting("SHOP_DATA", "orders.jsonl"), os.O_RDWR|os.O_CREATE, 0o600)
	sellable = regexp.MustCompile(`^(0|[1-9]\d{0,6})\.\d\d USD$`)
	unpaid   = regexp.MustCompile("^(open|failed|cancelled|expired)$")
)

func setting(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

// store ends the shop if it cannot store, because the shop must not acknowledge anything then.
func store(order Order) {
	text, _ := json.Marshal(order)
	if _, err := file.Write(append(text, '\n')); err != nil {
		log.Fatal(err)
	}
	orders.Store(order.ID, order)
}

// applyPayment ships once, and only for the right amount and currency. before is the order before the query: a failure counts only if nothing
// has changed since, because it may be older than the change.
func applyPayment(before Order, payment Payment) {
	changing.Lock()
	defer changing.Unlock()
	value, _ := orders.Load(before.ID)
	order, state := value.(Order), strings.ToLower(payment.Status)
	wanted, _ := new(big.Rat).SetString(order.Amount)
	paid, isNumber := new(big.Rat).SetString(payment.PaymentAmount.String())
	isRight := isNumber && paid.Cmp(wanted) == 0 && payment.PaymentCurrency == order.Currency
	switch isUnpaid := unpaid.MatchString(order.State); {
	case payment.Status == "Paid" && isRight && isUnpaid:
		order.State, order.Fulfilments, order.PaidAmount = "paid", 1, order.Amount
	case (state == "failed" || state == "cancelled" || state == "expired") && order.State == before.State:
		order.State, order.PaidAmount = state, "0.00"
	case state == "refunded" || state == "reversed" || state == "chargedback":
		order.State, order.PaidAmount = state, "0.00"
	case state == "partlyrefunded" || state == "partlyreversed" || state == "partlychargedback":
		// The status does not show how much is left after a partial change; its notification does.
		order.State, order.PaidAmount = state, order.Amount
	case payment.Status == "ChargebackReversed" && isRight:
		order.State, order.PaidAmount = "paid", order.Amount
	case payment.Status != "Processing":
		log.Printf("%s is %s, and the payment %s with %s", order.ID, order.State, payment.Status, payment.PaymentAmount)
	}
	store(order)
}

// reconcile returns whether the order has a payment.
func reconcile(order Order) (bool, error) {
	payment, err := queryStatus(order, false)
	if payment != nil && err == nil {
		applyPayment(order, *payment)
	}
	return payment != nil, err
}

func reconcileAll(isWanted func(Order) bool) {
	orders.Range(func(_, value any) bool {
		if order := value.(Order); isWanted(order) {
			// One order that cannot be queried now must not stop the others.
			if _, err := reconcile(order); err != nil {
				log.Println(order.ID, err)
			}
		}
		return true
	})
}

func placeOrder(response http.ResponseWriter, request *http.Request) {
	var order Order
	err := json.NewDecoder(request.Body).Decode(&order)
	if err != nil || !sellable.MatchString(order.Amount+" "+order.Currency) || order.Amount == "0.00" || wallets[order.Channel] == "" {
		response.WriteHeader(400)
		return
	}
	random := make([]byte, 12)
	rand.Read(random)
	order.ID, order.State, order.Fulfilments, order.PaidAmount = fmt.Sprintf("%x", random), "open", 0, "0.00"
	// Stored before the request, because the notification can arrive before the answer.
	store(order)
	if !requestPayment(order) {
		// The outcome is unknown, so the request is sent again only if there is certainly no payment.
		if isKnown, err := reconcile(order); !isKnown && err == nil {
			requestPayment(order)
		}
	}
	json.NewEncoder(response).Encode(order)
}

func receiveNotification(response http.ResponseWriter, request *http.Request) {
	var notification struct{ PaymentReference string }
	body, err := io.ReadAll(request.Body)
	// The signature covers the raw bytes, so they are parsed only after it is verified.
	if err != nil || !isVerified(request.Header, body) || json.Unmarshal(body, &notification) != nil {
		response.WriteHeader(400)
		return
	}
	order, isKnown := orders.Load(notification.PaymentReference)
	if !isKnown {
		response.WriteHeader(404)
		return
	}
	// An error means that the notification is sent again.
	if _, err := reconcile(order.(Order)); err != nil {
		log.Println(notification.PaymentReference, err)
		response.WriteHeader(503)
		return
	}
	response.WriteHeader(204)
}

func showOrder(response http.ResponseWriter, request *http.Request) {
	order, isKnown := orders.Load(path.Base(request.URL.Path))
	if !isKnown {
		response.WriteHeader(404)
	}
	json.NewEncoder(response).Encode(order)
}

func main() {
	if len(key) == 0 {
		log.Fatal("set WEBHOOK_SECRET; anyone could sign a notification with an empty secret")
	}
	var end int64
	decoder := json.NewDecoder(file)
	for order := (Order{}); decoder.Decode(&order) == nil; order = (Order{}) {
		orders.Store(order.ID, order)
		end = decoder.InputOffset()
	}
	// The last order is incomplete if the process was killed while it wrote.
	file.Truncate(end)
	file.Seek(end, io.SeekStart)
	http.HandleFunc("/orders", placeOrder)
	http.HandleFunc("/orders/", showOrder)
	http.HandleFunc("/webhook", receiveNotification)
	http.HandleFunc("/jobs/reconcile", func(response http.ResponseWriter, _ *http.Request) {
		// Run it nightly: the notification of a refund or a late payment can get lost, too.
		reconcileAll(func(Order) bool { return true })
		response.WriteHeader(204)
	})
	go func() {
		pause, _ := time.ParseDuration(setting("RECONCILE_SECONDS", "60") + "s")
		for range time.Tick(pause) {
			reconcileAll(func(order Order) bool { return order.State == "open" })
		}
	}()
	log.Fatal(http.ListenAndServe("127.0.0.1:"+setting("PORT", "3000"), nil))
}
