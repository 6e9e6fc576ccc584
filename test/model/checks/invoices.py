"""A month's invoice has the fees of all lines of its closed settlements, the tax on their sum, and the invoiced balances."""

import json

from contract import instant
from csv_text import csv_text, difference_of
from fractions import Fraction
from money import cents, half_away_from_zero
from moves import FEE_COLUMNS

TEXTS = ("number", "status", "month", "issueDate", "seller", "merchantId", "merchantName", "environment")
SUMS = ("net", "vat", "total", "deducted", "amountDue")
LINE_COLUMNS = ("lineType", "settlementId", "businessDate", "count", "amount", "vatPercent")
COLUMNS = ("record", "line", *TEXTS, "currency", "openSettlements", *LINE_COLUMNS, *SUMS, "negativeBalances")


def check(facts):
    for each in facts.history["invoices"]:
        shown, expected = each["json"], invoice_of(facts, each)
        if expected is None:
            problem = no_invoice(facts, each)
            if shown != problem or json.loads(each["csv"]) != problem:
                yield f"a month without settlements has {shown} and {each['csv']}, not {problem}"
            continue
        which = f"the invoice {each['month']} of {each['merchantId']}, {each['environment']}, {each['currency']}"
        wrong = {name: (shown.get(name), expected.get(name)) for name in shown.keys() | expected.keys() if shown.get(name) != expected.get(name)}
        if wrong or shown.keys() != expected.keys():
            yield f"{which} has, and should have: {wrong}"
        difference = difference_of(each["csv"], csv_of(shown, facts.contract.settlement["file"]))
        if difference:
            yield f"{which} as CSV: {difference}"


def no_invoice(facts, fetched):
    """The answer for a month without settlements. It names the accounts on which the merchant has settlements in that month."""
    own = [each for each in in_order(facts) if (each["merchantId"], each["businessDate"][:7]) == (fetched["merchantId"], fetched["month"])]
    others = list(dict.fromkeys(f"{each['environment']}, {each['currency']}" for each in own))
    hint = f"; it has some in {' and in '.join(others)}" if others else ""
    where = f"{fetched['month']} in {fetched['environment']}, {fetched['currency']}"
    detail = f"{fetched['merchantId']} has no settlements of {where}, and so no invoice{hint}"
    title = "unknown-record"
    return {"type": f"urn:merchant-sandbox:{title}", "title": title, "id": "SBX-R08", "status": 404, "detail": detail, "findings": []}


def in_order(facts):
    return sorted(facts.settlements.values(), key=lambda each: int(each["id"].split("-")[1]))


def invoice_of(facts, fetched):
    contract, month = facts.contract, fetched["month"]
    key = (fetched["merchantId"], fetched["environment"], fetched["currency"])
    settlements = [each for each in facts.settlements_of(*key) if each["businessDate"][:7] == month]
    if not settlements:
        return None
    closed = [each for each in settlements if each["totals"] is not None]
    open_ids = [each["id"] for each in settlements if each["totals"] is None]
    rules = contract.settlement.get("invoice", {})
    percent = rules.get("vatPercent", "0")
    lines = [line for each in closed for _, line in facts.lines_in(each)]
    fees = [fee_of(lines, kind) for kind in FEE_COLUMNS]
    net = -sum(line["fee"] for line in lines)
    vat = half_away_from_zero(net * Fraction(percent) / 100)
    invoiced = [(each, cents(each["totals"]["invoiced"])) for each in closed]
    negative = [{"settlementId": each["id"], "businessDate": each["businessDate"], "amount": -amount} for each, amount in invoiced if amount != 0]
    today, _ = contract.business_date(instant(facts.history["clock"]["now"]))
    is_final = today.isoformat()[:7] > month and not open_ids
    return {
        "number": "-".join(("INV", month, *key)) if is_final else None,
        "status": "final" if is_final else "preliminary",
        "month": month,
        "issueDate": issue_date(contract, month, closed) if is_final else None,
        "seller": rules.get("seller", "Payment service provider"),
        "merchantId": fetched["merchantId"],
        "merchantName": contract.merchants[fetched["merchantId"]],
        "environment": fetched["environment"],
        "currency": fetched["currency"],
        "openSettlements": open_ids,
        "fees": fees,
        "net": net,
        "vatPercent": percent,
        "vat": vat,
        "total": net + vat,
        "deducted": net,
        "negativeBalances": negative,
        "amountDue": vat + sum(each["amount"] for each in negative),
    }


def fee_of(lines, kind):
    charged = [line[kind] for line in lines if line[kind] != 0]
    return {"kind": kind, "count": len(charged), "amount": -sum(charged)}


def issue_date(contract, month, closed):
    """The date on which the month had ended and its last settlement was closed."""
    complete = max([contract.end_of(month), *(instant(each["history"][0]["at"]) for each in closed)])
    return complete.astimezone(contract.zone).date().isoformat()


def csv_of(invoice, rules):
    lines = [{**fee, "lineType": fee["kind"]} for fee in invoice["fees"]]
    lines += [{**each, "lineType": "negativeBalance"} for each in invoice["negativeBalances"]]
    sums = {name: invoice[name] for name in SUMS}
    rows = [
        {"record": "H", **{name: invoice[name] for name in TEXTS}, "openSettlements": " ".join(invoice["openSettlements"])},
        *({"record": "L", "line": number, **line} for number, line in enumerate(lines, 1)),
        {
            "record": "T",
            "vatPercent": invoice["vatPercent"].replace(".", rules["decimalMark"]),
            **sums,
            "negativeBalances": sum(each["amount"] for each in invoice["negativeBalances"]),
        },
    ]
    rows = [{"currency": invoice["currency"], **row} for row in rows]
    return csv_text(COLUMNS, rows, ("amount", *SUMS, "negativeBalances"), rules)
