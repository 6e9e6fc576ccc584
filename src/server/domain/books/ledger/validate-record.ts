import { type MinorUnits, toDecimalText } from '../../../../base/money.ts';
import type { Payment, Payout, Settlement } from '../../../../base/schema/generated/records.ts';
import type { AccountTotals } from './account-balances.ts';
import { ACCOUNTS, FEE_KINDS, sumOfFees } from './accounts.ts';
import { type AdjustmentAmounts, adjustmentAmounts } from './adjustment-amounts.ts';
import { type BookDifference, verify } from './difference.ts';
import { type BookedCollection, type BookedRecords, debitedAccount } from './record-movements.ts';
import { sharesOf } from './shares.ts';
import type { SettlementTotals } from './totals.ts';

const CHECKS: { [Name in BookedCollection]: (record: BookedRecords[Name]) => BookDifference[] } = {
  payments: validatePayment,
  payouts: validatePayout,
  settlements: validateSettlement,
};

/** Computed from a record's present state, for comparison with entries, which are derived from its history. */
const ACCOUNT_TOTALS: { [Name in BookedCollection]: (record: BookedRecords[Name]) => AccountTotals } = {
  payments: paymentAccountTotals,
  payouts: payoutAccountTotals,
  settlements: settlementAccountTotals,
};

export function validateRecord<Name extends BookedCollection>(
  collection: Name,
  record: BookedRecords[Name],
): BookDifference[] {
  return CHECKS[collection](record);
}

export function accountTotalsOf<Name extends BookedCollection>(
  collection: Name,
  record: BookedRecords[Name],
): AccountTotals {
  return ACCOUNT_TOTALS[collection](record);
}

/** The states of payments that were paid, except Failed after a late failure. */
const PAID_STATES: readonly Payment['state'][] = ['Paid', 'Refunded', 'Reversed', 'ChargedBack'];

/** A Failed payment with an adjustment was paid before its late failure. */
function isPaidByState({ state, adjustments = [] }: Pick<Payment, 'state' | 'adjustments'>): boolean {
  return PAID_STATES.includes(state) || adjustments.length > 0;
}

function validatePayment({
  id: subject,
  state,
  history,
  amount,
  shares,
  testMode,
  adjustments = [],
}: Payment): BookDifference[] {
  const lastState = history.at(-1)?.to;
  const moves = history.flatMap(({ move }) => move ?? []);
  const needed = isPaidByState({ state, adjustments }) && !testMode ? 1 + adjustments.length : 0;
  const sharesTotal = shares.reduce((sum, share) => sum + share.amount, 0);
  const returnedAmount = adjustments.reduce(
    (sum, { kind, amount: part }) => sum + (kind === 'chargeback-reversed' ? -part : part),
    0,
  );
  const hasExpectedState = returnedAmount < amount ? state === 'Paid' : state !== 'Paid';
  return [
    ...verify(lastState === state, subject, `a history that ends with ${state}`, String(lastState)),
    ...verify(moves.length === needed, subject, `${needed} steps with a move, as it is ${state}`, String(moves.length)),
    ...verify(
      shares.length === 0 || sharesTotal === amount,
      subject,
      `shares that add up to ${toDecimalText(amount)}`,
      toDecimalText(sharesTotal),
    ),
    ...verify(
      adjustments.every(({ move }) => move === undefined || moves.includes(move)),
      subject,
      'one step with a move per adjustment in its history',
      moves.join(', '),
    ),
    ...verify(
      returnedAmount >= 0 && returnedAmount <= amount && (adjustments.length === 0 || hasExpectedState),
      subject,
      `at most ${toDecimalText(amount)} taken back, all of it unless it is Paid`,
      toDecimalText(returnedAmount),
    ),
  ];
}

function paymentAccountTotals(payment: Payment): AccountTotals {
  const { testMode, amount, fees, channel, feesBorneBy, adjustments = [] } = payment;
  if (!isPaidByState(payment) || testMode) {
    return [];
  }
  const adjustedAmounts = adjustmentAmounts(payment);
  const returnedAmount = adjustments.reduce(
    (sum, { kind, amount: part }) => sum + (kind === 'chargeback-reversed' ? -part : part),
    0,
  );
  const chargebackFeesTotal = adjustments.reduce((sum, { kind, fee }) => sum + (kind === 'chargeback' ? fee : 0), 0);
  const feesFromPayers = feesBorneBy === 'payer' ? sumOfFees(fees) : 0;
  const feesToPayers = adjustedAmounts.reduce((sum, { payerFees }) => sum + sumOfFees(payerFees), 0);
  return [
    [ACCOUNTS.payers(channel), returnedAmount + feesToPayers - amount - feesFromPayers],
    ...FEE_KINDS.map((kind) => [ACCOUNTS.fees[kind], fees[kind] - returnedFees(adjustedAmounts, kind)] as const),
    [ACCOUNTS.fees.chargeback, chargebackFeesTotal],
    ...sharesOf(payment).map(
      (share) => [ACCOUNTS.merchant(share.merchantId), share.gross - sumOfFees(share.fees)] as const,
    ),
    ...adjustedAmounts.flatMap(({ shares, chargebackFees }) =>
      shares.map(
        ({ merchantId, gross, fees: returned }, index) =>
          [ACCOUNTS.merchant(merchantId), gross + sumOfFees(returned) - (chargebackFees[index] ?? 0)] as const,
      ),
    ),
  ];
}

function returnedFees(amounts: readonly AdjustmentAmounts[], kind: (typeof FEE_KINDS)[number]): MinorUnits {
  return amounts.reduce(
    (sum, { shares, payerFees }) => shares.reduce((total, { fees }) => total + fees[kind], sum + payerFees[kind]),
    0,
  );
}

function validatePayout({ id: subject, state, total, credits, history, unfunded }: Payout): BookDifference[] {
  const sum = credits.reduce((subtotal, { amount }) => subtotal + amount, 0);
  const hasMove = history[0]?.move !== undefined;
  const finalState = history.at(-1)?.to;
  return [
    ...verify(sum === total, subject, `credits that add up to ${toDecimalText(total)}`, toDecimalText(sum)),
    ...verify(finalState === state, subject, `a history that ends with ${state}`, String(finalState)),
    ...verify(hasMove === !unfunded, subject, 'a first step with a move, unless unfunded', String(hasMove)),
    ...verify(expectedState(credits) === state, subject, `${expectedState(credits)}, as its credits are`, state),
    ...credits.flatMap((credit, index) => {
      const name = `credit ${index + 1} of ${subject}`;
      const lastState = credit.history.at(-1)?.to ?? 'Processing';
      const moves = credit.history.filter(({ move }) => move !== undefined).length;
      const needed = unfunded ? 0 : credit.history.length;
      return [
        ...verify(lastState === credit.state, name, `a history that ends with ${credit.state}`, lastState),
        ...verify(moves === needed, name, `${needed} steps with a move`, String(moves)),
      ];
    }),
  ];
}

function expectedState(credits: Payout['credits']): Payout['state'] {
  const paidCount = credits.filter(({ state }) => state === 'Paid').length;
  const isOpen = credits.some(({ state }) => state === 'Processing');
  return isOpen ? 'Processing' : paidCount === credits.length ? 'Paid' : paidCount > 0 ? 'PartlyPaid' : 'Failed';
}

function payoutAccountTotals(payout: Payout): AccountTotals {
  const { credits, merchantId, fees, unfunded } = payout;
  if (unfunded) {
    return [];
  }
  const feeTotal = sumOfFees(fees);
  const debitedAccountName = debitedAccount(payout);
  const transfers = credits.flatMap((credit): AccountTotals => {
    const bank = ACCOUNTS.bank(credit.bankBICCode, credit.accountNumber);
    const to = { Processing: ACCOUNTS.inTransit, Paid: bank, Failed: null, Returned: null }[credit.state];
    return to === null
      ? []
      : [
          [debitedAccountName, -credit.amount],
          [to, credit.amount],
        ];
  });
  return [...transfers, [ACCOUNTS.merchant(merchantId), -feeTotal], [ACCOUNTS.fees.payout, feeTotal]];
}

/** The number of a settlement's steps with a move, by its state. */
const SETTLEMENT_MOVES: Record<Settlement['state'], number> = {
  Open: 0,
  InTransit: 1,
  Paid: 2,
  Returned: 3,
  CarriedOver: 0,
  Invoiced: 1,
};

function validateSettlement({
  id: subject,
  state,
  history,
  totals,
  firstMove,
  throughMove,
  last: lastNumbers,
}: Settlement): BookDifference[] {
  const lastState = history.at(-1)?.to ?? 'Open';
  const moves = history.filter(({ move }) => move !== undefined).length;
  const needed = SETTLEMENT_MOVES[state];
  return [
    ...verify(lastState === state, subject, `a history that ends with ${state}`, lastState),
    ...verify(moves === needed, subject, `${needed} steps with a move, as it is ${state}`, String(moves)),
    ...verify(
      state === 'Open' || (throughMove !== null && throughMove >= firstMove),
      subject,
      'a last move once it is closed',
      String(throughMove),
    ),
    ...verify((totals === null) === (state === 'Open'), subject, 'totals once it is closed', JSON.stringify(totals)),
    ...verify((lastNumbers === null) === (state === 'Open'), subject, 'last records once it is closed', state),
    ...(totals ? validateTotals(subject, totals) : []),
    ...(totals ? validateDisposition(subject, state, totals) : []),
  ];
}

function validateTotals(subject: string, totals: SettlementTotals): BookDifference[] {
  const { count, gross, fee, net, carriedIn, transferred, carriedOut, invoiced = 0, types } = totals;
  const sums = Object.values(types);
  const sumOf = (name: 'count' | 'gross' | 'fee' | 'net') => sums.reduce((sum, each) => sum + each[name], 0);
  return [
    ...verify(net === gross + fee, subject, 'a net of gross + fee', toDecimalText(net)),
    ...verify(
      carriedIn + net === transferred + carriedOut + invoiced,
      subject,
      'a difference of 0.00 between carriedIn + net and transferred + carriedOut + invoiced',
      toDecimalText(carriedIn + net - transferred - carriedOut - invoiced),
    ),
    ...verify(
      sumOf('count') === count && sumOf('gross') === gross && sumOf('fee') === fee && sumOf('net') === net,
      subject,
      'sums by type that add up to the totals',
      JSON.stringify(types),
    ),
  ];
}

/** The whole amount must be transferred, invoiced (only if negative) or carried over, as the settlement's state requires. */
function validateDisposition(subject: string, state: Settlement['state'], totals: SettlementTotals): BookDifference[] {
  const { transferred, carriedOut, invoiced = 0 } = totals;
  const count = [transferred, carriedOut, invoiced].filter((amount) => amount !== 0).length;
  const isTransferred = state === 'InTransit' || state === 'Paid' || state === 'Returned';
  const isConsistent =
    count <= 1 && invoiced <= 0 && (transferred !== 0) === isTransferred && (invoiced !== 0) === (state === 'Invoiced');
  const amounts = [transferred, carriedOut, invoiced].map(toDecimalText).join(', ');
  return verify(isConsistent, subject, `all of it transferred, carried over or invoiced, as it is ${state}`, amounts);
}

function settlementAccountTotals({ state, merchantId, bank, totals }: Settlement): AccountTotals {
  const transferred = totals?.transferred ?? 0;
  const invoiced = totals?.invoiced ?? 0;
  const creditByState = {
    Open: null,
    CarriedOver: null,
    InTransit: [ACCOUNTS.inTransit, transferred],
    Paid: [ACCOUNTS.bank(bank.bankBICCode, bank.accountNumber), transferred],
    Returned: null,
    Invoiced: [ACCOUNTS.receivables(merchantId), invoiced],
  } as const;
  const credit = creditByState[state];
  return credit === null ? [] : [[ACCOUNTS.merchant(merchantId), -credit[1]], credit];
}
