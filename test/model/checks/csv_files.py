"""A file as CSV has the same data as in JSON."""

from csv_text import csv_text, difference_of
from moves import FEE_COLUMNS

AMOUNTS = ("gross", "fee", "net", *FEE_COLUMNS, "debit", "credit", "carriedIn", "transferred", "carriedOut", "invoiced")
HEADER_COLUMNS = ("merchantId", "environment", "sequence", "version", "layout", "periodStart", "periodEnd", "valueDate")


def check(facts):
    rules = facts.contract.settlement["file"]
    for name, files in facts.history["files"].items():
        for kind in ("shown", "booked"):
            difference = difference_of(files[f"{kind}Csv"], csv_of(files[kind], rules))
            if difference:
                yield f"the {kind} file of {name}: {difference}"


def csv_of(file, rules):
    header, totals = file["header"], file["totals"]
    same = {"settlementId": header["settlementId"], "businessDate": header["businessDate"], "currency": header["currency"]}
    rows = [{"record": "H", **same, **{name: header[name] for name in HEADER_COLUMNS}, **header["bank"]}]
    rows += [{"record": "L", **same, **line, **derived(line["net"])} for line in file["lines"]]
    rows.append({"record": "T", "line": totals["count"], **same, **totals, **derived(totals["net"])})
    columns = rules["columns"] if header["layout"] == 1 else rules["nextLayout"]["columns"]
    return csv_text(columns, rows, AMOUNTS, rules)


def derived(net):
    side = {"debit": -net, "direction": "DR"} if net < 0 else {"credit": net, "direction": "CR"}
    return {**side, "netMinorUnits": abs(net)}
