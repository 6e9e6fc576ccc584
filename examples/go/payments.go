package main

// Calls to the provider, and the check of its notifications.

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

type Payment struct {
	Status, PaymentCurrency string
	PaymentAmount           json.Number
}

const maxAge, timeout = 5 * time.Minute, 2 * time.Second

var (
	accessToken atomic.Value
	client      = http.Client{Timeout: timeout}
	key, _      = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	wallets     = map[string]string{"qr-wallet": "WALLET_QR", "mobile-money": "WALLET_MOBILE",
		"card-switch": "WALLET_SWITCH", "card-network-a": "WALLET_CARD_A", "card-network-b": "WALLET_CARD_B"}
	credentials = map[string]any{"merchantId": os.Getenv("MERCHANT_ID"),
		"merchantApiKey": os.Getenv("MERCHANT_API_KEY"), "merchantKey": os.Getenv("MERCHANT_KEY")}
)

// call sends a POST, or a GET if there is no body. It decodes the answer, and returns its status.
func call(path string, body, answer any) (int, error) {
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest("POST", os.Getenv("PAYMENTS_URL")+path, bytes.NewReader(text))
	request.Header.Set("Content-Type", "application/json")
	if body == nil {
		token, _ := accessToken.Load().(string)
		request, _ = http.NewRequest("GET", os.Getenv("PAYMENTS_URL")+path, nil)
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return response.StatusCode, json.NewDecoder(response.Body).Decode(answer)
}

func requestPayment(order Order) bool {
	payment := map[string]any{"walletName": wallets[order.Channel], "amount": order.Amount, "paymentCurrency": order.Currency,
		"paymentDescription": "Order " + order.ID, "payerName": order.Payer.Name, "payerReference": order.ID,
		"payerAccountId": 1, "profileId": 1}
	for name, value := range credentials {
		payment[name] = value
	}
	if order.Channel == "mobile-money" {
		payment["payerMobile"] = order.Payer.Mobile
	}
	status, err := call("/sandbox/init/authenticate/merchant/wallet", payment, &struct{}{})
	return err == nil && status == 200
}

// queryStatus returns nil if there is certainly no payment, and an error if that is unknown.
func queryStatus(order Order, isRetry bool) (*Payment, error) {
	payment := &Payment{}
	query := "?transactionReference=" + order.ID + "&walletName=" + wallets[order.Channel]
	status, err := call("/sandbox/api/getPaymentDetails"+query, nil, payment)
	if err != nil || status == 200 {
		return payment, err
	}
	if status == 404 {
		return nil, nil
	}
	if status != 401 || isRetry {
		return nil, fmt.Errorf("the status query was answered with %d", status)
	}
	var session struct{ Token string }
	if _, err := call("/auth/authenticate/merchant", credentials, &session); err != nil {
		return nil, err
	}
	accessToken.Store(session.Token)
	return queryStatus(order, true)
}

func isVerified(header http.Header, body []byte) bool {
	timestamp, _ := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	isEqual := false
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		isEqual = isEqual || hmac.Equal([]byte(given), []byte(expected))
	}
	return isEqual && time.Since(time.Unix(timestamp, 0)).Abs() < maxAge
}
