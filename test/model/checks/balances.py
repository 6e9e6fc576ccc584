"""The balances of merchants and the amounts in transit to their banks, calculated from the moves and the totals of settlements."""

from money import cents

AMOUNTS = ("pending", "available", "inTransit", "balance")


def check(facts):
    shown = {}
    for row in facts.history["balances"]:
        shown.setdefault((row["merchantId"], row["environment"], row["currency"]), []).append({name: cents(row[name]) for name in AMOUNTS})
    books = {(line["merchant"], move.record["environment"], move.record["currency"]) for move in facts.moves for line in move.lines}
    for key in sorted(books | shown.keys()):
        expected = [balance_of(facts, key)] if key in books else []
        if shown.get(key, []) != expected:
            yield f"the balance of {key} is {shown.get(key, [])}, by its moves {expected}"


def balance_of(facts, key):
    merchant, *book = key
    moves = [move for move in facts.moves if [move.record["environment"], move.record["currency"]] == book]
    sums = {"pending": 0, "available": 0, "inTransit": 0, "balance": sum(move.postings.get(f"merchant:{merchant}", 0) for move in moves)}
    for settlement in facts.settlements_of(*key):
        moved = sum(line["net"] for _, line in facts.lines_in(settlement))
        if settlement["totals"] is None:
            sums["pending"] += moved
        else:
            sums["available"] += moved - sum(cents(settlement["totals"][name]) for name in ("transferred", "invoiced"))
    for move in moves:
        if move.event.startswith("settlement.") and move.record["merchantId"] == merchant:
            sums["inTransit"] += move.postings.get("in-transit", 0)
    return sums
