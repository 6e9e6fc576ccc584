"""Checks histories of a sandbox against its documents: python3 check_money.py HISTORIES.jsonl TERMS-FOLDER

Every file in checks/ is a check: its `check(facts)` yields a sentence for each disagreement.
"""

import importlib
import json
import sys
import traceback
from decimal import Decimal
from pathlib import Path

from contract import Contract
from moves import moves_of

HERE = Path(__file__).parent
CHECKS = [importlib.import_module(f"checks.{path.stem}") for path in sorted((HERE / "checks").glob("[a-z]*.py"))]


class Facts:
    """A fetched history, its contract, and the moves of money that the model expects."""

    def __init__(self, history, contract):
        self.history = history
        self.contract = contract
        self.moves = moves_of(history, contract)
        self.by_number = {move.number: move for move in self.moves}
        self.entry_of_move = {entry["move"]: entry for entry in history["entries"]}
        self.settlements = {settlement["id"]: settlement for settlement in history["settlements"]}
        self.entry_ids = {entry["id"] for entry in history["entries"]}

    def lines_of(self, merchant, environment, currency):
        """Each (move, line) of a merchant's account, in the order of the moves."""
        book = (environment, currency)
        for move in self.moves:
            if (move.record["environment"], move.record["currency"]) == book:
                for line in move.lines:
                    if line["merchant"] == merchant:
                        yield move, line

    def settlements_of(self, merchant, environment, currency):
        """The settlements of a merchant's account, in their order."""
        key = (merchant, environment, currency)
        own = [each for each in self.settlements.values() if (each["merchantId"], each["environment"], each["currency"]) == key]
        return sorted(own, key=lambda each: each["sequence"])

    def lines_in(self, settlement):
        """Each (move, line) of a settlement. Its last move is unknown while it is open: then all later moves are included."""
        last = settlement["throughMove"]
        for move, line in self.lines_of(settlement["merchantId"], settlement["environment"], settlement["currency"]):
            if settlement["firstMove"] <= move.number and (last is None or move.number <= last):
                yield move, line


def disagreements_of(history, contract):
    try:
        facts = Facts(history, contract)
    except Exception:  # A record that cannot be read is a disagreement like any other.
        return [{"seed": history["seed"], "check": "records", "text": traceback.format_exc(limit=-2)}]
    found = []
    for module in CHECKS:
        name = module.__name__.split(".")[-1]
        try:
            found += [{"seed": history["seed"], "check": name, "text": text} for text in module.check(facts)]
        except Exception:
            found.append({"seed": history["seed"], "check": name, "text": traceback.format_exc(limit=-2)})
    return found


def main(file, terms):
    contracts = {}
    sums = {"histories": 0, "lines": 0, "entries": 0}
    found = []
    with open(file, encoding="utf-8") as histories:
        for text in histories:
            history = json.loads(text, parse_float=Decimal)
            name = history["terms"]
            contract = contracts.setdefault(name, None) or Contract(Path(terms) / name)
            contracts[name] = contract
            found += disagreements_of(history, contract)
            sums["histories"] += 1
            sums["lines"] += sum(len(each["shown"]["lines"]) for each in history["files"].values())
            sums["entries"] += len(history["entries"])
    print(json.dumps({**sums, "disagreements": found}))


if __name__ == "__main__":
    main(*sys.argv[1:])
