"""The records are those that were requested: none is missing, and there is no other."""

from contract import FEE_KINDS
from money import cents, divide

#: The adjustment that a scenario makes after a payment is paid.
SCENARIO_ADJUSTMENTS = {"chargeback": "chargeback", "late-failure": "late-failure"}


def check(facts):
    history = facts.history
    asked = [each for each in history["asked"] if each["status"] < 300]
    orders = [each for each in asked if each["step"] == "pay"]
    if len(orders) != len(history["payments"]):
        yield f"{len(orders)} payments were requested, {len(history['payments'])} exist"
        return
    for order, payment in zip(orders, history["payments"]):
        yield from check_payment(facts.contract, order, payment)
        yield from check_adjustments(facts.contract, asked, order, payment)
    payouts = [each for each in asked if each["step"] == "payout"]
    if [each["body"]["payerReference"] for each in payouts] != [each["payerReference"] for each in history["payouts"]]:
        yield f"{len(payouts)} payouts were requested, {len(history['payouts'])} exist"
        return
    for order, payout in zip(payouts, history["payouts"]):
        yield from check_payout(facts.contract, order["body"], payout)


def check_payment(contract, order, payment):
    body = order["body"]
    requested = {
        "merchantId": body["merchantId"],
        "channel": contract.channels[body["walletName"]],
        "amount": body["amount"],
        "currency": body["paymentCurrency"],
        "payerReference": body["payerReference"],
        "environment": "sandbox" if order["path"].startswith("/sandbox/") else "production",
    }
    stored = {key: payment[key] for key in requested}
    if stored != requested:
        yield f"{payment['id']} is {stored}, requested was {requested}"
    amount = cents(body["amount"])
    split = body.get("dynamicPaidList", [])
    parts = divide(amount, [as_hundredths(each["dynamicPayoutPercentage"]) for each in split])
    shares = [(each["dynamicMerchantId"], part) for each, part in zip(split, parts)]
    if [(each["merchantId"], cents(each["amount"])) for each in payment["shares"]] != shares:
        yield f"{payment['id']} is split into {payment['shares']}, by the contract into {shares}"
    fees = contract.fees_of(requested["channel"], requested["merchantId"], requested["currency"], amount, payment["createdAt"])
    if {kind: cents(payment["fees"][kind]) for kind in FEE_KINDS} != fees:
        yield f"{payment['id']} of {payment['amount']} costs {payment['fees']}, by the contract {fees}"


def as_hundredths(percentage):
    return round(percentage * 100)


def check_adjustments(contract, asked, order, payment):
    wanted = [
        (each["body"]["kind"], each["body"].get("amount"))
        for each in asked
        if each["step"] == "adjust" and each["path"] == f"/_sandbox/payments/{payment['id']}/adjustments"
    ]
    left = cents(payment["amount"])
    charged_back = 0
    for adjustment in payment.get("adjustments", []):
        kind, amount = adjustment["kind"], cents(adjustment["amount"])
        possible = charged_back if kind == "chargeback-reversed" else left
        if not 0 < amount <= possible:
            yield f"{adjustment['id']} takes {amount} of {possible}"
        if adjustment["cause"] == "control":
            asked_kind, asked_amount = wanted.pop(0) if wanted else (None, None)
            expected = possible if asked_amount is None else cents(asked_amount)
            if (asked_kind, expected) != (kind, amount):
                yield f"{adjustment['id']} is a {kind} of {amount}, requested was a {asked_kind} of {expected}"
        elif SCENARIO_ADJUSTMENTS.get(order["scenario"]) != kind or amount != possible:
            yield f"{adjustment['id']} was neither requested nor planned: {adjustment}, scenario {order['scenario']}"
        if kind in ("chargeback", "chargeback-reversed"):
            charged_back += amount if kind == "chargeback" else -amount
        left += amount if kind == "chargeback-reversed" else -amount
    if wanted:
        yield f"{payment['id']} lacks {wanted}"
    if "left" in payment and cents(payment["left"]) != left:
        yield f"{payment['id']} has {payment['left']} left, its adjustments leave {left}"


def check_payout(contract, body, payout):
    total = sum(as_hundredths(each["creditAmount"]) for each in body["dynamicCreditList"])
    credits = [cents(each["amount"]) for each in payout["credits"]]
    if cents(payout["total"]) != total or sum(credits) != total:
        yield f"{payout['id']} is of {payout['total']} and {credits}, requested was {total}"
    if payout.get("debitedFrom", "merchant") != contract.ledger["payoutDebit"]:
        yield f"{payout['id']} is debited from {payout.get('debitedFrom')}"
    fees = contract.fees_of("payout", body["merchantId"], payout["currency"], total, payout["createdAt"])
    if {kind: cents(payout["fees"][kind]) for kind in FEE_KINDS} != fees:
        yield f"{payout['id']} costs {payout['fees']}, by the contract {fees}"
    for state, sums in payout["totals"].items():
        of_state = [cents(each["amount"]) for each in payout["credits"] if each["state"] == state]
        if (sums["credits"], cents(sums["amount"])) != (len(of_state), sum(of_state)):
            yield f"{payout['id']} has {sums} {state}, its credits {of_state}"
