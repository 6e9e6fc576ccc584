import type { RequestView, TimelineEntry } from '../base/schema/control.ts';
import { callInWords } from '../base/text/call-words.ts';
import { plural } from '../base/text/plural.ts';
import type { OrderState } from './adapter.ts';
import { type Deed, initiationsIn, type Observation } from './observation.ts';
import type { Subject } from './scope.ts';

export type Who = 'shop' | 'provider' | 'probe' | 'receiver' | 'check';

/** One thing that happened. */
export interface Step {
  /** By the provider's clock; null for what the shop was asked outside of it. */
  at: string | null;
  /** On whose side it is. */
  side: 'shop' | 'provider';
  /** Whose doing it is: where a receiver is examined alone, the probe pays in the place of its shop. */
  who: Who;
  /** In words that follow: "calls POST …", "sends …". */
  text: string;
}

interface Timed extends Step {
  at: string;
  /** With it a payment is decided: by then the shop was asked what it says while it waits. */
  decides: boolean;
}

/** Who asks for the money, who takes notifications, and who says what became of the order. */
const PARTIES: Readonly<Record<Subject, Readonly<Record<'payer' | 'receiver' | 'witness', Who>>>> = {
  shop: { payer: 'shop', receiver: 'shop', witness: 'shop' },
  receiver: { payer: 'probe', receiver: 'receiver', witness: 'check' },
};

/** What happened, as a history of few steps: what the shop did, and what the provider did. */
export function storyOf(observation: Observation, subject: Subject): Step[] {
  const { payer, receiver, witness } = PARTIES[subject];
  const { order, refused, before, deeds, cancelled, after, reconciled } = observation;
  const told = observation.timelines.flatMap(({ record, entries }) =>
    entries.filter(({ isAhead }) => !isAhead).map((entry) => ({ id: record.id, entry })),
  );
  const initiations = new Set(initiationsIn(observation).map(({ id }) => id));
  const callerOf = (id: string | undefined) => (initiations.has(id ?? '') ? payer : receiver);
  const steps = [
    ...told.map(({ id, entry }) => stepOf(id, entry, receiver, callerOf)),
    ...otherCalls(observation).map(
      (call): Timed => ({
        at: call.at,
        side: 'shop',
        who: callerOf(call.id),
        text: `sends ${callInWords(call)}`,
        decides: false,
      }),
    ),
  ].toSorted((one, other) => one.at.localeCompare(other.at));
  const decided = steps.findIndex(({ decides }) => decides);
  const [open, then] = decided < 0 ? [steps, []] : [steps.slice(0, decided), steps.slice(decided)];
  const what = `an order of ${order.amount} ${order.currency} on ${order.channel}`;
  return [
    step(payer, refused === undefined ? `accepts ${what}` : `refuses ${what}: ${refused}`),
    ...counted(open),
    ...said(witness, 'while the payment is open', before),
    ...done(deeds.filter((deed) => deed !== 'refund')),
    ...said(witness, 'then', cancelled),
    ...counted(then),
    ...done(deeds.filter((deed) => deed === 'refund')),
    ...said(witness, 'in the end', after),
    ...said(witness, 'after reconciliation', reconciled),
  ];
}

/** The steps as lines of text. */
export function linesOf(steps: readonly Step[]): string[] {
  return steps.map(({ at, who, text }) => `${(at ?? '').slice(0, 19).replace('T', ' ').padEnd(19)} ${who} ${text}`);
}

function stepOf(
  id: string,
  entry: TimelineEntry,
  receiver: Who,
  callerOf: (requestId: string | undefined) => Who,
): Timed {
  const { at, kind, title, words, cause, status, requestId, deliveryId } = entry;
  if (kind === 'request.answered') {
    return { at, side: 'shop', who: callerOf(requestId), text: `sends ${words}`, decides: false };
  }
  const by = { at, side: 'provider', who: 'provider' } as const;
  if (deliveryId !== undefined) {
    const what = `${deliveryId} (${title}): ${typeof status === 'number' ? `${receiver} ` : ''}${words}`;
    return { ...by, text: `${status === undefined ? 'does not send' : 'sends'} ${what}`, decides: false };
  }
  const why = [cause?.words, words].filter(Boolean).join(', ');
  return { ...by, text: `records ${id} as ${title} ${why}`, decides: DECISIONS.has(kind) };
}

const DECISIONS: ReadonlySet<string> = new Set([
  'payment.paid',
  'payment.failed',
  'payment.cancelled',
  'payment.expired',
]);

/** Calls that no payment's timeline has, such as the last ones of a shop that polls. A shop's own job may ask for all of its orders: these are no part of this one's story. */
function otherCalls(observation: Observation): RequestView[] {
  const { timelines, requests } = observation;
  const own = new Set(initiationsIn(observation).map(({ reference }) => reference));
  const told = new Set(timelines.flatMap(({ entries }) => entries.map(({ requestId }) => requestId)));
  return requests.filter(
    ({ id, operation, reference }) => !told.has(id) && (operation !== 'getPaymentStatus' || own.has(reference)),
  );
}

/** What the shop was made to do: a refund comes after all else. */
const DONE: Readonly<Record<Deed, string>> = {
  restart: 'is restarted',
  cancel: 'cancels the order',
  refund: 'refunds the payment',
};

function done(deeds: readonly Deed[]): Step[] {
  return deeds.map((deed) => step('shop', DONE[deed]));
}

function said(witness: Who, when: string, state: OrderState | undefined): Step[] {
  return state === undefined
    ? []
    : [step(witness, `says ${when}: ${state.state}, ${timesFulfilled(state)}, paid ${state.paidAmount}`)];
}

/** On the shop's side, outside of the provider's clock. */
export function step(who: Who, text: string): Step {
  return { at: null, side: 'shop', who, text };
}

function timesFulfilled({ fulfilments }: OrderState): string {
  return fulfilments === 0 ? 'not fulfilled' : `fulfilled ${fulfilments === 1 ? 'once' : plural(fulfilments, 'time')}`;
}

/** The same step again and again, as of a shop that polls, is told once. */
function counted(steps: readonly Timed[]): Step[] {
  const told: { step: Timed; times: number }[] = [];
  for (const step of steps) {
    const last = told.at(-1);
    if (last?.step.text === step.text) {
      last.times += 1;
    } else {
      told.push({ step, times: 1 });
    }
  }
  return told.map(({ step: { at, side, who, text }, times }) => ({
    at,
    side,
    who,
    text: times > 1 ? `${text}, ${times} times` : text,
  }));
}

/** A shop that asks for another amount than was ordered does so wrongly, or has prices of its own. */
export function ownPrice({ order, payments: [payment] }: Observation): string[] {
  return payment === undefined || payment.amount === order.amount
    ? []
    : [
        `  the order is ${order.amount}, but the payment is ${payment.amount}: if your shop has its own prices, use --amount ${payment.amount}`,
      ];
}
