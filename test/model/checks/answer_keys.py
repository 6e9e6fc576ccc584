"""The answer key of a file has every mistake and nothing else: with its findings undone, the shown lines are the booked lines."""

from datetime import date, timedelta

from contract import instant
from moves import FEE_COLUMNS

AMOUNTS = ("gross", "fee", "net", *FEE_COLUMNS)
#: For each kind that changes a line: the member that the finding names, and those that may differ with it.
CHANGED = {
    "fee": ("fee", {"fee", "net", *FEE_COLUMNS}),
    "corrected-file": ("fee", {"fee", "net", *FEE_COLUMNS}),
    "cent": ("gross", {"gross", "net"}),
    "date": ("businessDate", {"businessDate", "occurredAt"}),
    "currency": ("currency", {"currency"}),
    "sign": ("net", set(AMOUNTS)),
    "reference": ("paymentReference", {"paymentReference"}),
    "net": ("net", {"net"}),
}
VERDICTS = {"next-day": "wait", "late": "ignore", "corrected-file": "wait", "file-again": "ignore"}
#: Mistakes that concern a file as a whole.
FILE_MISTAKES = ("hidden-adjustment", "file-again", "new-layout")


def check(facts):
    files = facts.history["files"]
    for name, file in files.items():
        previous = facts.settlements[name]["previous"]
        late = lines_moved_here(files.get(previous))
        yield from check_key(facts, name, file, late)
        first = {**file, "shown": file["firstShown"], "answerKey": file["firstKey"]}
        if file["answerKey"]["version"] == 1:
            if first != file:
                yield f"{name} has one version, but its first file differs"
        else:
            yield from check_key(facts, name, first, late)
            yield from check_correction(name, first, file)
        yield from check_version(facts, name, file)


def lines_moved_here(file):
    """The booked lines that the previous file moved to this one."""
    if file is None:
        return []
    findings = [each for each in file["answerKey"]["findings"] if each["kind"] == "next-day"]
    return [line for finding in findings for line in lost_lines(file, finding)[:1]]


def identity(line):
    return (line["entryId"], line["sourceId"], line["lineType"], line["gross"] == 0)


def without_number(line):
    return {name: value for name, value in line.items() if name != "line"}


def lost_lines(file, finding):
    """Booked lines that are not shown and fit a finding."""
    shown = [identity(line) for line in file["shown"]["lines"]]
    return [
        line
        for line in file["booked"]["lines"]
        if (line["paymentReference"], line["paymentId"]) == (finding["reference"], finding["paymentId"])
        and line["net"] == -finding["difference"]
        and identity(line) not in shown
    ]


class Comparison:
    def __init__(self, name, file, late):
        self.name = name
        self.shown = {line["line"]: line for line in file["shown"]["lines"]}
        self.booked = list(file["booked"]["lines"])
        self.late = list(late)
        self.file = file

    def take(self, line):
        """Removes and returns the booked line with the same identity."""
        for at, booked in enumerate(self.booked):
            if identity(booked) == identity(line):
                return self.booked.pop(at)
        return None


def check_version(facts, name, file):
    """A corrected file exists a day after the transfer, or after the close if nothing is transferred."""
    corrected = [finding for finding in file["firstKey"]["findings"] if finding["kind"] == "corrected-file"]
    done = [step for step in facts.settlements[name]["history"] if step["to"] in ("Paid", "CarriedOver", "Invoiced")]
    is_due = done and instant(facts.history["clock"]["now"]) >= instant(done[0]["at"]) + timedelta(days=1)
    if corrected and is_due and file["answerKey"]["version"] != 2:
        yield f"{name} should be corrected a day after {done[0]['at']}, but has version {file['answerKey']['version']}"


def check_correction(name, first, last):
    """The findings of the later version are those of the first, without the corrected mistakes."""
    kinds = [[(each["kind"], each["reference"]) for each in file["answerKey"]["findings"]] for file in (first, last)]
    corrected = [each for each in kinds[0] if each[0] != "corrected-file"]
    if len(corrected) != len(kinds[0]) - 1 or [each for each in kinds[1]] != corrected:
        yield f"{name}: version 2 has {kinds[1]}, version 1 {kinds[0]}"


def check_key(facts, name, file, late):
    key = file["answerKey"]
    if key["settlementId"] != name or key["seed"] != facts.history["seed"]:
        yield f"the answer key of {name} is of {key['settlementId']}, seed {key['seed']}"
    compared = Comparison(name, file, late)
    for finding in key["findings"]:
        for problem in check_finding(facts, compared, finding):
            yield f"{name}: {problem}: {finding}"
    # Lines without a finding are shown as they are booked, in the same order.
    rest = [without_number(line) for line in compared.shown.values()]
    if rest != [without_number(line) for line in compared.booked]:
        yield f"{name}: the answer key does not explain the shown lines: unexplained are {rest}, unmatched in the books {compared.booked}"
    if compared.late:
        yield f"{name} does not show the lines that the previous file moved to it: {compared.late}"
    if list(range(1, len(file["shown"]["lines"]) + 1)) != [line["line"] for line in file["shown"]["lines"]]:
        yield f"{name}: the shown lines are not numbered 1, 2, 3, …"
    yield from check_sums(name, file, key)
    yield from check_kinds(name, key)
    yield from check_decoys(name, file, key)


def check_finding(facts, compared, finding):
    kind = finding["kind"]
    lines = [compared.shown.pop(number, None) for number in finding["shownLines"]]
    if None in lines:
        yield "names a line that is not shown, or that another finding has named"
        return
    if finding["verdict"] != VERDICTS.get(kind, "investigate"):
        yield "has another verdict"
    if kind in ("missing", "next-day"):
        lost = [line for line in compared.booked if line in lost_lines(compared.file, finding)]
        if lines or not lost:
            yield "nothing of the kind is missing"
            return
        compared.booked.remove(lost[0])
    elif kind == "unknown":
        yield from check_unknown(facts, lines, finding)
    elif kind == "status-conflict":
        yield from check_conflict(facts, compared, lines, finding)
    elif kind in FILE_MISTAKES:
        yield from check_file(facts, compared, finding)
    elif kind == "late":
        yield from check_late(compared, lines, finding)
    else:
        booked = compared.take(lines[0]) if lines else None
        if booked is None:
            yield "names no line of the books"
            return
        if (finding["reference"], finding["paymentId"]) != (booked["paymentReference"], booked["paymentId"]):
            yield f"is about another line than {booked}"
        yield from check_changed(compared, kind, lines, booked, finding)


def check_changed(compared, kind, lines, booked, finding):
    difference = sum(line["net"] for line in lines) - booked["net"]
    if kind == "doubled":
        if [without_number(line) for line in lines] != [without_number(booked)] * 2:
            yield "is not the same line twice"
    elif kind == "split":
        sums = {name: sum(line[name] for line in lines) for name in AMOUNTS}
        if len(lines) != 2 or sums != {name: booked[name] for name in AMOUNTS}:
            yield "is not the line in two parts"
    elif kind == "merged":
        other = lost_second(compared, lines[0], booked)
        if other is None:
            yield "is not two lines in one"
            return
        compared.booked.remove(other)
        difference -= other["net"]
        references = f"{booked['paymentReference']} + {other['paymentReference']}"
        if not all(part in str(finding["expected"]) for part in (booked["paymentReference"], other["paymentReference"])):
            yield f"does not name both: {references}"
    else:
        yield from check_changes(kind, lines, booked, finding)
    if finding["difference"] != difference:
        yield f"the difference is {difference}"


def lost_second(compared, shown, booked):
    for other in compared.booked:
        if all(shown[name] == booked[name] + other[name] for name in AMOUNTS):
            if identity(other) not in [identity(line) for line in compared.file["shown"]["lines"]]:
                return other
    return None


def check_changes(kind, lines, booked, finding):
    field, may_differ = CHANGED[kind]
    if len(lines) != 1:
        yield "does not name exactly one line"
        return
    shown = lines[0]
    differs = {name for name in shown if name != "line" and shown[name] != booked[name]}
    if field not in differs or not differs <= may_differ:
        yield f"{sorted(differs)} differ"
    if finding["field"] != field or (finding["expected"], finding["shown"]) != (booked[field], shown[field]):
        yield f"the books have {booked[field]}, the file {shown[field]}"
    if kind in ("fee", "corrected-file", "cent", "sign") and shown["net"] != shown["gross"] + shown["fee"]:
        yield "net is not gross plus fee"
    if kind in ("fee", "corrected-file", "sign") and shown["fee"] != sum(shown[name] for name in FEE_COLUMNS):
        yield "the kinds of fees do not add up to the fee"
    if kind in ("fee", "corrected-file") and not shown["fee"] < booked["fee"]:
        yield "the fee is not higher"
    if kind == "cent" and abs(shown["gross"] - booked["gross"]) != 1:
        yield "does not differ by a cent"
    if kind == "sign" and any(shown[name] != -booked[name] for name in AMOUNTS):
        yield "is not negated"
    if kind == "net" and shown["net"] != shown["gross"]:
        yield "net is not gross"
    if kind == "date" and abs((date.fromisoformat(shown["businessDate"]) - date.fromisoformat(booked["businessDate"])).days) != 1:
        yield "does not differ by a day"


def check_unknown(facts, lines, finding):
    if len(lines) != 1:
        yield "does not name exactly one line"
        return
    line = lines[0]
    known = facts.history["payments"] + facts.history["payouts"]
    if any(line["paymentReference"] == record["payerReference"] for record in known):
        yield f"{line['paymentReference']} is known"
    if any(line["paymentId"] in (record.get("paymentId"), record.get("paymentCode")) for record in known):
        yield f"{line['paymentId']} is known"
    if line["recordId"] in {record["id"] for record in known} or line["entryId"] in facts.entry_ids:
        yield f"{line['recordId']} or {line['entryId']} exists"
    if (finding["reference"], finding["paymentId"], finding["difference"]) != (line["paymentReference"], line["paymentId"], line["net"]):
        yield f"the line is {line}"


def check_conflict(facts, compared, lines, finding):
    """A line for a payment of the merchant that failed before the close."""
    closed = facts.settlements[compared.name]["history"][0]["at"]
    merchant = facts.settlements[compared.name]["merchantId"]
    # If the clock was set back, a failure before the close may have a later time.
    was_set_back = any(each["step"] in ("setBack", "toCutOff") for each in facts.history["asked"])
    failed = {
        payment["id"]: payment
        for payment in facts.history["payments"]
        if any(step["to"] == "Failed" and (was_set_back or step["at"] <= closed) for step in payment["history"])
    }
    payment = failed.get(lines[0]["recordId"]) if len(lines) == 1 else None
    if payment is None:
        yield "names no line of a failed payment"
        return
    merchants = [share["merchantId"] for share in payment["shares"]] or [payment["merchantId"]]
    line = lines[0]
    if merchant not in merchants or line["entryId"] in facts.entry_ids:
        yield f"{payment['id']} belongs to {merchants}, its line names {line['entryId']}"
    if line["net"] != line["gross"] + line["fee"] or line["fee"] != sum(line[name] for name in FEE_COLUMNS):
        yield "the line does not add up"
    if (finding["reference"], finding["difference"], finding["field"]) != (payment["payerReference"], line["net"], "state"):
        yield f"the line is {line}"


def check_file(facts, compared, finding):
    name = compared.name
    if finding["shownLines"] or (finding["reference"], finding["paymentId"], finding["difference"]) != (name, "", 0):
        yield "is about the file as a whole, but names a part of it"
    shown = compared.file["shown"]
    claimed = (finding["field"], finding["expected"], finding["shown"])
    if finding["kind"] == "new-layout":
        if claimed != ("layout", 1, 2) or shown["header"]["layout"] != 2:
            yield f"the layout is {shown['header']['layout']}"
    elif finding["kind"] == "hidden-adjustment":
        totals = shown["totals"]
        due = totals["carriedIn"] + totals["net"] - totals["carriedOut"] - totals["invoiced"]
        if claimed != ("transferred", due, totals["transferred"]) or not 0 < due - totals["transferred"] <= 500:
            yield f"the totals are {totals}"
    elif finding["field"] != "file":
        yield "names another member"


def check_late(compared, lines, finding):
    for at, line in enumerate(compared.late):
        if [without_number(line)] == [without_number(each) for each in lines]:
            compared.late.pop(at)
            if finding["difference"] != line["net"]:
                yield f"the difference is {line['net']}"
            return
    yield f"the previous file moved {compared.late}"


def check_sums(name, file, key):
    shown, booked = ([line["net"] for line in file[kind]["lines"]] for kind in ("shown", "booked"))
    if sum(finding["difference"] for finding in key["findings"]) != sum(shown) - sum(booked):
        yield f"{name}: the differences do not add up to {sum(shown) - sum(booked)}"
    if (key["shown"], key["booked"]) != (file["shown"]["totals"], file["booked"]["totals"]):
        yield f"{name}: the totals of the answer key are not those of the files"
    totals = file["shown"]["totals"]
    hidden = sum(each["expected"] - each["shown"] for each in key["findings"] if each["kind"] == "hidden-adjustment")
    totals = {**totals, "transferred": totals["transferred"] + hidden}
    if key["totals"] == "stay" and totals != file["booked"]["totals"]:
        yield f"{name}: the totals are {totals}, not those of the books: {file['booked']['totals']}"
    if key["totals"] == "follow":
        wrong = [column for column in AMOUNTS if totals[column] != sum(line[column] for line in file["shown"]["lines"])]
        if wrong or totals["count"] != len(file["shown"]["lines"]):
            yield f"{name}: {wrong} are not the sums of the shown lines: {totals}"
        if totals["carriedIn"] + totals["net"] != totals["transferred"] + totals["carriedOut"] + totals["invoiced"]:
            yield f"{name}: the carries of the totals that follow do not add up: {totals}"


def check_kinds(name, key):
    kinds = [finding["kind"] for finding in key["findings"] if finding["kind"] != "late"]
    if len(kinds) != len(set(kinds)) or set(kinds) & set(key["skipped"]):
        yield f"{name}: a kind occurs twice, or is skipped although it occurs: {kinds}, {key['skipped']}"


def check_decoys(name, file, key):
    """Decoys look odd but are correct: twins, negative lines, and carried amounts."""
    wrong = {number for finding in key["findings"] for number in finding["shownLines"]}
    correct = [line for line in file["shown"]["lines"] if line["line"] not in wrong]
    found = {}
    for decoy in key["decoys"]:
        found.setdefault(decoy["kind"], []).append(decoy["shownLines"])
    below = [[line["line"]] for line in correct if line["gross"] > 0 > line["net"]]
    if found.get("negative-net", []) != below:
        yield f"{name}: payments with a negative net are {below}: {key['decoys']}"
    alike = {}
    for line in correct:
        alike.setdefault((line["lineType"], line["paymentReference"], line["gross"]), []).append(line["line"])
    twins = [numbers for numbers in alike.values() if len(numbers) > 1]
    if found.get("twins", []) != twins:
        yield f"{name}: twins are {twins}: {key['decoys']}"
    totals = file["booked"]["totals"]
    if ("carried-over" in found) != (totals["carriedIn"] != 0 or totals["carriedOut"] != 0):
        yield f"{name}: {key['decoys']}, carried are {totals['carriedIn']} and {totals['carriedOut']}"
