import { messageOf } from '../../base/errors.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import { AdapterError, type OrderInput } from '../shop/adapter.ts';
import { assertNotTlsError, codesOf } from '../shop/certificate.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { lastCallId } from '../shop/quiet-period.ts';
import type { Observation } from './observation.ts';
import { readOpenWork } from './provider-side.ts';

/** Real milliseconds: the limit for placing an order, the limit while a call is held, and the idle time after which the clock advances. */
const PLACING_LIMIT_MS = 20_000;
const HOLD_LIMIT_MS = 35_000;
const IDLE_MS = 400;

const NOT_PLACED = 'the order was not placed within';

/** Whether the reason for a refusal is only that the shop took too long to place the order. */
export function hasTimedOut(refusal: string): boolean {
  return refusal.startsWith(NOT_PLACED);
}

export type Placement = Pick<Observation, 'orderId' | 'refusal'>;

/**
 * Places the order as a customer would, and advances the clock while the shop waits for the provider: after `idleMs` real milliseconds
 * without a call, or with only status queries and token requests. With `isNeverAnswered`, the clock stands still while a call is held,
 * because the shop times out by its own clock. Throws AdapterError.
 */
export async function placeOrder(
  order: OrderInput,
  { adapter, client, earlierOrders }: ExaminedShop,
  { idleMs = IDLE_MS, isNeverAnswered = false } = {},
): Promise<Placement> {
  const abort = new AbortController();
  let placed: Placement | undefined;
  const placing = adapter.placeOrder({ ...order, signal: abort.signal }).then(
    (answer) => ({ orderId: orderIdOf(answer), refusal: undefined }),
    (error: unknown) => {
      // Not a refusal, because the adapter failed or the shop exited.
      if (error instanceof AdapterError) {
        throw error;
      }
      if (isAdapterBug(error)) {
        throw new AdapterError(`placeOrder failed: ${error.name}: ${error.message}`);
      }
      assertNotTlsError(error);
      if (isBrokenConnection(error)) {
        throw new AdapterError('the connection to the shop was lost while the order was placed');
      }
      return { orderId: orderIdOf(error), refusal: messageOf(error) };
    },
  );
  placing.then(
    (result) => {
      placed = result;
    },
    () => undefined,
  );
  const startedAt = steadyNow();
  let [lastId, quietSince] = ['', startedAt];
  while (!placed) {
    await Promise.race([placing, delay(20)]);
    const now = steadyNow();
    const last = await lastCallId(client);
    if (last !== lastId) {
      [lastId, quietSince] = [last, now];
    } else if (now - quietSince > idleMs && !placed) {
      quietSince = now;
      const isWaiting = isNeverAnswered && (await readOpenWork({ client, earlierOrders }, order)).isHeld;
      const { nextDue } = await client.clock();
      if (nextDue !== null && !isWaiting) {
        await client.freeze(nextDue);
      }
    }
    const isLate = now - startedAt > PLACING_LIMIT_MS;
    if (isLate && (now - startedAt > HOLD_LIMIT_MS || !(await readOpenWork({ client, earlierOrders }, order)).isHeld)) {
      abort.abort();
      return { orderId: undefined, refusal: `${NOT_PLACED} ${Math.floor((now - startedAt) / 1000)} seconds` };
    }
  }
  return placed;
}

/** Whether the error is a bug of the adapter; `fetch` reports a broken connection as a TypeError with a cause. */
function isAdapterBug(error: unknown): error is Error {
  return error instanceof ReferenceError || (error instanceof TypeError && error.cause === undefined);
}

const BROKEN_CONNECTION_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'UND_ERR_SOCKET']);

function isBrokenConnection(error: unknown): boolean {
  return codesOf(error).some((code) => BROKEN_CONNECTION_CODES.has(code));
}

function orderIdOf(answer: unknown): string | undefined {
  const orderId = typeof answer === 'object' && answer !== null && 'orderId' in answer ? answer.orderId : undefined;
  return orderId === undefined || orderId === null ? undefined : String(orderId);
}
