"""A file as CSV says to the byte what it says as JSON."""

from money import decimal
from moves import FEE_COLUMNS

AMOUNTS = ("gross", "fee", "net", *FEE_COLUMNS)
CARRIED = ("carriedIn", "transferred", "carriedOut", "invoiced")
OF_HEADERS = ("merchantId", "environment", "sequence", "version", "layout", "periodStart", "periodEnd", "valueDate")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def check(facts):
    rules = facts.contract.settlement["file"]
    for name, files in facts.history["files"].items():
        for kind in ("shown", "booked"):
            expected = csv_of(files[kind], rules)
            text = files[f"{kind}Csv"]
            # What fetches a text drops its byte order mark, as every reader of UTF-8 may.
            if text.removeprefix("\ufeff") != expected:
                yield f"the {kind} file of {name}: {first_difference(text, expected)}"


def first_difference(text, expected):
    for number, (one, other) in enumerate(zip(text.split("\r\n"), expected.split("\r\n")), 1):
        if one != other:
            return f"row {number} is\n  {one!r}\nof its JSON follows\n  {other!r}"
    return f"it has {text.count(chr(10))} rows, of its JSON follow {expected.count(chr(10))}"


def csv_of(file, rules):
    header = file["header"]
    same = {"settlementId": header["settlementId"], "businessDate": header["businessDate"], "currency": header["currency"]}
    own = {
        **{name: header[name] for name in OF_HEADERS},
        **header["bank"],
    }
    rows = [{"record": "H", **same, **own}]
    rows += [{"record": "L", **same, **line} for line in file["lines"]]
    rows.append({"record": "T", "line": file["totals"]["count"], **same, **file["totals"]})
    columns = rules["columns"] if header["layout"] == 1 else rules["nextLayout"]["columns"]
    cells = [columns, *([cell_of(row, column, rules) for column in columns] for row in rows)]
    return "".join(rules["delimiter"].join(quoted(cell, rules["delimiter"]) for cell in row) + "\r\n" for row in cells)


def cell_of(row, column, rules):
    if column in AMOUNTS + CARRIED and column in row:
        return decimal(row[column]).replace(".", rules["decimalMark"])
    if "net" in row:
        net = row["net"]
        derived = {
            "debit": decimal(-net) if net < 0 else "",
            "credit": decimal(net) if net >= 0 else "",
            "netMinorUnits": str(abs(net)),
            "direction": "DR" if net < 0 else "CR",
        }
        if column in derived:
            return derived[column].replace(".", rules["decimalMark"])
    value = row.get(column)
    text = "" if value is None else str(value)
    if rules.get("escapeFormulas") and isinstance(value, str) and text.startswith(FORMULA):
        return "'" + text
    return text


def quoted(cell, delimiter):
    if any(character in cell for character in (delimiter, '"', "\r", "\n")):
        return '"' + cell.replace('"', '""') + '"'
    return cell
