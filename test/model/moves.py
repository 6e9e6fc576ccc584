"""Every move of money that the records imply, with its postings and the lines of merchants."""

from fractions import Fraction

from contract import FEE_KINDS
from money import cents, divide, half_up

LEDGER_KINDS = {"markUp": "fees:mark-up", "serviceProvider": "fees:service-provider", "gateway": "fees:gateway"}
COLUMNS = {"markUp": "feeMarkUp", "serviceProvider": "feeServiceProvider", "gateway": "feeGateway"}
FEE_COLUMNS = ("feeMarkUp", "feeServiceProvider", "feeGateway", "feePayout", "feeChargeback")
EVENTS = {
    "refund": "payment.refunded",
    "reversal": "payment.reversed",
    "chargeback": "payment.charged-back",
    "chargeback-reversed": "payment.chargeback-reversed",
    "late-failure": "payment.failed",
}


class Move:
    """`postings` are credits less debits, by account; `lines` are those of the settlement files."""

    def __init__(self, step, event, record, source=None):
        self.number = step["move"]
        self.at = step["at"]
        self.code = step["code"] or ""
        self.description = step["description"] or ""
        self.event = event
        self.record = record
        self.source = source or record["id"]
        self.postings = {}
        self.lines = []

    def post(self, account, minor):
        self.postings[account] = self.postings.get(account, 0) + minor

    def line(self, merchant, line_type, gross, fees, **texts):
        if gross == 0 and not any(fees.values()):
            # If three share a cent, two get nothing and have no line.
            return
        columns = {column: fees.get(column, 0) for column in FEE_COLUMNS}
        fee = sum(columns.values())
        amounts = {"gross": gross, "fee": fee, "net": gross + fee, **columns}
        self.lines.append({"merchant": merchant, "lineType": line_type, **amounts, **texts})
        self.post(f"merchant:{merchant}", gross + fee)


def moves_of(history, contract):
    """All moves, sorted by their numbers."""
    moves = []
    for payment in history["payments"]:
        moves += payment_moves(payment, contract)
    for payout in history["payouts"]:
        moves += payout_moves(payout, contract)
    for settlement in history["settlements"]:
        moves += settlement_moves(settlement)
    return sorted(moves, key=lambda move: move.number)


class Shares:
    """The shares of a payment: for each receiver, its amount, its remainder, and its part of the fees."""

    def __init__(self, payment, contract):
        amount = cents(payment["amount"])
        self.is_split = bool(payment["shares"])
        receivers = payment["shares"] or [{"merchantId": payment["merchantId"], "percentage": 100}]
        self.merchants = [share["merchantId"] for share in receivers]
        self.amounts = divide(amount, [share["percentage"] for share in receivers])
        self.left = list(self.amounts)
        self.charged_back = [0 for _ in receivers]
        self.by_payer = contract.ledger["feesBorneBy"] == "payer"
        fees = contract.fees_of(payment["channel"], payment["merchantId"], payment["currency"], amount, payment["createdAt"])
        self.initiator = None
        if self.is_split and contract.ledger["splitFees"] == "initiator":
            self.initiator = payment["merchantId"]
        # By kind, by bearer.
        self.fees = {kind: self._over_bearers(fees[kind]) for kind in FEE_KINDS}
        self.fees_left = {kind: list(parts) for kind, parts in self.fees.items()}

    def _over_bearers(self, fee):
        if self.initiator is not None or self.by_payer:
            return [fee]
        return divide(fee, self.amounts)

    def fees_at(self, fees, at, sign):
        """The fees in the columns of a share's line."""
        if self.initiator is not None or self.by_payer:
            return {}
        return {COLUMNS[kind]: sign * parts[at] for kind, parts in fees.items()}


def payment_moves(payment, contract):
    if payment.get("testMode") or not any("move" in step for step in payment["history"]):
        return []
    shares = Shares(payment, contract)
    moves = []
    adjustments = {adjustment["move"] for adjustment in payment.get("adjustments", [])}
    for step in payment["history"]:
        if "move" in step and step["move"] not in adjustments:
            moves.append(paid(payment, step, shares))
    for adjustment in payment.get("adjustments", []):
        moves.append(adjusted(payment, adjustment, shares, contract))
    return moves


def texts_of(payment, original):
    return {
        "paymentReference": payment["payerReference"],
        "paymentId": payment["paymentId"] or payment["paymentCode"] or "",
        "originalReference": payment["payerReference"] if original else "",
        "channel": payment["channel"],
    }


def paid(payment, step, shares):
    move = Move(step, "payment.paid", payment)
    texts = texts_of(payment, False)
    total = 0
    for at, merchant in enumerate(shares.merchants):
        fees = shares.fees_at(shares.fees, at, -1)
        move.line(merchant, "share" if shares.is_split else "payment", shares.amounts[at], fees, **texts)
        total += shares.amounts[at]
    post_fees(move, shares, "fee", shares.fees, 1, texts)
    move.post(f"payers:{payment['channel']}", -total - (all_of(shares.fees) if shares.by_payer else 0))
    return move


def all_of(fees):
    return sum(sum(parts) for parts in fees.values())


def post_fees(move, shares, line_type, fees, sign, texts, cost=0):
    """Posts fees to their accounts; an initiator that bears them has a separate line, of the same type as those of the shares."""
    for kind, parts in fees.items():
        move.post(LEDGER_KINDS[kind], sign * sum(parts))
    if shares.initiator is None:
        return
    columns = {COLUMNS[kind]: -sign * sum(parts) for kind, parts in fees.items()} if not shares.by_payer else {}
    columns["feeChargeback"] = -cost
    if any(columns.values()):
        move.line(shares.initiator, line_type, 0, columns, **texts)


def adjusted(payment, adjustment, shares, contract):
    kind = adjustment["kind"]
    amount = cents(adjustment["amount"])
    move = Move(adjustment, EVENTS[kind], payment, adjustment["id"])
    texts = texts_of(payment, True)
    back = {key: [0 for _ in parts] for key, parts in shares.fees.items()}
    sign = -1
    if kind == "chargeback-reversed":
        sign = 1
        parts = divide(amount, shares.charged_back)
    else:
        if kind in ("reversal", "late-failure"):
            back = given_back(shares, amount)
        parts = divide(amount, shares.left)
    cost = contract.chargeback_fee(payment["currency"]) if kind == "chargeback" else 0
    costs = divide(cost, shares.left) if shares.initiator is None else [0 for _ in parts]
    for at, merchant in enumerate(shares.merchants):
        shares.left[at] += sign * parts[at]
        if kind in ("chargeback", "chargeback-reversed"):
            shares.charged_back[at] -= sign * parts[at]
        columns = {**shares.fees_at(back, at, 1), "feeChargeback": -costs[at]}
        move.line(merchant, kind, sign * parts[at], columns, **texts)
    move.post("fees:chargeback", cost)
    post_fees(move, shares, kind, back, -1, texts, cost)
    move.post(f"payers:{payment['channel']}", -sign * amount + (all_of(back) if shares.by_payer else 0))
    return move


def given_back(shares, amount):
    """The fees that are given back in proportion to the amount, divided by the remaining fees of each kind and receiver."""
    whole = half_up(Fraction(all_of(shares.fees) * amount, sum(shares.amounts)))
    bearers = range(len(shares.fees_left[FEE_KINDS[0]]))
    left = [shares.fees_left[kind][at] for at in bearers for kind in FEE_KINDS]
    parts = divide(min(whole, sum(left)), left)
    back = {kind: parts[number :: len(FEE_KINDS)] for number, kind in enumerate(FEE_KINDS)}
    for kind, given in back.items():
        shares.fees_left[kind] = [had - part for had, part in zip(shares.fees_left[kind], given)]
    return back


def payout_moves(payout, contract):
    moves = []
    debit = payout["debit"]
    merchant = payout["merchantId"]
    off_merchant = contract.ledger["payoutDebit"] == "merchant"
    source = f"merchant:{merchant}" if off_merchant else f"bank:{debit['bankBICCode']}:{debit['accountNumber']}"
    total = cents(payout["total"])
    fee = sum(contract.fees_of("payout", merchant, payout["currency"], total, payout["createdAt"]).values())
    texts = {"paymentReference": payout["payerReference"], "paymentId": "", "channel": ""}
    for step in payout["history"]:
        if "move" in step:
            move = Move({**step, "description": payout["description"]}, "payout.created", payout)
            if off_merchant or fee > 0:
                kind, gross = ("payout", -total) if off_merchant else ("fee", 0)
                move.line(merchant, kind, gross, {"feePayout": -fee}, originalReference="", **texts)
            if not off_merchant:
                move.post(source, -total)
            move.post("in-transit", total)
            move.post("fees:payout", fee)
            moves.append(move)
    for credit in payout["credits"]:
        amount = cents(credit["amount"])
        bank = f"bank:{credit['bankBICCode']}:{credit['accountNumber']}"
        for step in credit["history"]:
            if "move" not in step:
                continue
            move = Move(step, f"payout.credit-{step['to'].lower()}", payout, credit["id"])
            move.description = f"{credit['accountNumber']}: {step['description']}" if step["description"] else credit["accountNumber"]
            move.post(bank if step["to"] == "Returned" else "in-transit", -amount)
            if step["to"] == "Paid":
                move.post(bank, amount)
            elif off_merchant:
                line_type = f"payout-{step['to'].lower()}"
                move.line(merchant, line_type, amount, {}, originalReference=payout["payerReference"], **texts)
            else:
                move.post(source, amount)
            moves.append(move)
    return moves


def settlement_moves(settlement):
    if settlement["totals"] is None:
        return []
    amount = cents(settlement["totals"]["transferred"])
    merchant = settlement["merchantId"]
    bank = f"bank:{settlement['bank']['bankBICCode']}:{settlement['bank']['accountNumber']}"
    moves = []
    for step in settlement["history"]:
        if "move" not in step:
            continue
        is_transfer = step["to"] == "InTransit"
        move = Move(step, "settlement.created" if is_transfer else f"settlement.{step['to'].lower()}", settlement)
        if step["to"] == "Invoiced":
            owed = cents(settlement["totals"]["invoiced"])
            move.post(f"merchant:{merchant}", -owed)
            move.post(f"receivables:{merchant}", owed)
        elif is_transfer:
            move.post(f"merchant:{merchant}", -amount)
            move.post("in-transit", amount)
        elif step["to"] == "Paid":
            move.post("in-transit", -amount)
            move.post(bank, amount)
        else:
            move.post(bank, -amount)
            move.line(merchant, "settlement-returned", amount, {}, paymentReference="", paymentId="", channel="", originalReference=settlement["id"])
        moves.append(move)
    return moves
