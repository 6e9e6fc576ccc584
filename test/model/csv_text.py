"""Tables as CSV, written as docs/settlements.md and the contract's `file` define."""

from money import decimal

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_text(columns, rows, amounts, rules):
    """`amounts` are the columns of money, in minor units. Only texts can be formulas, so numbers are not escaped."""
    cells = [columns, *([cell_of(row.get(column), column in amounts, rules) for column in columns] for row in rows)]
    return "".join(rules["delimiter"].join(quoted(cell, rules["delimiter"]) for cell in row) + "\r\n" for row in cells)


def cell_of(value, is_amount, rules):
    if value is None:
        return ""
    if is_amount:
        return decimal(value).replace(".", rules["decimalMark"])
    if isinstance(value, str) and rules.get("escapeFormulas") and value.startswith(FORMULA):
        return "'" + value
    return str(value)


def quoted(cell, delimiter):
    if any(character in cell for character in (delimiter, '"', "\r", "\n")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def difference_of(text, expected):
    """The first difference between a text and the expected text; None if they are equal."""
    # The client that fetches a text may drop its byte order mark, so the mark is not compared.
    text = text.removeprefix("\ufeff")
    if text == expected:
        return None
    for number, (one, other) in enumerate(zip(text.split("\r\n"), expected.split("\r\n")), 1):
        if one != other:
            return f"row {number} is\n  {one!r}\nby its JSON it should be\n  {other!r}"
    return f"it has {text.count(chr(10))} rows, by its JSON it should have {expected.count(chr(10))}"
