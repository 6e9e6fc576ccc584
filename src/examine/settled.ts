import type { RequestView } from '../base/schema/control.ts';
import { delay, steadyNow } from '../base/timers.ts';
import type { SandboxClient } from '../client/client.ts';
import { type Adapter, AdapterError, type OrderState } from './adapter.ts';

/** Milliseconds between two looks at an order, and the longest that one may go on changing. */
const LOOK_MS = 15;
const LONGEST_MS = 15_000;

/** Milliseconds that an order must have stayed as it is for the first, the least and the most. */
const FIRST_QUIET_MS = 400;
const LEAST_QUIET_MS = 60;
const MOST_QUIET_MS = 5000;

/** How long an order must have stayed as it is, and the shop made no call, until it counts as settled. */
export class Patience {
  #learntMs = FIRST_QUIET_MS;
  #factor = 1;
  #longestMs = 0;

  get quietMs(): number {
    return Math.min(MOST_QUIET_MS, this.#factor * this.#learntMs);
  }

  /** At least so long, until it is learnt. */
  expect(ms: number): void {
    this.#learntMs = Math.max(this.#learntMs, ms);
  }

  /** Milliseconds after which an order stayed as it was. */
  saw(lagMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, lagMs);
  }

  /** From how long the shop took with orders on a good day. */
  learn(): void {
    this.#learntMs = Math.max(LEAST_QUIET_MS, 3 * this.#longestMs);
  }

  /** From now on so many times as long. */
  stretch(factor: number): void {
    this.#factor = factor;
  }
}

/**
 * What the shop says of an order once that has stayed the same, and the shop made no call, for as long as `patience` says. Throws
 * AdapterError, also where it goes on changing.
 */
export async function settledState(
  adapter: Adapter,
  orderId: string,
  client: SandboxClient,
  { quietMs }: Pick<Patience, 'quietMs'>,
): Promise<{ state: OrderState | undefined; lagMs: number }> {
  const began = steadyNow();
  let seen = '';
  let changedAt = began;
  for (;;) {
    const state = await adapter.orderState?.(orderId);
    const now = JSON.stringify([state, await lastCall(client)]);
    const at = steadyNow();
    if (now !== seen) {
      changedAt = at;
    }
    seen = now;
    if (at - changedAt >= quietMs) {
      return { state, lagMs: changedAt - began };
    }
    if (at - began > LONGEST_MS + quietMs) {
      throw new AdapterError(`order ${orderId} keeps changing: ${now}`);
    }
    await delay(LOOK_MS);
  }
}

/** Calls that a shop may go on making for as long as an order is open. */
const ASKING: ReadonlySet<string | null> = new Set(['getPaymentStatus', 'getAccessToken']);

/** The id of the last call by which the shop did anything but ask; empty where there is none among the last ones. */
export async function lastCall(client: SandboxClient): Promise<string> {
  const { items } = await client.list<RequestView>('requests', { limit: '10' });
  return items.find(({ operation }) => !ASKING.has(operation))?.id ?? '';
}
