"""Lines of booked files follow from the records and the contract; each move is in one file; carried amounts continue in the next."""

from money import cents
from moves import FEE_COLUMNS

AMOUNTS = ("gross", "fee", "net", *FEE_COLUMNS)


def check(facts):
    chains = {}
    for settlement in sorted(facts.history["settlements"], key=lambda each: each["sequence"]):
        key = (settlement["merchantId"], settlement["environment"], settlement["currency"])
        chains.setdefault(key, []).append(settlement)
    books = {
        (line["merchant"], move.record["environment"], move.record["currency"]) for move in facts.moves for line in move.lines
    }
    for lost in books - chains.keys():
        yield f"no settlement has the moves of {lost}"
    for key, chain in chains.items():
        yield from check_chain(facts, key, chain)


def check_chain(facts, key, chain):
    moved = list(facts.lines_of(*key))
    carried = 0
    previous = None
    for place, settlement in enumerate(chain, 1):
        if settlement["sequence"] != place or settlement["previous"] != previous:
            yield f"{settlement['id']} is number {settlement['sequence']} after {settlement['previous']}, not {place} after {previous}"
        previous = settlement["id"]
        if settlement["totals"] is None:
            if facts.contract.settlement["automatic"] and settlement is not chain[-1]:
                yield f"{settlement['id']} is open, and there is a later one"
            if settlement["throughMove"] is not None:
                moved = [each for each in moved if each[0].number > settlement["throughMove"]]
            continue
        last = settlement["throughMove"]
        lines = [each for each in moved if each[0].number <= last]
        moved = moved[len(lines) :]
        if not lines or lines[0][0].number != settlement["firstMove"]:
            yield f"{settlement['id']} begins with move {settlement['firstMove']}, the unsettled lines with {lines[:1]}"
        booked = facts.history["files"][settlement["id"]]["booked"]
        yield from check_lines(facts, settlement, booked, lines)
        net = sum(line["net"] for line in booked["lines"])
        yield from check_carry(facts, settlement, carried, net)
        carried = cents(settlement["totals"]["carriedOut"])
        yield from check_totals(settlement, booked)
    if moved and chain[-1]["totals"] is not None:
        yield f"no settlement has the moves {[move.number for move, _ in moved]} of {key}"


def check_lines(facts, settlement, booked, moved):
    expected = [expected_line(facts, settlement, number, *each) for number, each in enumerate(moved, 1)]
    if len(booked["lines"]) != len(expected):
        yield f"{settlement['id']} has {len(booked['lines'])} lines, {len(expected)} follow from the records: {[(line['lineType'], line['entryId']) for line in booked['lines']]}, {[(line['lineType'], line['entryId']) for line in expected]}"
        return
    for line, wanted in zip(booked["lines"], expected):
        wrong = {name: (line.get(name), value) for name, value in wanted.items() if line.get(name) != value}
        if wrong or line.keys() != wanted.keys():
            yield f"line {line['line']} of {settlement['id']} ({line['lineType']} of {line['recordId']}) has, and should have: {wrong}"


def expected_line(facts, settlement, number, move, line):
    entry = facts.entry_of_move.get(move.number)
    return {
        "line": number,
        "lineType": line["lineType"],
        "occurredAt": move.at,
        "businessDate": settlement["businessDate"],
        "recordId": move.record["id"],
        "sourceId": move.source,
        "entryId": entry and entry["id"],
        "paymentReference": line["paymentReference"],
        "paymentId": line["paymentId"],
        "originalReference": line["originalReference"],
        "channel": line["channel"],
        "currency": settlement["currency"],
        **{name: line[name] for name in AMOUNTS},
        "code": move.code,
        "description": move.description,
    }


def check_carry(facts, settlement, carried, net):
    """An amount below the minimum is carried over. A negative amount is carried over, collected or invoiced."""
    due = carried + net
    names = ("net", "carriedIn", "transferred", "carriedOut", "invoiced")
    totals = {name: cents(settlement["totals"][name]) for name in names}
    expected = {"net": net, "carriedIn": carried, **facts.contract.outcome_of(due)}
    if totals != expected:
        yield f"{settlement['id']} has {totals}, by its lines {expected}"


def check_totals(settlement, booked):
    lines, totals = booked["lines"], settlement["totals"]
    for name in AMOUNTS:
        if booked["totals"][name] != sum(line[name] for line in lines):
            yield f"{settlement['id']}: the total {name} is {booked['totals'][name]}, its lines add up to {sum(line[name] for line in lines)}"
    if booked["totals"]["count"] != len(lines) or totals["count"] != len(lines):
        yield f"{settlement['id']} counts {booked['totals']['count']} and {totals['count']} lines, and has {len(lines)}"
    for name in ("gross", "fee", "net", "carriedIn", "transferred", "carriedOut", "invoiced"):
        if cents(totals[name]) != booked["totals"][name]:
            yield f"{settlement['id']}: {name} is {totals[name]} in the record, {booked['totals'][name]} in the file"
    types = {}
    for line in lines:
        sums = types.setdefault(line["lineType"], {"count": 0, "gross": 0, "fee": 0, "net": 0})
        sums["count"] += 1
        for name in ("gross", "fee", "net"):
            sums[name] += line[name]
    shown = {
        kind: {name: value if name == "count" else cents(value) for name, value in sums.items()}
        for kind, sums in totals["types"].items()
    }
    if shown != types:
        yield f"{settlement['id']}: by type {shown}, its lines {types}"
