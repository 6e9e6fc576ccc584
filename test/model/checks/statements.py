"""The statements of the bank, in every format; the findings explain every difference."""

from xml.etree import ElementTree

from money import cents

CAMT = "{urn:iso:std:iso:20022:tech:xsd:camt.053.001.08}"
TYPES = {
    "settlement.paid": "transfer",
    "settlement.returned": "return",
    "payout.created": "payout",
    "payout.credit-paid": "payout",
    "payout.credit-failed": "payout-return",
    "payout.credit-returned": "payout-return",
}
VERDICTS = {"late": "wait", "arrived": "ignore"}


def check(facts):
    booked = booked_entries(facts)
    today = facts.contract.local_date(facts.history["clock"]["now"])
    for name, files in facts.history["files"].items():
        settlement = facts.settlements[name]
        paid = [step for step in settlement["history"] if step["to"] == "Paid"]
        # After the clock was set back, today may be before the day of the transfer.
        if not paid or facts.contract.local_date(paid[0]["at"]) > today:
            if files["statement"].get("status") != 409 or files["answerKey"]["statement"] is not None:
                yield f"the bank has booked no transfer of {name}, but there is a statement: {files['statement']}"
            continue
        account = account_of(settlement)
        day = facts.contract.local_date(paid[0]["at"]).isoformat()
        yield from check_booked(name, files["bookedStatement"], account, day, booked.get(account, []))
        yield from check_shown(facts, name, files)
        yield from check_formats(name, files, "preliminary" if day == today.isoformat() else "final")


def account_of(settlement):
    return (settlement["bank"]["bankBICCode"], settlement["bank"]["accountNumber"], settlement["environment"], settlement["currency"])


def booked_entries(facts):
    """The entries of each account, in the order of the moves: (day, settlement or payout, type, amount)."""
    entries = {}
    for move in facts.moves:
        day = facts.contract.local_date(move.at).isoformat()
        for bank, amount in transfers_of(move, facts.contract):
            account = (bank["bankBICCode"], bank["accountNumber"], move.record["environment"], move.record["currency"])
            if amount != 0:
                entries.setdefault(account, []).append((day, move.record["id"], TYPES[move.event], amount))
    return entries


def transfers_of(move, contract):
    """The bank accounts that a move changes, each with the amount."""
    record = move.record
    if move.event in ("settlement.paid", "settlement.returned"):
        amount = cents(record["totals"]["transferred"])
        return [(record["bank"], amount if move.event == "settlement.paid" else -amount)]
    if move.event not in TYPES:
        return []
    is_off_bank = contract.ledger["payoutDebit"] == "bank"
    if move.event == "payout.created":
        return [(record["debit"], -cents(record["total"]))] if is_off_bank else []
    [credit] = [each for each in record["credits"] if each["id"] == move.source]
    amount = cents(credit["amount"])
    if move.event == "payout.credit-paid":
        return [(credit, amount)]
    taken = [(credit, -amount)] if move.event == "payout.credit-returned" else []
    return [*taken, (record["debit"], amount)] if is_off_bank else taken


def check_booked(name, statement, account, day, entries):
    statement_account = (*(statement["bank"][key] for key in ("bankBICCode", "accountNumber")), statement["environment"], statement["currency"])
    if (statement_account, statement["date"]) != (account, day):
        yield f"the statement of {name} is of {statement_account}, {statement['date']}, not of {account}, {day}"
    shown = [(entry["bookingDate"], record_of(entry), entry["type"], entry["amount"]) for entry in statement["entries"]]
    expected = [entry for entry in entries if entry[0] == day]
    if sorted(shown) != sorted(expected):
        yield f"the booked statement of {day} has {shown}, what was booked is {expected}"
    opening = sum(entry[3] for entry in entries if entry[0] < day)
    if statement["opening"] != opening:
        yield f"the booked statement of {day} opens with {statement['opening']}, the days before add up to {opening}"


def record_of(entry):
    return entry["payoutId"] if "payoutId" in entry else entry["settlementId"]


def reference_of(facts, entry):
    if "payoutId" not in entry:
        return entry["settlementId"]
    return next(payout["payerReference"] for payout in facts.history["payouts"] if payout["id"] == entry["payoutId"])


def check_shown(facts, name, files):
    shown, booked, key = files["statement"], files["bookedStatement"], files["answerKey"]["statement"]
    for statement in (shown, booked):
        yield from check_sums(facts, name, statement)
    if key is None or (key["statementId"], key["date"]) != (shown["id"], shown["date"]) or shown["id"] != booked["id"]:
        yield f"the key of the statement of {name} is {key}"
        return
    left = {entry["id"]: entry for entry in shown["entries"]}
    expected = {entry["id"]: entry for entry in booked["entries"]}
    for finding in key["findings"]:
        for problem in check_finding(facts, left, expected, finding):
            yield f"{name}: {problem}: {finding}"
    if left != expected:
        yield f"{name}: the key does not explain the statement: unexplained are {left}, unmatched in the books {expected}"
    sums = [sum(entry["amount"] for entry in each["entries"]) for each in (shown, booked)]
    if sum(finding["difference"] for finding in key["findings"]) != sums[0] - sums[1]:
        yield f"{name}: the differences of the statement do not add up to {sums[0] - sums[1]}"
    for kind in ("shown", "booked"):
        statement = {"shown": shown, "booked": booked}[kind]
        summary = {"count": len(statement["entries"]), "opening": statement["opening"], "closing": statement["closing"]}
        if key[kind] != summary:
            yield f"{name}: the key says {key[kind]}, the statement {summary}"


def check_sums(facts, name, statement):
    if statement["opening"] + sum(entry["amount"] for entry in statement["entries"]) != statement["closing"]:
        yield f"the statement of {name} does not add up: {statement}"
    for entry in statement["entries"]:
        if entry["direction"] != ("credit" if entry["amount"] > 0 else "debit") or entry["reference"] != reference_of(facts, entry):
            yield f"the statement of {name} has {entry}"
        if (entry["bookingDate"], entry["currency"]) != (statement["date"], statement["currency"]):
            yield f"the statement of {name} of {statement['date']} has {entry}"


def check_finding(facts, left, expected, finding):
    entries = [left.pop(each, None) for each in finding["shownEntries"]]
    if None in entries:
        yield "names an entry that is not shown, or that another finding has named"
        return
    kind = finding["kind"]
    if finding["verdict"] != VERDICTS.get(kind, "investigate"):
        yield "has another verdict"
    of_books = [entry for entry in expected.values() if is_about(finding, entry)]
    if kind in ("unknown-credit", "arrived"):
        is_known = finding["reference"] in facts.settlements
        if len(entries) != 1 or entries[0]["reference"] != finding["reference"] or is_known != (kind == "arrived"):
            yield "is not a separate entry"
        elif kind == "arrived" and (of_books or entries[0]["amount"] != amount_of(facts, entries[0])):
            yield "is no transfer or return of another day"
    elif len(of_books) != 1:
        yield "is about no booked transfer"
    else:
        booked = expected.pop(of_books[0]["id"])
        yield from check_transfer(kind, entries, booked)
        if finding["difference"] != sum(entry["amount"] for entry in entries) - booked["amount"]:
            yield "has another difference"
        return
    if finding["difference"] != sum(entry["amount"] for entry in entries):
        yield "has another difference"


def is_about(finding, entry):
    """A late finding may also be about a return, if its transfer has not been shown yet."""
    is_of_kind = entry["amount"] == -finding["difference"] if finding["kind"] == "late" else entry["type"] == "transfer"
    return is_of_kind and entry.get("settlementId") == finding["settlementId"]


def amount_of(facts, entry):
    transferred = cents(facts.settlements[entry["settlementId"]]["totals"]["transferred"])
    return transferred if entry["type"] == "transfer" else -transferred


def check_transfer(kind, entries, booked):
    if len(entries) != {"late": 0, "short": 1, "twice": 2}[kind]:
        yield "has another number of entries"
        return
    for entry in entries:
        differs = {name for name in entry if entry[name] != booked[name]}
        allowed = {"short": {"amount"}, "twice": {"id"}}[kind]
        if not differs <= allowed:
            yield f"{sorted(differs)} differ"
    if kind == "short" and abs(entries[0]["amount"]) == abs(booked["amount"]):
        yield "has the booked amount"


def check_formats(name, files, status):
    statement = files["statement"]
    if statement["status"] != status:
        yield f"the statement of {name} is {statement['status']}, not {status}"
    amounts = [statement["opening"], *(entry["amount"] for entry in statement["entries"]), statement["closing"]]
    for kind, read in (("camt053", read_camt), ("mt940", read_mt940)):
        found = read(files[kind], status == "final")
        if found != amounts:
            yield f"the statement of {name} as {kind} has {found}, as JSON {amounts}"
    references = [each.text for each in ElementTree.fromstring(files["camt053"]).iter(f"{CAMT}EndToEndId")]
    if references != [entry["reference"] for entry in statement["entries"]]:
        yield f"the statement of {name} as camt.053 has the references {references}"


def read_camt(text, is_final):
    root = ElementTree.fromstring(text)

    def amount(element):
        sign = 1 if element.find(f"{CAMT}CdtDbtInd").text == "CRDT" else -1
        return sign * cents(element.find(f"{CAMT}Amt").text)

    balances = {each.find(f".//{CAMT}Cd").text: amount(each) for each in root.iter(f"{CAMT}Bal")}
    return [balances["OPBD"], *(amount(entry) for entry in root.iter(f"{CAMT}Ntry")), balances["CLBD" if is_final else "ITBD"]]


def read_mt940(text, is_final):
    amounts = []
    for row in text.replace("\r", "").split("\n"):
        # :60F:C260306USD0,00 — :61:2603070307C498,66NTRF…
        for tag, start in ((":60F:", 5), (":62F:" if is_final else ":62M:", 5), (":61:", 14)):
            if row.startswith(tag):
                rest = row[start:]
                amount = rest[10:] if tag != ":61:" else rest[1:].split("N")[0]
                amounts.append((1 if rest[0] == "C" else -1) * cents(amount.replace(",", ".")))
    return amounts
