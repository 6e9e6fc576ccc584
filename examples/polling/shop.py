"""A small shop that takes no notifications: it asks for the status of open orders again and again."""

import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAYMENTS_URL = os.environ.get("PAYMENTS_URL", "http://127.0.0.1:4100")
CREDENTIALS = {
    "merchantId": os.environ.get("MERCHANT_ID"),
    "merchantApiKey": os.environ.get("MERCHANT_API_KEY"),
    "merchantKey": os.environ.get("MERCHANT_KEY"),
}
WALLETS = {
    "qr-wallet": "WALLET_QR",
    "mobile-money": "WALLET_MOBILE",
    "card-switch": "WALLET_SWITCH",
    "card-network-a": "WALLET_CARD_A",
    "card-network-b": "WALLET_CARD_B",
}
PATIENCE_SECONDS = 2
POLL_SECONDS = float(os.environ.get("POLL_SECONDS", "5"))

orders = {}
lock = threading.Lock()
session = {"token": ""}


def call(path, body=None, headers=None):
    """Returns the status and the body; raises an error if there is no valid answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(PAYMENTS_URL + path, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def pay(order):
    body = {
        **CREDENTIALS,
        "walletName": WALLETS[order["channel"]],
        "amount": order["amount"],
        "paymentCurrency": order["currency"],
        "paymentDescription": f"Order {order['id']}",
        "payerName": order["payer"]["name"],
        "payerReference": order["id"],
        "payerAccountId": 1,
        "profileId": 1,
    }
    if order["channel"] == "mobile-money":
        body["payerMobile"] = order["payer"]["mobile"]
    return call("/sandbox/init/authenticate/merchant/wallet", body)


def ask(order):
    """What the provider says of an order now; None where it knows none. Raises where it cannot be asked."""
    query = urllib.parse.urlencode({"transactionReference": order["id"], "walletName": WALLETS[order["channel"]]})
    for first in (True, False):
        headers = {"Authorization": f"Bearer {session['token']}"}
        status, body = call(f"/sandbox/api/getPaymentDetails?{query}", headers=headers)
        if status == 200:
            return body
        if status == 404:
            return None
        if status == 401 and first:
            session["token"] = call("/auth/authenticate/merchant", CREDENTIALS)[1]["token"]
    raise RuntimeError(f"the provider answered {status}")


def take(order, known, was_paid):
    """Takes what is known of a payment: goods leave once, and for the right money.

    A failure counts after that only if the provider was asked when the order was paid: an earlier answer may be out of date.
    """
    status = known["status"]
    with lock:
        if status == "Paid":
            is_right = (
                Decimal(str(known["paymentAmount"])) == Decimal(order["amount"])
                and known["paymentCurrency"] == order["currency"]
            )
            if is_right and order["fulfilments"] == 0:
                order.update(state="paid", fulfilments=1, paidAmount=order["amount"])
        elif status in ("Failed", "Cancelled", "Expired"):
            if order["fulfilments"] == 0 or was_paid:
                order.update(state=status.lower(), paidAmount="0.00")
        elif status != "Processing":
            # The query does not tell how much is left of a payment that was refunded in part.
            is_gone = status in ("Refunded", "Reversed", "ChargedBack")
            order.update(state=status, paidAmount="0.00" if is_gone else order["amount"])


def place(wanted):
    with lock:
        order_id = f"POLL-{os.getpid()}-{len(orders) + 1}"
        order = {**wanted, "id": order_id, "state": "open", "fulfilments": 0, "paidAmount": "0.00"}
        orders[order_id] = order
    for _ in range(2):
        try:
            if pay(order)[0] == 200:
                break
        except (OSError, ValueError, RuntimeError):
            pass
        # The outcome of the call is unknown: it may be repeated only if there is no payment.
        try:
            if ask(order) is not None:
                break
        except (OSError, ValueError, RuntimeError):
            break
    return order_id


def check(wanted):
    for order in [each for each in list(orders.values()) if wanted(each)]:
        was_paid = order["fulfilments"] > 0
        try:
            known = ask(order)
        except (OSError, ValueError, RuntimeError):
            continue
        if known:
            take(order, known, was_paid)


def poll():
    while True:
        time.sleep(POLL_SECONDS)
        check(lambda order: order["state"] == "open")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/orders":
            self.answer(201, {"id": place(json.loads(body))})
        elif self.path == "/jobs/reconcile":
            # Nightly in production: a failed order may have been paid since, and a paid one refunded.
            check(lambda order: True)
            self.answer(200, {})
        else:
            self.answer(404, {})

    def do_GET(self):
        order = orders.get(self.path.removeprefix("/orders/"))
        self.answer(200 if order else 404, order or {})

    def do_DELETE(self):
        orders.clear()
        self.answer(200, {})

    def answer(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    threading.Thread(target=poll, daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Handler).serve_forever()
