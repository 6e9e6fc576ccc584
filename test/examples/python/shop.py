"""The integration under test: a shop that has its orders paid by the QR wallet."""

import base64
import hmac
import json
import time
import urllib.parse
import urllib.request

MERCHANT = {
    "merchantId": "M-1000",
    "merchantApiKey": "test-api-key-1000",
    "merchantKey": "test-merchant-key-1000",
}


def _post(address, body):
    data = json.dumps({**MERCHANT, **body}).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def pay_for_order(payments_url, order):
    """Requests the payment of an order. `payments_url` is the payments service, or its stand-in."""
    _post(
        f"{payments_url}/sandbox/init/authenticate/merchant/wallet",
        {
            "walletName": "WALLET_QR",
            "amount": "10.00",
            "paymentCurrency": "USD",
            "paymentDescription": f"Order {order}",
            "payerName": "Ann Payer",
            "payerReference": order,
            "payerAccountId": 7,
            "profileId": 1,
        },
    )


def status_of_order(payments_url, order):
    token = _post(f"{payments_url}/auth/authenticate/merchant", {})["token"]
    query = urllib.parse.urlencode({"transactionReference": order, "walletName": "WALLET_QR"})
    request = urllib.request.Request(
        f"{payments_url}/sandbox/api/getPaymentDetails?{query}",
        headers={"Authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["status"]


def is_verified(headers, body, secret):
    """Whether a notification is from the payments service. The signature covers the raw body, so check it before you parse that."""
    timestamp = headers.get("webhook-timestamp", "")
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    key = base64.b64decode(secret.replace("whsec_", ""))
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
    is_recent = timestamp.isdecimal() and abs(time.time() - int(timestamp)) < 300
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return is_recent and any(hmac.compare_digest(each, expected) for each in given)
