"""The code under test: compares a settlement file with the orders of the shop."""

import csv
import io
from decimal import Decimal


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def cents(decimal):
    """"7.60" → 760: money is compared in cents, never as a fraction."""
    return int(Decimal(decimal) * 100)


def fee_of(amount):
    """The fee by contract: 4 % and 2.00, rounded half up to the cent."""
    return (amount * 4 + 50) // 100 + 200


def reconcile(orders, rows, missing_before=()):
    """Lists the mistakes in a file as (kind, reference).

    `orders` were paid on its date, by reference: (amount in cents, currency, date). `missing_before` are references
    missing in the previous file.
    """
    findings = []
    seen = set()
    for line in rows:
        if line["record"] != "L" or line["lineType"] != "payment":
            continue
        reference = line["paymentReference"]
        if reference in missing_before:
            findings.append(("late", reference))
        elif reference not in orders:
            findings.append(("unknown", reference))
        elif reference in seen:
            findings.append(("doubled", reference))
        else:
            findings += [(kind, reference) for kind in wrong_in(line, orders[reference])]
        seen.add(reference)
    return findings + [("missing", reference) for reference in orders if reference not in seen]


def wrong_in(line, order):
    amount, currency, date = order
    gross, fee, net = cents(line["gross"]), cents(line["fee"]), cents(line["net"])
    is_wrong = {
        "currency": line["currency"] != currency,
        "date": line["businessDate"] != date,
        "cent": gross != amount,
        "fee": fee != -fee_of(amount),
        "net": net != gross + fee,
    }
    return [kind for kind, wrong in is_wrong.items() if wrong]
