import { isDeepStrictEqual } from 'node:util';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type Case, countFaults, isDefault, isNeverAnswered, scenarioOf } from '../cases/case.ts';
import { AdapterError, type OrderInput, type OrderState, refusalOf } from '../shop/adapter.ts';
import { type ExaminedShop, restartShop } from '../shop/examined-shop.ts';
import { awaitStableState, lastCallId } from '../shop/quiet-period.ts';
import { isAnswering } from '../shop/shop-process.ts';
import type { Situation } from '../situations/situation.ts';
import { forgeNotification } from './forged-notification.ts';
import type { Observation, ShopAction } from './observation.ts';
import { type Placement, placeOrder } from './place-order.ts';
import { readProviderSide } from './provider-side.ts';
import { awaitOrderState, waitForNextStep, waitUntilGivenUp } from './shop-timers.ts';

/** Session time after which every payment has its first outcome, and none has its late one. */
const FIRST_OUTCOME_WAIT = 'PT20M';

/** A payment can expire after 15 minutes and succeed an hour later, so a job must still query orders that are older than 75 minutes. */
const BACKDATED_MINUTES = 90;

/** Resets the session, and the shop if the adapter can; sets the scenario of the case. Throws AdapterError. */
export async function prepareCase(testCase: Case, target: ExaminedShop) {
  const { adapter, client, webhook, shopProcess, earlierOrders } = target;
  await shopProcess?.runInZone(testCase.alone.zone);
  earlierOrders.startCase();
  await client.reset();
  await client.freeze(formatUtc(machineNow()));
  await client.setEndpoints(webhook ? [webhook] : []);
  // The job of a shop that keeps its orders may query those of earlier cases, which must not use up the faults of this case.
  await client.defineScenario(scenarioOf(testCase, adapter.reset ? [] : earlierOrders.references));
  await client.useScenario('examined');
  await adapter.reset?.();
  if (testCase.alone.isRestarted) {
    await restartShop(target);
  }
}

/** Resets the session, places an order, waits until nothing is due any more, and reads both sides. Throws AdapterError. */
export async function observe(testCase: Case, order: OrderInput, target: ExaminedShop): Promise<Observation> {
  const { client } = target;
  await prepareCase(testCase, target);
  const placed = await placeOrder(order, target, { isNeverAnswered: isNeverAnswered(testCase) }).catch(
    async (error: unknown) => {
      await target.shopProcess?.assertStaysRunning();
      throw error;
    },
  );
  const openState = placed.orderId === undefined ? undefined : await readUndecidedState(placed.orderId, target);
  const { actions, cancelledState } = await actBeforeOutcome(testCase, placed.orderId, target);
  if (!isDefault(testCase.call) && placed.refusal === undefined) {
    await waitUntilGivenUp(order, target);
  }
  // A shop that polls must have seen the first outcome before the next one.
  await client.advance(FIRST_OUTCOME_WAIT);
  let finalState = await runUntilQuiet(placed.orderId, await awaitOrderState(placed.orderId, target), target);
  // A shop that polls never stops, so the number of awaited steps is limited to those that the case can cause.
  for (let steps = countFaults(testCase) + 1; steps > 0; steps -= 1) {
    if (!(await waitForNextStep(order, placed, isDeepStrictEqual(openState, finalState), target))) {
      break;
    }
    finalState = await runUntilQuiet(placed.orderId, await awaitOrderState(placed.orderId, target), target);
  }
  const { action } = testCase.afterwards;
  // The age of an order is of interest only while the shop must still query its payment.
  const isTooLate = action === 'backdate' && (finalState?.fulfilments ?? 0) > 0;
  const allActions = [...actions, ...(isTooLate ? [] : await performAction(action, placed.orderId, target))];
  if (testCase.afterwards.resends !== undefined) {
    await resend(testCase.afterwards.resends, client);
    finalState = await awaitOrderState(placed.orderId, target);
  }
  const { forges } = testCase.afterwards;
  const step = forges === undefined ? undefined : await forgeNotification(forges, target);
  const forged = step && { step, stateBefore: finalState };
  finalState = step ? await awaitOrderState(placed.orderId, target) : finalState;
  const { lag } = testCase['status-query'];
  if (lag !== undefined) {
    // Status queries return the final status only after the lag.
    await client.advance(lag);
    finalState = await runUntilQuiet(placed.orderId, await awaitOrderState(placed.orderId, target), target);
  }
  await assertShopRuns(placed, target);
  const side = await readProviderSide(target, order);
  target.earlierOrders.add(side, order);
  const states = { openState, cancelledState, finalState, reconciledState: undefined };
  const observation = { order, ...placed, ...states, actions: allActions, ...side };
  return forged ? { ...observation, forged } : observation;
}

/** Advances the clock until nothing is due any more, and resolves with the state of the order. */
export async function runUntilQuiet(
  orderId: string | undefined,
  state: OrderState | undefined,
  target: ExaminedShop,
): Promise<OrderState | undefined> {
  const { client } = target;
  let latest = state;
  let lastId: string;
  do {
    lastId = await lastCallId(client);
    const { happened = [] } = await client.runUntilIdle();
    // If nothing was due, the shop got no notification, so its state is the same.
    latest = happened.length === 0 ? latest : await awaitOrderState(orderId, target);
    // A call of the shop may have made something due.
  } while (lastId !== (await lastCallId(client)));
  return latest;
}

/** Throws AdapterError if the shop's process has ended, or if it refused the order and no longer answers: then the order shows nothing. */
export async function assertShopRuns({ refusal }: Placement, { adapter, shopProcess }: ExaminedShop): Promise<void> {
  shopProcess?.assertRunning();
  if (refusal !== undefined && adapter.app !== undefined && !(await isAnswering(adapter.app))) {
    throw new AdapterError(`the shop no longer answers at ${adapter.app}; the order was refused: ${refusal}`);
  }
}

/** A job in production runs repeatedly: each fault of a case may end one run, and a run may read an old state. */
const JOB_RUNS = 3;
const PAUSE_BETWEEN_JOBS = 'PT1M';

/** Runs the shop's reconciliation job, a few times if necessary. Resolves with undefined without a job or an order id. */
export async function reconcile(
  testCase: Case,
  observation: Observation,
  target: ExaminedShop,
  isRight: (latest: Observation) => boolean,
): Promise<Observation | undefined> {
  const { adapter, client, earlierOrders } = target;
  if (!adapter.reconcile || observation.orderId === undefined) {
    return undefined;
  }
  let latest = observation;
  for (let runs = 0; runs < JOB_RUNS + countFaults(testCase) && (runs === 0 || !isRight(latest)); runs += 1) {
    if (runs > 0) {
      await client.advance(PAUSE_BETWEEN_JOBS);
    }
    await refusalOf(adapter.reconcile());
    await client.runUntilIdle();
    const reconciledState = await awaitOrderState(observation.orderId, target);
    latest = { ...observation, reconciledState, ...(await readProviderSide(target, observation.order)) };
  }
  earlierOrders.add(latest, latest.order);
  return latest;
}

/** Undefined if a payment is decided already. */
async function readUndecidedState(orderId: string, target: ExaminedShop): Promise<OrderState | undefined> {
  const { state } = await awaitStableState(target.adapter, orderId, target.client, { quietMs: 30 });
  const { items } = await target.client.payments({ limit: '100' });
  return items.every((payment) => payment.state === 'Processing') ? state : undefined;
}

/** Session time between two notifications, so that they have different times in a story; shorter than the time until a retry. */
const NOTIFICATION_INTERVAL = 'PT1S';

async function resend(which: NonNullable<Situation['resends']>, client: SandboxClient): Promise<void> {
  const { items } = await client.deliveries({ order: 'oldest', limit: '100' });
  const genuine = items.filter(
    ({ forgery, attempts, state }) => forgery === undefined && (attempts.length > 0 || state === 'dropped'),
  );
  const index = which === 'first' ? 0 : 1;
  const chosen = which === 'all, the latest first' ? genuine.toReversed() : genuine.slice(index, index + 1);
  for (const { id } of chosen) {
    await client.resend(id);
    await client.advance(NOTIFICATION_INTERVAL);
  }
  await client.runUntilIdle();
}

async function actBeforeOutcome(
  { 'while-undecided': { action } }: Case,
  orderId: string | undefined,
  target: ExaminedShop,
): Promise<Pick<Observation, 'actions' | 'cancelledState'>> {
  const actions = await performAction(action, orderId, target);
  return { actions, cancelledState: actions.includes('cancel') ? await awaitOrderState(orderId, target) : undefined };
}

/** Resolves with the action, unless the shop refused it. Throws AdapterError, also if a restart fails. */
async function performAction(
  action: ShopAction | undefined,
  orderId: string | undefined,
  target: ExaminedShop,
): Promise<readonly ShopAction[]> {
  const { adapter } = target;
  if (action === undefined || orderId === undefined) {
    return [];
  }
  if (action === 'restart') {
    await restartShop(target);
    return [action];
  }
  const answer =
    action === 'backdate' ? adapter.backdate?.(orderId, { minutes: BACKDATED_MINUTES }) : adapter[action]?.(orderId);
  return answer && (await refusalOf(answer)) === undefined ? [action] : [];
}
