import type { RequestView } from '../../base/schema/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type Adapter, AdapterError, type OrderState } from './adapter.ts';

/** Milliseconds between two reads of an order, and the longest time for which it may keep changing. */
const LOOK_MS = 15;
const LONGEST_MS = 15_000;

/** Milliseconds for which an order must be unchanged: at first, at least and at most. */
const FIRST_QUIET_MS = 400;
const LEAST_QUIET_MS = 60;
const MOST_QUIET_MS = 5000;

/** How long an order must be unchanged, with no call of the shop, until its state counts as final. */
export class QuietPeriod {
  #learntMs = FIRST_QUIET_MS;
  #factor = 1;
  #longestMs = 0;

  get quietMs(): number {
    return Math.min(MOST_QUIET_MS, this.#factor * this.#learntMs);
  }

  /** Sets a minimum until `learn` is called. */
  expect(ms: number): void {
    this.#learntMs = Math.max(this.#learntMs, ms);
  }

  /** Records after how many milliseconds an order did not change any more. */
  saw(lagMs: number): void {
    this.#longestMs = Math.max(this.#longestMs, lagMs);
  }

  /** Derives the time from the recorded orders, which met no faults. */
  learn(): void {
    this.#learntMs = Math.max(LEAST_QUIET_MS, 3 * this.#longestMs);
  }

  /** Multiplies the time by a factor from now on. */
  stretch(factor: number): void {
    this.#factor = factor;
  }
}

/**
 * The shop's state of an order once it is unchanged, with no call of the shop, for as long as `patience` requires. Throws
 * AdapterError, also if it never stops changing.
 */
export async function settledState(
  adapter: Adapter,
  orderId: string,
  client: SandboxClient,
  { quietMs }: Pick<QuietPeriod, 'quietMs'>,
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

/** Calls that a shop may repeat while an order is open. */
const ASKING: ReadonlySet<string | null> = new Set(['getPaymentStatus', 'getAccessToken']);

/** The id of the shop's last call that is not just a query; empty if the latest calls are all queries. */
export async function lastCall(client: SandboxClient): Promise<string> {
  const { items } = await client.list<RequestView>('requests', { limit: '10' });
  return items.find(({ operation }) => !ASKING.has(operation))?.id ?? '';
}
