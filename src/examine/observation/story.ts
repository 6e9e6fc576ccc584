import type { RequestView, TimelineEntry } from '../../base/schema/generated/control.ts';
import { callInWords } from '../../base/text/call-words.ts';
import { plural } from '../../base/text/plural.ts';
import type { Subject } from '../scope.ts';
import { NO_ORDER, type OrderState } from '../shop/adapter.ts';
import { initiationsIn, type Observation, type ShopAction } from './observation.ts';

export type Actor = 'shop' | 'provider' | 'browser' | 'attacker' | 'probe' | 'receiver' | 'check';

export interface Step {
  /** By the provider's clock; null for a step without such a time, such as a state that the adapter reports. */
  at: string | null;
  side: 'shop' | 'provider';
  /** If only a receiver is examined, the probe requests the payments in place of a shop. */
  who: Actor;
  /** Continues the name of the actor, such as "sends POST …". */
  text: string;
}

interface TimedStep extends Step {
  at: string;
  /** The index of the shop's last call: sorts steps with the same time, as with a frozen clock. */
  callIndex: number;
  /** Whether the step decides the payment; the state of the open order is shown before it. */
  isDecision?: boolean;
}

/** The actors that request the payment, receive notifications, and report the state of the order. */
const ACTORS: Readonly<Record<Subject, Readonly<Record<'requester' | 'receiver' | 'witness', Actor>>>> = {
  shop: { requester: 'shop', receiver: 'shop', witness: 'shop' },
  receiver: { requester: 'probe', receiver: 'receiver', witness: 'check' },
};

/** In a race, HELD replaces SLOW, because an answer is slow only while the examination holds it. */
const SLOW = 'processed, but the answer is slow';
const HELD = 'processed, but the answer is held';

const BEFORE_CALLS = -1;

export function storyOf(observation: Observation, subject: Subject): Step[] {
  const { requester, receiver, witness } = ACTORS[subject];
  const { order, refusal, actions, instruction, siblings = [] } = observation;
  // The payment of one other order may explain the case; those of many do not.
  const shownOrders = [observation, ...(siblings.length === 1 ? siblings : [])];
  const callIndexes = new Map(observation.requests.map(({ id }, index) => [id, index]));
  const timelineEntries = shownOrders
    .flatMap(({ timelines }) => timelines)
    .flatMap(({ record, entries }) => {
      let callIndex = BEFORE_CALLS;
      return entries.flatMap((entry) => {
        callIndex = callIndexes.get(entry.requestId ?? '') ?? callIndex;
        return entry.isAhead ? [] : [{ id: record.id, entry, callIndex }];
      });
    });
  const initiations = new Set(shownOrders.flatMap(initiationsIn).map(({ id }) => id));
  const callerOf = (id: string | undefined) => (initiations.has(id ?? '') ? requester : receiver);
  const examinerSteps = observation.race?.steps ?? (observation.forged ? [observation.forged.step] : []);
  const steps = [
    ...examinerSteps.map(
      ({ at, who, text }): TimedStep => ({
        at,
        callIndex: BEFORE_CALLS,
        side: who === 'provider' ? who : 'shop',
        who,
        text,
      }),
    ),
    ...timelineEntries.map(({ id, entry, callIndex }) => ({
      ...stepOf(id, entry, receiver, callerOf, observation.race !== undefined),
      callIndex,
    })),
    ...otherCalls(observation).map(
      (call): TimedStep => ({
        at: call.at,
        callIndex: callIndexes.get(call.id) ?? BEFORE_CALLS,
        side: 'shop',
        who: callerOf(call.id),
        text: `sends ${callInWords(call)}`,
      }),
    ),
  ]
    .map((each) => (observation.race ? { ...each, text: each.text.replace(SLOW, HELD) } : each))
    .toSorted((one, other) => one.at.localeCompare(other.at) || one.callIndex - other.callIndex);
  const decision = steps.findIndex(({ isDecision }) => isDecision);
  const [stepsBefore, stepsAfter] = decision < 0 ? [steps, []] : [steps.slice(0, decision), steps.slice(decision)];
  const amount = `${order.amount} ${order.currency}`;
  const request = instruction
    ? `a ${instruction.call === 'payOut' ? 'payout' : 'recurring payment'} of ${amount}`
    : `an order of ${amount} on ${order.channel}`;
  return [
    step(requester, refusal === undefined ? `accepts ${request}` : `refuses ${request}: ${refusal}`),
    ...(siblings.length > 0 ? [step(requester, `accepts ${plural(siblings.length, 'other order')} like it`)] : []),
    ...mergeRepeats(stepsBefore),
    ...stateSteps(witness, 'while the payment is open', observation.openState),
    ...actionSteps(actions.filter((action) => !AFTERWARDS.has(action))),
    ...stateSteps(witness, 'then', observation.cancelledState),
    ...mergeRepeats(stepsAfter),
    ...actionSteps(actions.filter((action) => AFTERWARDS.has(action))),
    ...(siblings.length === 1 ? stateSteps(witness, 'of the other order in the end', siblings[0]?.finalState) : []),
    ...stateSteps(witness, 'in the end', observation.finalState),
    ...stateSteps(witness, 'after reconciliation', observation.reconciledState),
  ];
}

export function linesOf(steps: readonly Step[]): string[] {
  return steps.map(({ at, who, text }) => `${(at ?? '').slice(0, 19).replace('T', ' ').padEnd(19)} ${who} ${text}`);
}

function stepOf(
  id: string,
  entry: TimelineEntry,
  receiver: Actor,
  callerOf: (requestId: string | undefined) => Actor,
  isRace: boolean,
): Omit<TimedStep, 'callIndex'> {
  const { at, kind, title, words, cause, status, requestId, deliveryId } = entry;
  if (kind === 'request.answered') {
    return { at, side: 'shop', who: callerOf(requestId), text: `sends ${words}` };
  }
  const by = { at, side: 'provider', who: 'provider' } as const;
  if (deliveryId !== undefined) {
    const what = `${deliveryId} (${title}): ${typeof status === 'number' ? `${receiver} ` : ''}${words}`;
    return { ...by, text: `${status === undefined ? 'does not send' : 'sends'} ${what}` };
  }
  // In a race, the examination decides for the payer.
  const why = [isRace && cause?.kind === 'control' ? '' : cause?.words, words].filter(Boolean).join(', ');
  return { ...by, text: `records ${id} as ${title} ${why}`.trimEnd(), isDecision: DECISIONS.has(kind) };
}

const DECISIONS: ReadonlySet<string> = new Set([
  'payment.paid',
  'payment.failed',
  'payment.cancelled',
  'payment.expired',
]);

/** Calls in no payment's timeline, such as the last ones of a shop that polls; status queries for other orders are omitted. */
function otherCalls(observation: Observation): RequestView[] {
  const { timelines, requests } = observation;
  const ownReferences = new Set(initiationsIn(observation).map(({ reference }) => reference));
  const knownIds = new Set(timelines.flatMap(({ entries }) => entries.map(({ requestId }) => requestId)));
  return requests.filter(
    ({ id, operation, reference }) =>
      !knownIds.has(id) && (operation !== 'getPaymentStatus' || ownReferences.has(reference)),
  );
}

const ACTION_WORDS: Readonly<Record<ShopAction, string>> = {
  restart: 'is restarted',
  cancel: 'cancels the order',
  refund: 'refunds the payment',
  backdate: 'backdates the order by 90 minutes',
};

const AFTERWARDS: ReadonlySet<ShopAction> = new Set(['refund', 'backdate']);

function actionSteps(actions: readonly ShopAction[]): Step[] {
  return actions.map((action) => step('shop', ACTION_WORDS[action]));
}

function stateSteps(witness: Actor, when: string, state: OrderState | undefined): Step[] {
  return state === undefined ? [] : [step(witness, `says ${when}: ${describeState(state)}`)];
}

function describeState(state: OrderState): string {
  return state.state === NO_ORDER.state
    ? 'there is no such order'
    : `${state.state}, ${describeFulfilments(state)}, paid ${state.paidAmount}`;
}

/** A step on the shop's side, which has no time by the provider's clock. */
export function step(who: Actor, text: string): Step {
  return { at: null, side: 'shop', who, text };
}

function describeFulfilments({ fulfilments }: OrderState): string {
  return fulfilments === 0 ? 'not fulfilled' : `fulfilled ${fulfilments === 1 ? 'once' : plural(fulfilments, 'time')}`;
}

/** Merges repeated steps and pairs of steps, such as those of a shop that polls or of a notification that is refused each time. */
function mergeRepeats(steps: readonly TimedStep[]): Step[] {
  const plain = steps.map(({ at, side, who, text }) => ({ at, side, who, text }));
  return mergeGroups(mergeGroups(plain, 1), 2);
}

/** Keeps the first of consecutive equal groups of steps, and appends their number. */
function mergeGroups(steps: readonly Step[], size: 1 | 2): Step[] {
  const textOf = (from: number) => JSON.stringify(steps.slice(from, from + size).map(({ text }) => text));
  const result: Step[] = [];
  for (let index = 0; index < steps.length; ) {
    let times = 1;
    while (index + (times + 1) * size <= steps.length && textOf(index + times * size) === textOf(index)) {
      times += 1;
    }
    const group = steps.slice(index, index + (times > 1 ? size : 1));
    const count = times === 1 ? '' : size === 1 ? `, ${times} times` : `; both ${times} times`;
    const end = group.length - 1;
    result.push(...group.map((each, position) => (position === end ? { ...each, text: each.text + count } : each)));
    index += times > 1 ? times * size : 1;
  }
  return result;
}

/** A note for a shop that requests another amount than was ordered: it is wrong, or sets its own prices. */
export function priceNotes({ order, payments: [payment] }: Observation): string[] {
  return payment === undefined || payment.amount === order.amount
    ? []
    : [
        `  the order is ${order.amount}, but the payment is ${payment.amount}: if your shop has its own prices, use --amount ${payment.amount}`,
      ];
}
