import { plural } from '../base/text/plural.ts';
import type { OrderState } from './adapter.ts';
import { type Deed, INITIATIONS, initiationsIn, type Observation } from './observation.ts';
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
  /** At one moment of the clock: the calls for money, what becomes of the payment, its notification, and what the shop asks then. */
  order: number;
  /** With it a payment is decided: by then the shop was asked what it says while it waits. */
  decides?: boolean;
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
  const steps: readonly Timed[] = [
    ...callsIn(observation, payer, receiver),
    ...paymentsIn(observation),
    ...notificationsIn(observation, receiver),
  ].toSorted((one, other) => one.at.localeCompare(other.at) || one.order - other.order);
  const decided = steps.findIndex(({ decides }) => decides === true);
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

function callsIn(observation: Observation, payer: Who, receiver: Who): Timed[] {
  const own = new Set(initiationsIn(observation).map(({ reference }) => reference));
  return observation.requests.flatMap(({ at, operation, method, path, reference, answer, fault }, index) => {
    // A shop's own job may ask for all of its orders: these are no part of this one's story.
    if (operation === 'getPaymentStatus' && !own.has(reference)) {
      return [];
    }
    const what = fault === null ? answered(answer?.status) : disturbed(fault);
    const rest = `${reference === null ? '' : ` for ${reference}`}: ${what}`;
    const order = orderOf(index, observation);
    const who = operation !== null && INITIATIONS.has(operation) ? payer : receiver;
    return [{ at, side: 'shop' as const, who, order, text: `sends ${method} ${path}${rest}` }];
  });
}

/** A call comes before what it makes, one by one; what is asked after the last call for money of a moment comes at its end. */
function orderOf(index: number, { requests }: Observation): number {
  const isBeforeCall = requests
    .slice(index)
    .some(({ at, operation }) => at === requests[index]?.at && operation !== null && INITIATIONS.has(operation));
  return isBeforeCall ? index - requests.length : 3;
}

const answered = (status: number | undefined) => (status === undefined ? 'no answer' : `answered ${status}`);

/** What faults do to a call, by the first word of what the request log says of them. */
const EFFECTS: Readonly<Record<string, string>> = {
  reset: 'the connection is reset',
  timeout: 'no answer arrives',
  'empty-body': 'the answer is empty',
  'malformed-body': 'the answer is malformed',
  latency: 'the answer is slow',
};

function disturbed(fault: string): string {
  const [kind = '', status] = fault.split(' ');
  const effect = kind === 'status' ? `answered ${status}` : (EFFECTS[kind] ?? fault);
  return `${fault.includes(' after the call') ? 'processed, but' : 'not processed, and'} ${effect}`;
}

function paymentsIn(observation: Observation): Timed[] {
  const { payments, requests } = observation;
  return payments.flatMap(({ id, amount, currency, history }) => {
    const call = requests.findIndex(({ records }) => records.some((made) => made.id === id));
    return history.map(({ at, to }, index) => ({
      at,
      side: 'provider' as const,
      who: 'provider' as const,
      order: index === 0 && call >= 0 ? orderOf(call, observation) + 0.5 : 1,
      decides: to !== 'Processing',
      text: `records ${id}${index === 0 ? ` of ${amount} ${currency}` : ''} as ${to}`,
    }));
  });
}

/** What changes a notification on its way, in words. */
const CHANGED: Readonly<Record<string, string>> = { tampered: ', altered in transit' };

function notificationsIn({ deliveries }: Observation, receiver: Who): Timed[] {
  return deliveries.flatMap(({ id, type, forgery, attempts, state, createdAt, webhookBehaviour: { mode } }) => {
    const by = { side: 'provider', who: 'provider' } as const;
    const what = `${id}, ${type}${forgery === undefined ? (CHANGED[mode] ?? '') : `, forged (${forgery})`}`;
    return attempts.length === 0
      ? [{ at: createdAt, ...by, order: 2, text: `does not send ${what}: ${state}` }]
      : attempts.map(({ at, status, error }) => ({
          at,
          ...by,
          order: 2,
          text: `sends ${what}: ${status === null ? error : `${receiver} answers ${status}`}`,
        }));
  });
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
