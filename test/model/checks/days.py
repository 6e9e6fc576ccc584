"""Business dates, cut-offs, value dates, and when a transfer arrives."""

from contract import instant
from money import cents


def check(facts):
    for settlement in facts.history["settlements"]:
        yield from check_day(facts, settlement)


def check_day(facts, settlement):
    contract = facts.contract
    name = settlement["id"]
    first = facts.by_number[settlement["firstMove"]]
    if settlement["createdAt"] != first.at:
        yield f"{name} was opened at {settlement['createdAt']}, its first move was at {first.at}"
    day, cut_off = contract.business_date(instant(first.at))
    if settlement["businessDate"] != day.isoformat() or instant(settlement["cutOff"]) != cut_off:
        yield f"{name} is of {settlement['businessDate']}, cut off at {settlement['cutOff']}; by the contract of {day}, {cut_off}"
    if settlement["bank"] != contract.bank_of(settlement["merchantId"]):
        yield f"{name} goes to {settlement['bank']}"
    is_automatic = contract.settlement["automatic"]
    if settlement["totals"] is None:
        if is_automatic and instant(facts.history["clock"]["now"]) >= cut_off:
            yield f"{name} is open at {facts.history['clock']['now']}, after its cut-off {settlement['cutOff']}"
        return
    closed = settlement["history"][0]
    if closed["cause"] == "clock" and (not is_automatic or closed["at"] != settlement["cutOff"]):
        yield f"{name} was closed by the clock at {closed['at']}, its cut-off is {settlement['cutOff']}"
    if is_automatic:
        key = (settlement["merchantId"], settlement["environment"], settlement["currency"])
        for move, _ in facts.lines_of(*key):
            if settlement["firstMove"] <= move.number <= settlement["throughMove"] and instant(move.at) >= cut_off:
                yield f"{name} has move {move.number} of {move.at}, after its cut-off {settlement['cutOff']}"
    yield from check_value(facts, settlement, closed)
    yield from check_header(facts, settlement, closed)


def check_value(facts, settlement, closed):
    name = settlement["id"]
    if cents(settlement["totals"]["transferred"]) == 0:
        if settlement["valueDate"] is not None or ("move" in closed) != (cents(settlement["totals"]["invoiced"]) != 0):
            yield f"{name} transfers nothing, and has the value date {settlement['valueDate']}"
        return
    day = facts.contract.value_date(settlement["businessDate"], instant(closed["at"]))
    if settlement["valueDate"] != day.isoformat():
        yield f"{name} of {settlement['businessDate']} has the value date {settlement['valueDate']}, by the contract {day}"
    due = facts.contract.value_time(day)
    paid = [step for step in settlement["history"] if step["to"] == "Paid"]
    if paid and instant(paid[0]["at"]) != max(due, instant(closed["at"])):
        yield f"{name} was paid at {paid[0]['at']}, its value date begins at {due}"
    if not paid and instant(facts.history["clock"]["now"]) >= due:
        yield f"{name} is not paid at {facts.history['clock']['now']}, it was due at {due}"


def check_header(facts, settlement, closed):
    names = ("merchantId", "environment", "currency", "businessDate", "sequence", "cutOff", "valueDate", "bank")
    expected = {
        "settlementId": settlement["id"],
        **{name: settlement[name] for name in names},
        "periodStart": settlement["createdAt"],
        "periodEnd": closed["at"],
    }
    files = facts.history["files"][settlement["id"]]
    layout = facts.contract.layout_of(settlement["businessDate"])
    for kind, key in (("shown", "answerKey"), ("booked", None), ("firstShown", "firstKey")):
        found = [finding["kind"] for finding in files[key]["findings"]] if key else []
        version = 1 if kind == "firstShown" else files["answerKey"]["version"]
        wanted = {**expected, "version": version, "layout": 2 if "new-layout" in found else layout}
        header = files[kind]["header"]
        if header != wanted:
            yield f"the {kind} file of {settlement['id']} has the header {header}, its record {wanted}"
