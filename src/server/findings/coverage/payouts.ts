import { namesIn } from '../../../base/members.ts';
import type { Cell, CellKey } from '../../../base/report/coverage-cells.ts';
import type { Delivery, Payout } from '../../../base/schema/generated/records.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { CREDIT_EVENTS } from '../../domain/books/ledger/record-movements.ts';
import type { CreditState } from '../../domain/payments/transitions.ts';
import { creditNotification } from '../../domain/wire/notification.ts';
import type { SessionEvent } from '../../sessions/event-log.ts';
import { toSource } from './source-code.ts';

/** Events that report the same outcome for all credits of a payout. */
const PAYOUT_EVENTS: ReadonlyMap<string, CreditState> = new Map([
  ['payout.paid', 'Paid'],
  ['payout.failed', 'Failed'],
]);

/** Every outcome of a credit, with the reasons of the fixture. A return is only reported for the credit, not for its payout. */
export function payoutOutcomeCells({ payouts: { codes, notifyCredits } }: Fixtures): Cell[] {
  const example = "await session.settlePayout(reference, 'Paid');";
  const failures = Object.keys(codes.Failed).map((code) => ({
    ...outcomeCell('Failed', code),
    try: `await session.settlePayout(reference, 'Failed', ${toSource(code)});`,
  }));
  const returns = Object.keys(codes.Returned).map((code) => ({
    ...outcomeCell('Returned', code),
    try: `${example} await session.settleCredit(reference, 1, 'Returned', ${toSource(code)});`,
  }));
  return [{ ...outcomeCell('Paid', null), try: example }, ...failures, ...(notifyCredits ? returns : [])];
}

/** The outcome of a credit in an event; undefined if the event is not about a credit. */
export function creditOutcomeCell({ type, data }: SessionEvent): CellKey | undefined {
  const outcome = outcomeOf(type);
  return outcome && outcomeCell(outcome, data['code']);
}

/** The outcome of one credit, or the shared outcome of all. Credits whose cell is not wanted are skipped. */
export function notifiedPayoutOutcomeCells(
  { type, body }: Delivery,
  payout: Payout,
  fixtures: Fixtures,
  isWanted: (cell: CellKey) => boolean,
): CellKey[] {
  const sharedOutcome = PAYOUT_EVENTS.get(type);
  if (sharedOutcome !== undefined) {
    // Only the first step from Processing, because a later failure of the payout results from returns.
    const step = payout.history.find(({ from, to }) => from === 'Processing' && to === sharedOutcome);
    return step ? [outcomeCell(sharedOutcome, step.code)] : [];
  }
  const outcome = outcomeOf(type);
  return payout.credits.flatMap((credit, index) => {
    const position = credit.history.findIndex(({ to }) => to === outcome);
    const step = credit.history[position];
    const cell = step && outcomeCell(step.to, step.code);
    if (!cell || !isWanted(cell)) {
      return [];
    }
    // A notification names its credit only in words, and the credit may have been returned since, so the bodies are compared.
    const earlierCredit = { ...credit, state: step.to, history: credit.history.slice(0, position + 1) };
    const notification = creditNotification(
      { ...payout, credits: payout.credits.with(index, earlierCredit) },
      index + 1,
      fixtures,
    );
    return JSON.stringify(notification) === body ? [cell] : [];
  });
}

function outcomeOf(type: string): CreditState | undefined {
  return namesIn(CREDIT_EVENTS).find((outcome) => CREDIT_EVENTS[outcome] === type);
}

function outcomeCell(outcome: CreditState, code: unknown): CellKey {
  return { class: 'outcomes', of: 'payouts', what: code === null ? outcome : `${outcome} ${code}` };
}
