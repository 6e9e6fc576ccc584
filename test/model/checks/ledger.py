"""Each entry balances and is a move that the records imply, and all entries add up to the accounts."""

from money import cents


def check(facts):
    history = facts.history
    if history["ledgerCheck"]["balanced"] is not True:
        yield f"/ledger/check: {history['ledgerCheck']}"
    numbers = [entry["move"] for entry in history["entries"]]
    if numbers != [move.number for move in facts.moves]:
        yield f"entries have the moves {numbers}, the records {[move.number for move in facts.moves]}"
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the moves are not 1, 2, 3, …: {numbers}"
    accounts = {}
    for entry in history["entries"]:
        yield from check_entry(entry, facts.by_number.get(entry["move"]))
        for posting in entry["postings"]:
            key = (entry["environment"], entry["currency"], posting["account"])
            sides = accounts.setdefault(key, {"debit": 0, "credit": 0})
            sides[posting["side"]] += cents(posting["amount"])
    shown = {
        (row["environment"], row["currency"], row["account"]): {"debit": cents(row["debits"]), "credit": cents(row["credits"])}
        for row in history["accounts"]
    }
    if shown != accounts:
        yield f"the accounts are {shown}, their entries {accounts}"
    for row in history["accounts"]:
        if cents(row["balance"]) != cents(row["credits"]) - cents(row["debits"]):
            yield f"the balance of {row} is not its credits less its debits"
        if row["account"] == "suspense" and cents(row["balance"]) != 0:
            yield f"the balance of suspense is not zero: {row}"


def check_entry(entry, move):
    posted = {}
    for posting in entry["postings"]:
        amount = cents(posting["amount"])
        if amount <= 0:
            yield f"{entry['id']} posts {posting}"
        sign = 1 if posting["side"] == "credit" else -1
        posted[posting["account"]] = posted.get(posting["account"], 0) + sign * amount
    if sum(posted.values()) != 0:
        yield f"{entry['id']} does not balance: {entry['postings']}"
    if move is None:
        return
    entry_facts = (entry["event"], entry["at"], entry["recordId"], entry["environment"], entry["currency"])
    record = move.record
    if entry_facts != (move.event, move.at, record["id"], record["environment"], record["currency"]):
        yield f"{entry['id']} has {entry_facts}, the record {record['id']} {move.event} at {move.at}"
    expected = {account: amount for account, amount in move.postings.items() if amount != 0}
    if {account: amount for account, amount in posted.items() if amount != 0} != expected:
        yield f"{entry['id']} ({entry['event']} of {entry['recordId']}) posts {posted}, the contract {expected}"
