import { toDecimalText } from '../../../base/money.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { plural } from '../../../base/text/plural.ts';
import { inWords, lengthInWords } from '../../../base/text/words.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { ADJUSTMENT_EVENTS } from '../books/ledger/payment-movements.ts';
import { remainderOf } from '../payments/adjustments.ts';
import { causeOf } from '../payments/transitions.ts';
import { causeInWords } from './cause-in-words.ts';
import type { Clause } from './sentence.ts';
import type { Story, StoryContext } from './story.ts';
import { entryOfChange, moneyOf, plannedEntry, type RecordEvents, reasonOf, type StoryEntry } from './story-entry.ts';

type Change = Payment['history'][number];
type Adjustments = NonNullable<Payment['adjustments']>;

const PLANNED_TITLES = {
  Paid: 'Will be paid',
  Failed: 'Will fail',
  Cancelled: 'Will be cancelled',
  Expired: 'Will expire',
} as const;

export function storyOfPayment(payment: Payment, { calls, events }: StoryContext, fixtures: Fixtures): Story {
  const rule = ruleOf(payment, calls);
  const { history, adjustments = [], state, dueAt } = payment;
  // Adjustments are the last steps of the history.
  const decisionCount = history.length - adjustments.length;
  const isOpen = state === 'Processing';
  return {
    changes: [
      ...history.slice(0, decisionCount).map((change) => entryOfDecision(payment, change, events)),
      ...history
        .slice(decisionCount)
        .flatMap((_, index) => entryOfAdjustment(payment, adjustments.slice(0, index + 1), events, rule)),
    ],
    otherEntries: wrongPinEntries(events),
    plannedEntries:
      dueAt === null ? [] : isOpen ? plannedEntriesOfOpen(payment) : plannedEntriesOfDecided(payment, rule),
    ...(isOpen ? { state: waitingClause(payment, fixtures) } : {}),
    rule,
    isNotified: !isOpen,
  };
}

/** The scenario's rule that acted on a payment, as `rule 1 of declined`, because adjustments and notifications do not record it. */
function ruleOf(
  { id, history, plannedOutcome, lateOutcome }: Payment,
  calls: StoryContext['calls'],
): string | undefined {
  const deciders = [...history, plannedOutcome, lateOutcome].map((each) => each?.decidedBy);
  const call = calls.find(({ records }) => records.some((each) => each.collection === 'payments' && each.id === id));
  return [...deciders, call?.outcome].map((text) => /^rule \d+ of [^,]+/.exec(text ?? '')?.[0]).find(Boolean);
}

function entryOfDecision(payment: Payment, change: Change, events: RecordEvents): StoryEntry {
  const kind = change.from === null ? 'payment.created' : `payment.${change.to.toLowerCase()}`;
  const entry = entryOfChange(kind, change, events, textOfChange(payment, change));
  return { ...entry, cause: detailedCause(payment, change) ?? entry.cause };
}

function textOfChange({ testCard, amount, currency }: Payment, change: Change): string {
  const { from, to, cause } = change;
  if (from === null) {
    return moneyOf(amount, currency);
  }
  const earlierState = from === 'Failed' || from === 'Expired' ? `it had ${from.toLowerCase()} before` : '';
  const reason = to === 'Paid' ? '' : reasonOf(change);
  const card = cause === 'payer' && testCard !== undefined ? `test card “${testCard}”` : '';
  return [earlierState, reason, card].filter((each) => each !== '').join(', ');
}

/** The cause of a change, if the payment has more details of it than its history. */
function detailedCause(
  { origin, originId, createdAt, expiresAt }: Payment,
  { to, cause, decidedBy }: Change,
): StoryEntry['cause'] {
  if (to === 'Expired' && cause === 'clock' && expiresAt !== null) {
    return { kind: cause, words: `because nobody paid within ${lengthInWords(expiresAt - createdAt)}` };
  }
  const isRecurring = origin === 'recurring' && originId !== null && cause === 'scenario' && decidedBy === undefined;
  return isRecurring
    ? { kind: cause, words: `by recurring payment ${originId}`, collection: 'recurringPayments', id: originId }
    : undefined;
}

/** The entry of the last of these adjustments. The others are needed for its remainder. */
function entryOfAdjustment(
  payment: Payment,
  adjustments: Adjustments,
  events: RecordEvents,
  rule: string | undefined,
): StoryEntry[] {
  const { amount: total, currency } = payment;
  return adjustments.slice(-1).map(({ kind, at, amount, cause, code, description }) => {
    const type = ADJUSTMENT_EVENTS[kind];
    const remainder = remainderOf({ ...payment, adjustments }).left.amount;
    const partText = amount === total ? '' : `${groupDigits(toDecimalText(amount))} of `;
    const stateText = kind === 'chargeback-reversed' ? 'is paid again' : 'remains paid';
    const remainderText = remainder === 0 ? 'nothing remains paid' : `${moneyOf(remainder, currency)} ${stateText}`;
    const change = {
      at,
      from: '',
      to: type.replace(/^\w+\./, ''),
      cause,
      ...(rule && cause === 'scenario' ? { decidedBy: rule } : {}),
    };
    const reason = reasonOf({ description, code });
    const reasonText = reason === '' ? '' : `, described as “${reason}”`;
    return entryOfChange(type, change, events, `${partText}${moneyOf(total, currency)}${reasonText}; ${remainderText}`);
  });
}

function wrongPinEntries(events: RecordEvents): StoryEntry[] {
  return events.unassigned
    .filter(({ type }) => type === 'payment.wrong-pin')
    .map(({ id, at, type, data }) => ({
      at,
      order: id,
      eventId: id,
      kind: type,
      title: 'Wrong PIN',
      words: `try ${String(data['failedTries'])}`,
      cause: causeInWords('payer'),
    }));
}

function plannedEntriesOfOpen({ plannedOutcome: plan, expiresAt }: Payment): StoryEntry[] {
  const isPlanFirst = plan !== null && (expiresAt === null || plan.at <= expiresAt);
  const title = isPlanFirst ? 'Would expire' : PLANNED_TITLES.Expired;
  return [
    ...(isPlanFirst ? [entryOfPlan(plan)] : []),
    ...(expiresAt === null || plan?.at === expiresAt
      ? []
      : [plannedEntry(expiresAt, { kind: 'payment.expired', title, words: '' })]),
  ];
}

function plannedEntriesOfDecided(
  { plannedOutcome: plan, plannedAdjustments = [], currency }: Payment,
  rule: string | undefined,
): StoryEntry[] {
  const adjustmentEntries = plannedAdjustments.flatMap(({ kind, at, amount }) => {
    const words = amount === null ? '' : moneyOf(amount, currency);
    const facts = { kind: ADJUSTMENT_EVENTS[kind], title: inWords(kind), words };
    return at === null ? [] : [plannedEntry(at, { ...facts, cause: causeInWords('scenario', rule) })];
  });
  return [...(plan ? [entryOfPlan(plan, ' after all')] : []), ...adjustmentEntries];
}

function entryOfPlan({ at, outcome, code, decidedBy }: NonNullable<Payment['plannedOutcome']>, note = ''): StoryEntry {
  const cause = causeInWords(causeOf(decidedBy), decidedBy);
  const kind = `payment.${outcome.toLowerCase()}`;
  return plannedEntry(at, { kind, title: `${PLANNED_TITLES[outcome]}${note}`, words: code ?? '', cause });
}

/** The action of the payer that an open payment waits for; empty if no payer is asked. */
function waitingClause(payment: Payment, fixtures: Fixtures): Clause {
  const { failedTries, origin, testMode } = payment;
  if (origin === 'recurring' || testMode) {
    return [];
  }
  const afterTries = failedTries === 0 ? '' : `, after ${plural(failedTries, 'wrong PIN')}`;
  return [`Waiting for the payer to ${payerActionOf(payment, fixtures)}${afterTries}`];
}

function payerActionOf({ channel, paymentCode, payerMobile }: Payment, fixtures: Fixtures): string {
  if (paymentCode !== null) {
    return 'scan the QR code';
  }
  const flow = fixtures.channel(channel)?.flow;
  if (flow === 'pin-prompt') {
    return `enter the PIN on phone ${payerMobile ?? ''}`;
  }
  return flow === 'redirect' ? 'enter a card' : "decide on the payer's page";
}
