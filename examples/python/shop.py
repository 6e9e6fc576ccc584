"""A shop with Flask. A notification is only a hint: the shop queries the status of the payment, and believes that answer. It queries
open orders regularly, too, because a notification can get lost. Orders are in a file of SQLite."""

import base64
import hmac
import json
import os
import re
import sqlite3
import threading
import time
import uuid
from contextlib import closing
from decimal import Decimal

import requests
from flask import Flask, request

PAYMENTS_URL = os.environ["PAYMENTS_URL"]
SIGNING_KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
if not SIGNING_KEY:
    raise SystemExit("WEBHOOK_SECRET is empty; anyone could sign a notification with it")
VARIABLES = {"merchantId": "MERCHANT_ID", "merchantApiKey": "MERCHANT_API_KEY", "merchantKey": "MERCHANT_KEY"}
CREDENTIALS = {name: os.environ.get(variable) for name, variable in VARIABLES.items()}
CARDS = {"card-switch": "WALLET_SWITCH", "card-network-a": "WALLET_CARD_A", "card-network-b": "WALLET_CARD_B"}
WALLETS = {"qr-wallet": "WALLET_QR", "mobile-money": "WALLET_MOBILE", **CARDS}
DATA = os.environ.get("SHOP_DATA", "orders.sqlite")
MAX_AGE_SECONDS = 300
TIMEOUT_SECONDS = 2
UNPAID = "state IN ('open', 'failed', 'cancelled', 'expired')"
session = {"token": ""}
app = Flask(__name__)


def sql(statement, *values):
    """Runs one statement as a separate transaction."""
    with closing(sqlite3.connect(DATA, timeout=10, isolation_level=None)) as database:
        database.row_factory = sqlite3.Row
        return database.execute(statement, values).fetchall()


sql("""CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, amount TEXT, currency TEXT, channel TEXT, name TEXT, mobile TEXT,
    state TEXT DEFAULT 'open', fulfilments INTEGER DEFAULT 0, paid_amount TEXT DEFAULT '0.00')""")


def post(path, body):
    return requests.post(PAYMENTS_URL + path, json=body, timeout=TIMEOUT_SECONDS)


def request_payment(order):
    payment = {
        **CREDENTIALS,
        "walletName": WALLETS[order["channel"]],
        "amount": order["amount"],
        "paymentCurrency": order["currency"],
        "paymentDescription": f"Order {order['id']}",
        "payerName": order["name"],
        "payerReference": order["id"],
        "payerAccountId": 1,
        "profileId": 1,
    }
    mobile = {"payerMobile": order["mobile"]} if order["channel"] == "mobile-money" else {}
    answer = post("/sandbox/init/authenticate/merchant/wallet", payment | mobile)
    return answer.status_code == 200 and bool(answer.json())


def query_status(order, is_retry=False):
    """Returns None if there is certainly no payment, and raises an error if that is unknown."""
    answer = requests.get(
        f"{PAYMENTS_URL}/sandbox/api/getPaymentDetails",
        params={"transactionReference": order["id"], "walletName": WALLETS[order["channel"]]},
        headers={"Authorization": f"Bearer {session['token']}"},
        timeout=TIMEOUT_SECONDS,
    )
    if answer.status_code == 401 and not is_retry:
        session["token"] = post("/auth/authenticate/merchant", CREDENTIALS).json()["token"]
        return query_status(order, is_retry=True)
    if answer.status_code == 404:
        return None
    answer.raise_for_status()
    return answer.json(parse_float=Decimal)


def apply_payment(order, payment):
    """Ships once, and only for the right amount and currency. The statement that changes an order checks its state: a failure counts only
    if that has not changed since the query, because it may be older than the change."""
    status, state, order_id = payment["status"], payment["status"].lower(), order["id"]
    amount, currency = payment["paymentAmount"], payment["paymentCurrency"]
    is_right = amount == Decimal(order["amount"]) and currency == order["currency"]
    if status == "Paid" and is_right:
        sql(f"UPDATE orders SET state = 'paid', fulfilments = 1, paid_amount = amount WHERE id = ? AND {UNPAID}", order_id)
    elif status in ("Failed", "Cancelled", "Expired"):
        sql("UPDATE orders SET state = ?, paid_amount = '0.00' WHERE id = ? AND state = ?", state, order_id, order["state"])
    elif re.fullmatch("(Partly)?(Refunded|Reversed|ChargedBack)", status):
        # The status does not show how much is left after a partial change; its notification does.
        paid_amount = order["amount"] if status.startswith("Partly") else "0.00"
        sql("UPDATE orders SET state = ?, paid_amount = ? WHERE id = ?", state, paid_amount, order_id)
    elif status == "ChargebackReversed" and is_right:
        sql("UPDATE orders SET state = 'paid', paid_amount = amount WHERE id = ?", order_id)
    elif status != "Processing":
        app.logger.error("%s is %s, but %s for %s %s: look at it", order_id, order["state"], status, amount, currency)


def reconcile(order):
    """Returns whether the order has a payment."""
    payment = query_status(order)
    if payment:
        apply_payment(order, payment)
    return payment is not None


def attempt(step, order, fallback):
    """Returns the result of the step, or the fallback if it fails."""
    try:
        return step(order)
    except (OSError, ValueError) as error:
        app.logger.error("%s: %s", order["id"], error)
        return fallback


def reconcile_all(condition):
    for order in sql(f"SELECT * FROM orders WHERE {condition}"):
        # One order that cannot be queried now must not stop the others.
        attempt(reconcile, order, False)


def reconcile_regularly():
    while True:
        time.sleep(float(os.environ.get("RECONCILE_SECONDS", "60")))
        reconcile_all("state = 'open'")


def is_verified(headers, body):
    signed = f"{headers.get('webhook-id')}.{headers.get('webhook-timestamp')}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(SIGNING_KEY, signed, "sha256"))
    timestamp = headers.get("webhook-timestamp", "")
    is_recent = timestamp.isdecimal() and abs(time.time() - int(timestamp)) < MAX_AGE_SECONDS
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return is_recent and any(hmac.compare_digest(each, expected) for each in given)


@app.post("/orders")
def place_order():
    wanted = request.get_json()
    amount, currency, channel, payer = (wanted.get(name) for name in ("amount", "currency", "channel", "payer"))
    if not re.fullmatch(r"\d{1,7}\.\d\d", amount or "") or not Decimal(amount) or currency != "USD" or channel not in WALLETS:
        return {}, 400
    if not isinstance(payer, dict) or "name" not in payer or "mobile" not in payer:
        return {}, 400
    order_id = str(uuid.uuid4())
    # Stored before the request, because the notification can arrive before the answer.
    fields = (order_id, amount, currency, channel, payer["name"], payer["mobile"])
    sql("INSERT INTO orders (id, amount, currency, channel, name, mobile) VALUES (?, ?, ?, ?, ?, ?)", *fields)
    [order] = sql("SELECT * FROM orders WHERE id = ?", order_id)
    # If the outcome is unknown, the request is sent again only if there is certainly no payment.
    attempt(request_payment, order, False) or attempt(reconcile, order, True) or attempt(request_payment, order, False)
    return {"id": order_id}, 201


@app.post("/webhook")
def receive_notification():
    body = request.get_data()
    if not is_verified(request.headers, body):
        return {}, 400
    # The signature covers the raw bytes, so they are parsed only after it is verified.
    orders = sql("SELECT * FROM orders WHERE id = ?", json.loads(body)["paymentReference"])
    if not orders:
        # An error means that the notification is sent again.
        return {}, 404
    reconcile(orders[0])
    return "", 204


@app.get("/orders/<order_id>")
def show_order(order_id):
    orders = sql("SELECT state, fulfilments, paid_amount AS paidAmount FROM orders WHERE id = ?", order_id)
    return (dict(orders[0]), 200) if orders else ({}, 404)


@app.post("/jobs/reconcile")
def reconcile_nightly():
    # The notification of a refund or a late payment can get lost, too.
    reconcile_all("true")
    return "", 204


if __name__ == "__main__":
    threading.Thread(target=reconcile_regularly, daemon=True).start()
    app.run("127.0.0.1", int(os.environ.get("PORT", "3000")))
