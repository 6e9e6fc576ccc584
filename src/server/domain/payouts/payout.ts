import { toDecimalText } from '../../../base/money.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { EventType } from '../../../base/schema/generated/control.ts';
import type { Payout } from '../../../base/schema/generated/records.ts';
import { localJob } from '../../sessions/job.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { CREDIT_EVENTS } from '../books/ledger/record-movements.ts';
import { linesOfRecord } from '../books/ledger/settlement-lines.ts';
import { addToOpenSettlement } from '../books/settlements/settlements.ts';
import { applyTransition, type Cause, CREDIT_TRANSITIONS, causeOf, enterState } from '../payments/transitions.ts';
import { reasonFor } from './credit-plan.ts';
import { type Credit, type CreditOutcome, creditTotals, dueCredits, dueOfCredits, stateOfPayout } from './credits.ts';

export function factsOf({ payerReference: reference, total, currency }: Payout) {
  return { reference, amount: toDecimalText(total), currency };
}

/** A chosen outcome of a credit. The default description of a code is its reason in the fixture. */
export interface CreditChoice<Outcome extends CreditOutcome = CreditOutcome> {
  outcome: Outcome;
  code?: string | undefined;
  description?: string | undefined;
}

/** Numbers of credits start at 1. */
interface CreditChange {
  number: number;
  outcome: CreditOutcome;
  code: string | null;
  description: string | null;
  cause: Cause;
  decidedBy?: string | undefined;
}

/** Decides all open credits. Throws `conflict` if no credit is open, or if they are to be Paid and nothing was debited. */
export function decidePayout(
  transaction: Transaction,
  payout: Payout,
  choice: CreditChoice<'Paid' | 'Failed'>,
): Payout {
  const { outcome } = choice;
  const reason = reasonFor(transaction.fixtures, outcome, choice);
  const changes = payout.credits.flatMap(({ state }, index) =>
    state === 'Processing' ? [{ number: index + 1, outcome, cause: 'control' as const, ...reason }] : [],
  );
  if (changes.length === 0) {
    throw new Refusal('conflict', `${payout.id} is ${payout.state}: none of its credits is Processing any more`);
  }
  return changeCredits(transaction, payout, changes);
}

/** Throws `unknown-record`, or `conflict` if the transition table forbids the outcome, or if nothing was debited (except for Failed). */
export function decideCredit(
  transaction: Transaction,
  payout: Payout,
  { number, ...choice }: CreditChoice & { number: number },
): Payout {
  if (payout.credits[number - 1] === undefined) {
    const { length } = payout.credits;
    throw new Refusal('unknown-record', `${payout.id} has no credit ${number}: they are numbered from 1 to ${length}`);
  }
  const { outcome } = choice;
  const reason = reasonFor(transaction.fixtures, outcome, choice);
  return changeCredits(transaction, payout, [{ number, outcome, cause: 'control', ...reason }]);
}

export const decidePayoutJob = localJob({
  kind: 'settle-payout',
  collection: 'payouts',
  async run(transaction, payout) {
    const changes = dueCredits(payout).map(({ number, planned: { at: _, ...change } }) => {
      return { number, cause: causeOf(change.decidedBy), ...change };
    });
    changeCredits(transaction, payout, changes);
  },
  fail(transaction, payout, failure) {
    transaction.put('payouts', { ...payout, dueAt: null, failure });
  },
});

function changeCredits(transaction: Transaction, payout: Payout, changes: readonly CreditChange[]): Payout {
  const credits = [...payout.credits];
  for (const change of changes) {
    const index = change.number - 1;
    const credit = credits[index];
    if (credit) {
      credits[index] = changeCredit(transaction, payout, credit, change);
    }
  }
  // The last change caused the payout's state.
  const { cause = 'control', decidedBy } = changes.at(-1) ?? {};
  const state = stateOfPayout(credits.map((credit) => credit.state));
  const changed = { ...payout, credits, dueAt: dueOfCredits(credits) };
  const decided =
    state === payout.state
      ? changed
      : enterState(changed, { to: state, at: transaction.now, cause, decidedBy, ...reasonOfPayout(changed, state) });
  transaction.put('payouts', decided);
  addPayoutToSettlement(transaction, decided, payout);
  if (decided.state !== payout.state) {
    const { code = null, description = null } = decided.history.at(-1) ?? {};
    transaction.emit(EVENTS[decided.state], 'payouts', decided.id, { cause, ...factsOf(decided), code, description });
  }
  return decided;
}

/** Only the first move that is not in `previous` is added, because the later ones are then in the same settlement. */
export function addPayoutToSettlement(transaction: Transaction, payout: Payout, previous?: Payout): void {
  const previousLineIds = new Set(previous ? linesOfRecord('payouts', previous).map(({ id }) => id) : []);
  const [first] = linesOfRecord('payouts', payout).filter(({ id }) => !previousLineIds.has(id));
  if (first) {
    addToOpenSettlement(transaction, 'payouts', payout, first.move);
  }
}

const EVENTS: Readonly<Record<Payout['state'], EventType>> = {
  Processing: 'payout.created',
  Paid: 'payout.paid',
  Failed: 'payout.failed',
  PartlyPaid: 'payout.partly-paid',
};

function changeCredit(
  transaction: Transaction,
  payout: Payout,
  credit: Credit,
  { number, outcome, cause, decidedBy, code, description }: CreditChange,
): Credit {
  const name = `credit ${number} of ${payout.id}`;
  if (payout.unfunded && outcome !== 'Failed') {
    throw new Refusal(
      'conflict',
      `${name} cannot become ${outcome}: nothing was debited for it, because the merchant's balance was too low`,
    );
  }
  const move = payout.unfunded ? undefined : transaction.next('move');
  const change = { to: outcome, at: transaction.now, cause, decidedBy, code, description, move };
  const changed = applyTransition(CREDIT_TRANSITIONS, name, credit, change);
  transaction.emit(CREDIT_EVENTS[outcome], 'payouts', payout.id, {
    cause,
    number,
    of: payout.credits.length,
    reference: payout.payerReference,
    amount: toDecimalText(credit.amount),
    currency: payout.currency,
    merchantId: credit.merchantId,
    bankBICCode: credit.bankBICCode,
    accountNumber: credit.accountNumber,
    code,
    description,
  });
  // The rest of the plan only applies if this outcome was the planned one, whatever caused it.
  const [next, ...laterOutcomes] = credit.plannedOutcomes;
  return { ...changed, plannedOutcomes: next?.outcome === outcome ? laterOutcomes : [] };
}

/** The reason for a payout's state: the one that all its credits share or, if only some were paid, the paid amount. */
function reasonOfPayout({ credits, total, currency }: Payout, state: Payout['state']) {
  if (state === 'PartlyPaid') {
    const { Paid: paid } = creditTotals(credits);
    const amounts = `${toDecimalText(paid.amount)} of ${toDecimalText(total)} ${currency}`;
    return { code: null, description: `${paid.credits} of ${credits.length} credits paid, ${amounts}` };
  }
  const [{ code = null, description = null } = {}, ...others] = credits.flatMap(({ history }) => history.slice(-1));
  const isShared = others.every((step) => step.code === code && step.description === description);
  return isShared ? { code, description } : { code: null, description: null };
}
