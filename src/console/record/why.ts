import type { DeliveryView, PaymentView, RequestView } from '../../base/schema/control.ts';
import { grouped } from '../../base/text/grouped.ts';
import { plural } from '../../base/text/plural.ts';
import { lengthOf } from '../../base/text/words.ts';
import { ADJUSTMENTS, COMING } from './adjustment-words.ts';
import { channelName } from './channels.ts';
import { asSaidBy, type Part, sentences } from './part.ts';
import { type Told, toldOf } from './told.ts';

/** What a payment's sentence is made of. */
export interface Known {
  payment: PaymentView;
  /** The newest notifications about it. */
  deliveries: readonly DeliveryView[];
  /** There are older ones. */
  hasMoreDeliveries: boolean;
  /** The call that made it, where one did and is still in the log. */
  call: RequestView | undefined;
  /** By the session's clock, in milliseconds. */
  now: number;
}

type Change = PaymentView['history'][number];

/** Why a payment is as it is, who was told, and what comes next. */
export function whyOf(known: Known): Part[] {
  const { payment } = known;
  return sentences([
    payment.state === 'Processing' ? waiting(known) : because(known),
    forged(known),
    toldOfPayment(known)?.clause ?? [],
    coming(known),
    payment.failure === undefined ? [] : ['The sandbox itself failed: ', { text: payment.failure.reason }],
  ]);
}

/** How it was settled, last, whatever happened to it afterwards. */
export function settlementOf({ history, adjustments = [] }: PaymentView): Change | undefined {
  return history.slice(0, history.length - adjustments.length).at(-1);
}

/** What became of the notifications of the last change; undefined while nothing changed. */
export function toldOfPayment({ payment, deliveries, hasMoreDeliveries, call, now }: Known): Told | undefined {
  const { state, history, adjustments = [] } = payment;
  const change = history.at(-1);
  if (state === 'Processing' || change === undefined) {
    return undefined;
  }
  const adjustment = adjustments.at(-1);
  const type = adjustment === undefined ? `payment.${change.to.toLowerCase()}` : ADJUSTMENTS[adjustment.kind].event;
  const about = deliveries.filter(
    (each) => each.type === type && each.createdAt === change.at && each.forgery === undefined && !each.isTest,
  );
  const rule = ruleOf(payment, call);
  return toldOf(about, { type, now, rule, hasMore: hasMoreDeliveries && about.length === deliveries.length });
}

/** The one rule of a scenario that acted on it, as `rule 1 of declined`. */
function ruleOf(
  { history, plannedOutcome, lateOutcome }: PaymentView,
  call: RequestView | undefined,
): string | undefined {
  const decided = [...history, plannedOutcome, lateOutcome].map((each) => each?.decidedBy);
  return [...decided, call?.outcome ?? undefined]
    .map((text) => /^rule \d+ of [^,]+/.exec(text ?? '')?.[0])
    .find(Boolean);
}

function waiting({ payment, now }: Known): Part[] {
  const { plannedOutcome, expiresAt, failedTries } = payment;
  if (plannedOutcome !== null && (expiresAt === null || plannedOutcome.at <= expiresAt)) {
    const { outcome, at, code, decidedBy } = plannedOutcome;
    const isAsked = payment.origin !== 'recurring' && payment.testMode === undefined;
    return [
      COMING[outcome] ?? outcome,
      ...(code === null ? [] : [' with ', { text: code }]),
      ` in ${lengthOf(Date.parse(at) - now)}`,
      ...asSaidBy(decidedBy),
      isAsked ? ', unless the payer decides first' : '',
    ];
  }
  return [
    'Waiting for the payer to ',
    ...actOf(payment),
    failedTries === 0 ? '' : `, after ${plural(failedTries, 'wrong PIN')}`,
    expiresAt === null ? '' : `; expires in ${lengthOf(Date.parse(expiresAt) - now)}`,
  ];
}

/** What a payer does who pays. */
function actOf({ channel, paymentCode, payerMobile }: PaymentView): Part[] {
  if (paymentCode !== null) {
    return ['scan the QR code'];
  }
  if (channel === 'mobile-money') {
    return ['enter the PIN on phone ', { text: payerMobile ?? '' }];
  }
  return [channel.startsWith('card-') ? 'enter a card' : "decide on the payer's page"];
}

function because({ payment, call }: Known): Part[] {
  return (payment.adjustments ?? []).length > 0 ? adjusted(payment, call) : settled(payment);
}

const BY_HAND: Readonly<Record<string, string>> = {
  Paid: 'Marked as paid by hand',
  Failed: 'Marked as failed by hand',
  Cancelled: 'Marked as cancelled by hand',
  Expired: 'Marked as expired by hand',
};

function settled(payment: PaymentView): Part[] {
  const change = settlementOf(payment);
  if (change === undefined) {
    return [];
  }
  const { to, from, cause, code, description, decidedBy } = change;
  const { testCard } = payment;
  return [
    ...(cause === 'control' ? [BY_HAND[to] ?? to] : leadOf(payment, change)),
    from === 'Failed' || from === 'Expired' ? ` after all, though it had ${from.toLowerCase()}` : '',
    ...(to === 'Paid' || description === null ? [] : [': ', { text: description }]),
    ...(to === 'Paid' || code === null ? [] : [' (', { text: code }, ')']),
    ...(cause === 'payer' && testCard !== undefined ? [', with test card “', { text: testCard }, '”'] : []),
    ...asSaidBy(decidedBy),
  ];
}

/** What became of it where nobody decided by hand. */
function leadOf({ origin, originId, channel, createdAt, expiresAt }: PaymentView, change: Change): Part[] {
  const { to, cause, decidedBy } = change;
  switch (to) {
    case 'Paid':
      return origin === 'recurring' && originId !== null && decidedBy === undefined
        ? ['Charged by ', { text: `recurring payment ${originId}`, screen: 'recurring', id: originId }]
        : [cause === 'payer' ? 'Paid by the payer' : 'Paid'];
    case 'Failed':
      return [`Declined by ${inSentence(channelName(channel))}`];
    case 'Expired':
      return cause === 'clock' && expiresAt !== null
        ? [`Nobody paid within ${lengthOf(Date.parse(expiresAt) - Date.parse(createdAt))}`]
        : ['Expired'];
    default:
      return [to];
  }
}

function adjusted(payment: PaymentView, call: RequestView | undefined): Part[] {
  const { adjustments = [], amount: whole, currency, left = '0.00' } = payment;
  const last = adjustments.at(-1);
  if (last === undefined) {
    return [];
  }
  const { kind, amount, cause, code, description } = last;
  const part = amount === whole ? grouped(whole) : `${grouped(amount)} of ${grouped(whole)}`;
  return [
    description === null ? ADJUSTMENTS[kind].done : { text: description },
    ...(code === null ? [] : [' (', { text: code }, ')']),
    `: ${part} ${currency}, ${Number(left) === 0 ? 'nothing' : `${grouped(left)} ${currency}`} left`,
    ...(cause === 'control' ? ['; done by hand'] : asSaidBy(ruleOf(payment, call))),
  ];
}

/** What a scenario makes forged notifications say of a payment that nobody paid yet. */
function forged({ payment, deliveries, hasMoreDeliveries, call }: Known): Part[] {
  const [first, ...others] = deliveries.filter(({ forgery }) => forgery !== undefined);
  if (first === undefined || hasMoreDeliveries) {
    return [];
  }
  const count = others.length + 1;
  return [
    { text: plural(count, 'forged notification'), screen: 'deliveries', id: first.id },
    ` ${count === 1 ? 'says' : 'say'} that it was paid`,
    ...asSaidBy(ruleOf(payment, call)),
  ];
}

/** What the scenario lets happen next, to what was settled. */
function coming({ payment, call, now }: Known): Part[] {
  const { state, plannedOutcome, plannedAdjustments = [] } = payment;
  if (state !== 'Processing' && plannedOutcome !== null) {
    const { outcome, at, decidedBy } = plannedOutcome;
    return [
      `It ${lowered(COMING[outcome] ?? outcome)} after all in ${lengthOf(Date.parse(at) - now)}`,
      ...asSaidBy(decidedBy),
    ];
  }
  const [next] = plannedAdjustments;
  return next === undefined || next.at === null
    ? []
    : [
        `It ${lowered(ADJUSTMENTS[next.kind].coming)} in ${lengthOf(Date.parse(next.at) - now)}`,
        ...asSaidBy(ruleOf(payment, call)),
      ];
}

/** A name within a sentence: card network A, but QR wallet. */
function inSentence(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? lowered(name) : name;
}

function lowered(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}
