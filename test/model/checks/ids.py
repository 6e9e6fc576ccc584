"""Ids resolve both ways: from a line to its record and entry, and from a record to its lines."""


def check(facts):
    history = facts.history
    sources = {}
    for payment in history["payments"]:
        sources[payment["id"]] = payment["id"]
        sources |= {each["id"]: payment["id"] for each in payment.get("adjustments", [])}
    for payout in history["payouts"]:
        sources[payout["id"]] = payout["id"]
        sources |= {each["id"]: payout["id"] for each in payout["credits"]}
    sources |= {settlement["id"]: settlement["id"] for settlement in history["settlements"]}
    entries = {entry["id"]: entry for entry in history["entries"]}
    places = {}
    for name, files in history["files"].items():
        merchant = f"merchant:{files['booked']['header']['merchantId']}"
        seen = set()
        for line in files["booked"]["lines"]:
            which = f"line {line['line']} of {name}"
            if sources.get(line["sourceId"]) != line["recordId"]:
                yield f"{which} is of {line['sourceId']}, which is no part of {line['recordId']}"
            entry = entries.get(line["entryId"])
            if entry is None or entry["recordId"] != line["recordId"]:
                yield f"{which} names {line['entryId']}, which is no entry of {line['recordId']}"
            elif merchant not in {posting["account"] for posting in entry["postings"]} and line["net"] != 0:
                yield f"{which} names {line['entryId']}, which has no posting to {merchant}"
            key = (line["entryId"], line["lineType"], line["gross"] == 0)
            if key in seen or places.setdefault((merchant, *key), name) != name:
                yield f"{which}: {key} is in a file twice"
            seen.add(key)
