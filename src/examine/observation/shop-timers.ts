import { isDeepStrictEqual } from 'node:util';
import { delay, steadyNow } from '../../base/timers.ts';
import type { OrderState } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { awaitStableState, type OpenWork, pollMs } from '../shop/quiet-period.ts';
import type { Observation } from './observation.ts';
import { failedIn, hasHeldCall, type ProviderSide, readOpenWork, readProviderSide } from './provider-side.ts';

// The shop's own timers do not move with the sandbox's clock, so the examination waits in real time.

/** Real milliseconds after which an order is judged even if the shop is still working on it. */
const MAX_REPAIR_MS = 90_000;

/** Resolves once the state does not change any more. */
export async function awaitOrderState(
  orderId: string | undefined,
  { adapter, client, quietPeriod }: ExaminedShop,
): Promise<OrderState | undefined> {
  if (orderId === undefined) {
    return undefined;
  }
  const { state, lagMs } = await awaitStableState(adapter, orderId, client, quietPeriod);
  quietPeriod.recordLag(lagMs);
  return state;
}

/** Real milliseconds to wait, before the payer pays, for a shop to repeat a payment request that it gave up. */
const RETRY_WAIT_MS = 1000;

/**
 * Waits until the shop gives up a payment request without a usable answer, and possibly tries again, because the payer must not pay
 * before that. A shop may accept the order before it sends the request.
 */
export async function waitUntilGivenUp(order: Observation['order'], target: ExaminedShop): Promise<void> {
  const { quietPeriod } = target;
  const startedAt = steadyNow();
  let [knownCalls, quietSince] = [0, startedAt];
  for (;;) {
    const { isHeld, calls, payments } = await readOpenWork(target, order);
    const now = steadyNow();
    if (isHeld || calls > knownCalls) {
      [knownCalls, quietSince] = [calls, now];
    }
    if (now - quietSince > (payments > 0 ? RETRY_WAIT_MS : quietPeriod.quietMs)) {
      return;
    }
    if (now - startedAt > quietPeriod.stepMs(HELD_CALL)) {
      if (isHeld) {
        quietPeriod.recordStep(HELD_CALL, undefined);
      }
      return;
    }
    await delay(pollMs(now - startedAt));
  }
}

const HELD_CALL: OpenWork = { isHeld: true, failedOperation: undefined };

/**
 * Waits for the next step of the shop on an order, and resolves with whether it took one: it gave up a call that waited for its answer,
 * or called again for an order that has not changed since it was placed.
 */
export async function waitForNextStep(
  order: Observation['order'],
  { refusal }: Pick<Observation, 'refusal'>,
  isUnchanged: boolean,
  target: ExaminedShop,
): Promise<boolean> {
  const { quietPeriod } = target;
  const first = await readOpenWork(target, order);
  const { isHeld, failedOperation, calls, payments } = first;
  const canRetry = failedOperation !== undefined && payments === 0 && refusal === undefined && isUnchanged;
  if (!isHeld && !canRetry) {
    return false;
  }
  const startedAt = steadyNow();
  for (;;) {
    const now = await readOpenWork(target, order);
    const lagMs = steadyNow() - startedAt;
    if (isHeld ? !now.isHeld : now.calls > calls) {
      quietPeriod.recordStep(first, lagMs);
      return true;
    }
    if (lagMs > quietPeriod.stepMs(first)) {
      quietPeriod.recordStep(first, undefined);
      return false;
    }
    await delay(pollMs(lagMs));
  }
}

/** Resolves with the observation once the shop has corrected the order by itself, or `waitMs` after its last step, or after MAX_REPAIR_MS. */
export async function waitUntilRight(
  observation: Observation,
  target: ExaminedShop,
  isRight: (latest: Observation) => boolean,
  waitMs = (latest: Observation) => target.quietPeriod.repairMs(workIn(latest)),
): Promise<Observation> {
  const { adapter, client, earlierOrders } = target;
  const { orderId, order } = observation;
  const startedAt = steadyNow();
  let [latest, stepAt] = [observation, startedAt];
  while (orderId !== undefined && !isRight(latest)) {
    const at = steadyNow();
    if (at - stepAt > waitMs(latest) || at - startedAt > MAX_REPAIR_MS) {
      break;
    }
    await delay(pollMs(at - stepAt));
    const [state, { calls }] = [await adapter.orderState?.(orderId), await readOpenWork(target, order)];
    const last = latest.reconciledState ?? latest.finalState;
    if (calls === latest.requests.length && isDeepStrictEqual(state, last)) {
      continue;
    }
    await client.runUntilIdle();
    const now = await awaitOrderState(orderId, target);
    const side = await readProviderSide(target, order);
    stepAt = isDeepStrictEqual(now, last) && failedIn(side) === undefined ? stepAt : steadyNow();
    latest = { ...latest, ...(latest.reconciledState ? { reconciledState: now } : { finalState: now }), ...side };
  }
  earlierOrders.add(latest, latest.order);
  return latest;
}

const workIn = (side: ProviderSide): OpenWork => ({ isHeld: hasHeldCall(side), failedOperation: failedIn(side) });
