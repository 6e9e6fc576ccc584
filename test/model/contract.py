"""A contract: fixture files, read as docs/settlements.md and docs/ledger.md describe them."""

import json
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

from money import cents, divide, half_up

FEE_KINDS = ("markUp", "serviceProvider", "gateway")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def zone_of(name):
    if name[0] not in "+-":
        return ZoneInfo(name)
    hours, minutes = (int(part) for part in name[1:].split(":"))
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if name[0] == "-" else offset)


class Contract:
    def __init__(self, folder):
        def read(name):
            return json.loads((Path(folder) / f"{name}.json").read_text(encoding="utf-8"), parse_float=Decimal)

        self.fees = read("fees")["fees"]
        self.ledger = read("ledger")
        self.adjustments = read("adjustments")
        self.settlement = read("settlement")
        self.currencies = {row["currencyCode"]: row["id"] for row in read("currencies")["currencies"]}
        self.channels = {name: row["id"] for row in read("channels")["channels"] for name in row["names"]}
        self.merchants = {row["id"]: row["name"] for row in read("merchants")["merchants"]}
        self.zone = zone_of(self.settlement.get("zone") or read("times")["localOffset"])

    def fees_of(self, channel, merchant, currency, amount, at):
        """The fees by kind, in minor units: the exact sum is rounded half up, then divided by largest remainder."""
        row = self._row(channel, merchant, currency, amount, instant(at))
        if row is None:
            return {kind: 0 for kind in FEE_KINDS}
        exact = [
            Fraction(amount) * Fraction(row["feesMarkUp"]) / 100,
            Fraction(row["feesServiceProviderFee"]) * 100,
            Fraction(amount) * Fraction(row["feesGatewayFee"]) / 100,
        ]
        return dict(zip(FEE_KINDS, divide(half_up(sum(exact)), exact)))

    def _row(self, channel, merchant, currency, amount, at):
        fitting = [
            row
            for row in self.fees
            if row["channel"] == channel
            and row["feesStatus"]
            and row["feesMerchantId"] in (merchant, "DEFAULT")
            and row["feesCurrencyId"] == self.currencies[currency]
            and Fraction(row["feesMinAmount"]) * 100 <= amount <= Fraction(row["feesMaxAmount"]) * 100
            and datetime.fromisoformat(row["feesStartDate"]) <= at <= datetime.fromisoformat(row["feesEndDate"])
        ]
        own = [row for row in fitting if row["feesMerchantId"] == merchant]
        return (own or fitting or [None])[0]

    def chargeback_fee(self, currency):
        return half_up(Fraction(self.adjustments["chargeback"]["fees"].get(currency, 0)) * 100)

    def outcome_of(self, due):
        """The amounts that are transferred, carried out and invoiced, for the amount that is due at a close."""
        if due >= max(1, cents(self.settlement["minimum"])):
            return {"transferred": due, "carriedOut": 0, "invoiced": 0}
        below = {"carry": "carriedOut", "collect": "transferred", "invoice": "invoiced"}
        member = below[self.settlement.get("negativeBalance", "carry")] if due < 0 else "carriedOut"
        return {"transferred": 0, "carriedOut": 0, "invoiced": 0, member: due}

    def layout_of(self, business_date):
        start = self.settlement["file"].get("nextLayout", {}).get("from")
        return 2 if start is not None and business_date >= start else 1

    def local_date(self, at):
        return instant(at).astimezone(self.zone).date()

    def bank_of(self, merchant):
        return {key: text.replace("{{merchantId}}", merchant) for key, text in self.settlement["account"].items()}

    def _local(self, day, time):
        hours, minutes = (int(part) for part in time.split(":"))
        local = datetime(day.year, day.month, day.day) + timedelta(hours=hours, minutes=minutes)
        return local.replace(tzinfo=self.zone).astimezone(timezone.utc)

    def business_date(self, at):
        """The day with the first cut-off after this time, and that cut-off."""
        day = at.astimezone(self.zone).date()
        cut_off = self._local(day, self.settlement["cutOff"])
        if at >= cut_off:
            day += timedelta(days=1)
            cut_off = self._local(day, self.settlement["cutOff"])
        return day, cut_off

    def end_of(self, month):
        """The cut-off of the last day of a month."""
        next_month = date.fromisoformat(f"{month}-28") + timedelta(days=4)
        return self._local(next_month.replace(day=1) - timedelta(days=1), self.settlement["cutOff"])

    def _is_business_day(self, day):
        rules = self.settlement
        return WEEKDAYS[day.weekday()] not in rules["weekend"] and day.isoformat() not in rules["holidays"]

    def value_date(self, business_date, closed_at):
        """`delayDays` business days after the business date; after the date of the close if the settlement was closed late."""
        day = date.fromisoformat(business_date)
        if closed_at > self._local(day, self.settlement["cutOff"]):
            day, _ = self.business_date(closed_at)
        for _ in range(self.settlement["delayDays"]):
            day += timedelta(days=1)
            while not self._is_business_day(day):
                day += timedelta(days=1)
        while not self._is_business_day(day):
            day += timedelta(days=1)
        return day

    def value_time(self, day):
        return self._local(day, self.settlement["valueTime"])
