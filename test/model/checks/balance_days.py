"""Each business date opens with the closing balance of the previous one, and closes after its lines, transfers and invoiced amounts."""

from itertools import groupby

from money import cents

AMOUNTS = ("opening", "gross", "fee", "net", "transferred", "invoiced", "closing")


def check(facts):
    shown = {}
    for row in facts.history["balanceDays"]:
        shown.setdefault((row["merchantId"], row["environment"], row["currency"]), []).append(row)
    books = {(each["merchantId"], each["environment"], each["currency"]) for each in facts.settlements.values()}
    for key in sorted(books | shown.keys()):
        expected = list(days_of(facts, key))
        found = [{**row, **{name: cents(row[name]) for name in AMOUNTS}} for row in shown.get(key, [])]
        if found != expected:
            wrong = [pair for pair in zip(found, expected) if pair[0] != pair[1]]
            yield f"{key} has {len(found)} dates, by its settlements {len(expected)}; different are {wrong}"
        balances = [cents(row["balance"]) for row in facts.history["balances"] if (row["merchantId"], row["environment"], row["currency"]) == key]
        if balances != [day["closing"] for day in found[-1:]]:
            yield f"the last date of {key} closes with {found[-1:]}, its balance is {balances}"


def days_of(facts, key):
    def date_of(settlement):
        return settlement["businessDate"]

    closing = 0
    for day, group in groupby(sorted(facts.settlements_of(*key), key=date_of), key=date_of):
        settlements = list(group)
        lines = [line for settlement in settlements for _, line in facts.lines_in(settlement)]
        closed = [settlement["totals"] for settlement in settlements if settlement["totals"] is not None]
        sums = {name: sum(line[name] for line in lines) for name in ("gross", "fee", "net")}
        taken = {name: sum(cents(totals[name]) for totals in closed) for name in ("transferred", "invoiced")}
        opening = closing
        closing += sums["net"] - sum(taken.values())
        yield {
            **dict(zip(("merchantId", "environment", "currency"), key)),
            "businessDate": day,
            "status": "closed" if len(closed) == len(settlements) else "open",
            "opening": opening,
            **sums,
            **taken,
            "closing": closing,
            "settlementIds": [settlement["id"] for settlement in settlements],
        }
