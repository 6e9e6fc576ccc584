import { messageOf } from '../../base/errors.ts';
import { caseOf } from '../cases/case.ts';
import type { OrderInput, OrderState } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { SITUATIONS } from '../situations/situations.ts';
import type { Observation } from './observation.ts';
import { observe, reconcile } from './observe.ts';

/** Facts about a shop, learnt from orders with a known outcome: names of states and times, but not counts or amounts. */
export interface Calibration {
  /** The shop's words for orders that wait, that are paid, and that are given up. */
  words: Learnt;
  /** Channels that the shop sells by. */
  channels: string[];
  /** The problems on the other channels. */
  problems: ReadonlyMap<string, Problem>;
  /** The last observation on each channel. */
  seen: ReadonlyMap<string, Observation>;
}

interface Learnt {
  open: Set<string>;
  paid: Set<string>;
  givenUp: Set<string>;
}

/** Why an order without faults did not succeed. */
export interface Problem {
  /** The shop or its adapter failed; or the shop does not sell by the channel; or it did not keep its promise. */
  kind: 'failed' | 'not-sold' | 'not-fulfilled';
  words: string;
}

/** How long an order is waited for, in milliseconds, before it counts as not fulfilled. */
const PATIENCE = [400, 1500, 5000];

/** Sells one order on each channel, on a good day. */
export async function calibrate(
  channels: readonly string[],
  orderBy: (channel: string) => OrderInput,
  target: ExaminedShop,
): Promise<Calibration> {
  const words: Learnt = { open: new Set(), paid: new Set(), givenUp: new Set() };
  const calibration = { words, channels: [] as string[] };
  const problems = new Map<string, Problem>();
  const seen = new Map<string, Observation>();
  for (const channel of channels) {
    const problem = await sell(
      () => orderBy(channel),
      target,
      (last) => seen.set(channel, last),
      calibration.words,
    );
    if (problem === undefined) {
      calibration.channels.push(channel);
    } else {
      problems.set(channel, problem);
    }
  }
  target.patience.learn();
  const [first] = calibration.channels;
  if (first !== undefined && target.adapter.orderState) {
    await giveUp(() => orderBy(first), target, words);
  }
  return { ...calibration, problems, seen };
}

/** Resolves with the problem; undefined if the order succeeded. */
async function sell(
  order: () => OrderInput,
  target: ExaminedShop,
  onSeen: (last: Observation) => void,
  words: Learnt,
): Promise<Problem | undefined> {
  let problem: Problem | undefined;
  for (const quietMs of PATIENCE) {
    target.patience.expect(quietMs);
    let seen: Observation;
    try {
      seen = await observe(caseOf([]), order(), target);
    } catch (error) {
      return { kind: 'failed', words: messageOf(error) };
    }
    onSeen(seen);
    const then = seen.after?.fulfilments === 0 ? await reconcile(seen, target) : undefined;
    if (then) {
      onSeen(then);
    }
    const state = then?.reconciled ?? seen.after;
    if (hasComeThrough(seen, state, target)) {
      if (state) {
        words.paid.add(state.state);
      }
      if (seen.before) {
        words.open.add(seen.before.state);
      }
      return undefined;
    }
    problem = { kind: kindOf(seen), words: whyNothing(seen) };
    if (problem.kind !== 'not-fulfilled') {
      return problem;
    }
  }
  return problem;
}

/** Where no order can be seen, an acknowledged notification is all that there is. */
function hasComeThrough(
  { payments, deliveries }: Observation,
  state: OrderState | undefined,
  { adapter }: ExaminedShop,
): boolean {
  const isDone = adapter.orderState
    ? (state?.fulfilments ?? 0) > 0
    : deliveries.some(({ state: ended }) => ended === 'delivered');
  return isDone && payments.length > 0;
}

/** Endings without money. */
const WITHOUT_MONEY = ['failed', 'cancelled', 'expired'];

/** Learns the shop's name for the state of an unpaid order. */
async function giveUp(order: () => OrderInput, target: ExaminedShop, { open, paid, givenUp }: Learnt) {
  for (const outcome of SITUATIONS.filter(({ id }) => WITHOUT_MONEY.includes(id))) {
    // Problems are judged later, in the situation of an unpaid order.
    const seen = await observe(caseOf([outcome]), order(), target).catch(() => undefined);
    const then = seen && ((await reconcile(seen, target))?.reconciled ?? seen.after);
    if (then && then.fulfilments === 0 && !open.has(then.state) && !paid.has(then.state)) {
      givenUp.add(then.state);
    }
  }
}

function kindOf({ payments, requests }: Observation): Problem['kind'] {
  if (payments.length > 0) {
    return 'not-fulfilled';
  }
  return requests.length > 0 ? 'failed' : 'not-sold';
}

/** The missing part of an order without faults. */
function whyNothing({ refused, payments, requests, deliveries, after }: Observation): string {
  if (payments.length === 0) {
    const last = requests.at(-1);
    const why = last
      ? `its last request, ${last.method} ${last.path}, was answered: ${last.reason ?? last.outcome}`
      : 'it sent no request (if --command starts the shop, PAYMENTS_URL is the address to use)';
    return `the shop ${refused === undefined ? 'accepted the order' : `refused the order (${refused})`} but did not request a payment: ${why}`;
  }
  const attempts = deliveries.flatMap((delivery) => delivery.attempts).map(({ status, error }) => status ?? error);
  const told =
    deliveries.length === 0 ? 'no notification was sent' : `its notification was answered ${attempts.join(', ')}`;
  const said = after
    ? `the order is not fulfilled: ${JSON.stringify(after)}`
    : `the shop refused the order (${refused})`;
  return `the payment was made and paid, but ${said}; ${told}`;
}
