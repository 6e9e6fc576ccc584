import type { RequestView } from '../../base/schema/generated/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type Adapter, AdapterError, type OrderState } from './adapter.ts';

/** Milliseconds between two reads of an order, at first and at most, and the longest time for which it may keep changing. */
const POLL_MS = 15;
const MAX_POLL_MS = 200;
const MAX_CHANGING_MS = 15_000;

/** Milliseconds for which an order must be unchanged: before the shop's speed is known, at least and at most. */
const FIRST_QUIET_MS = 400;
const MIN_QUIET_MS = 60;
const MAX_QUIET_MS = 5000;

/** Milliseconds until a shop must have given up a call that is never answered: most clients wait for 30 s, or for ever. */
export const MAX_CLIENT_TIMEOUT_MS = 35_000;
/** Milliseconds in which a shop may repeat a failed call, while its own delay is unknown; also the minimum once it is known. */
const MIN_RETRY_WAIT_MS = 5000;
/** Milliseconds in which the shop's own job must run; without `reconcile`, also the wait to learn whether there is one. */
export const OWN_JOB_MS = 25_000;

/** Work on an order that the shop has not finished. */
export interface OpenWork {
  /** Whether a payment request that made a payment waits for its answer. */
  isHeld: boolean;
  /** The operation of the last call, if that failed. */
  failedOperation: string | undefined;
}

/**
 * The shop's speed: how long an order must be unchanged, with no call of the shop but POLLING_OPERATIONS, until its state counts as final,
 * and how long to wait if that state is wrong, because the shop's own timers do not move with the sandbox's clock.
 */
export class QuietPeriod {
  /** The adapter's `patienceMs`; undefined if it states none. */
  readonly statedMs: number | undefined;
  #learntQuietMs = FIRST_QUIET_MS;
  #factor = 1;
  #longestLagMs = 0;
  #normalLagMs = 0;
  #clientTimeoutMs = MAX_CLIENT_TIMEOUT_MS;
  #ownJobMs: number | undefined;
  readonly #retryMs = new Map<string, number>();

  constructor(statedMs?: number) {
    this.statedMs = statedMs;
  }

  get quietMs(): number {
    return Math.min(MAX_QUIET_MS, this.#factor * this.#learntQuietMs);
  }

  /** Records the milliseconds after which an order did not change any more. */
  recordLag(lagMs: number): void {
    this.#longestLagMs = Math.max(this.#longestLagMs, lagMs);
  }

  /** To be called after orders without faults. */
  learn(): void {
    this.#normalLagMs = this.#longestLagMs;
    this.#learntQuietMs = Math.max(MIN_QUIET_MS, 3 * this.#longestLagMs);
  }

  /** Replaces the previous factor. */
  stretch(factor: number): void {
    this.#factor = factor;
  }

  get isOwnJobKnown(): boolean {
    return this.#ownJobMs !== undefined || this.statedMs !== undefined;
  }

  /** Records whether the shop corrected an order by itself after it had missed the notification. */
  recordOwnJob(hasOne: boolean): void {
    this.#ownJobMs = hasOne ? OWN_JOB_MS : 0;
  }

  /** Records the milliseconds until the next step of open work. If none followed, only a known retry is awaited again. */
  recordStep({ isHeld, failedOperation }: OpenWork, lagMs: number | undefined): void {
    if (isHeld && lagMs === undefined) {
      this.#clientTimeoutMs = 0;
    } else if (!isHeld && failedOperation !== undefined) {
      const oldMs = this.#retryMs.get(failedOperation) ?? 0;
      this.#retryMs.set(failedOperation, lagMs === undefined ? oldMs : Math.max(oldMs, MIN_RETRY_WAIT_MS, 3 * lagMs));
    }
  }

  stepMs({ isHeld, failedOperation }: OpenWork): number {
    const retryMs = failedOperation === undefined ? 0 : (this.#retryMs.get(failedOperation) ?? MIN_RETRY_WAIT_MS);
    return Math.max(isHeld ? this.#clientTimeoutMs : 0, retryMs);
  }

  /** Milliseconds to wait after the last sign of work if the state of an order is wrong. */
  repairMs(work: OpenWork): number {
    return Math.max(
      this.stepMs(work),
      this.statedMs ?? this.#ownJobMs ?? 0,
      Math.min(OWN_JOB_MS, 3 * this.#normalLagMs),
    );
  }
}

/**
 * The shop's state of an order once it is unchanged, with no call of the shop but POLLING_OPERATIONS, for `quietMs`. Throws AdapterError,
 * also if it keeps changing for MAX_CHANGING_MS.
 */
export async function awaitStableState(
  adapter: Adapter,
  orderId: string,
  client: SandboxClient,
  { quietMs }: Pick<QuietPeriod, 'quietMs'>,
): Promise<{ state: OrderState | undefined; lagMs: number }> {
  const startedAt = steadyNow();
  let lastText = '';
  let changedAt = startedAt;
  for (;;) {
    const state = await adapter.orderState?.(orderId);
    const now = JSON.stringify([state, await lastCallId(client)]);
    const at = steadyNow();
    if (now !== lastText) {
      changedAt = at;
    }
    lastText = now;
    if (at - changedAt >= quietMs) {
      return { state, lagMs: changedAt - startedAt };
    }
    if (at - startedAt > MAX_CHANGING_MS + quietMs) {
      throw new AdapterError(`order ${orderId} keeps changing: ${now}`);
    }
    await delay(pollMs(at - startedAt));
  }
}

/** Milliseconds until the next poll, which grow with the time waited so far. */
export function pollMs(watchedMs: number): number {
  return Math.min(MAX_POLL_MS, Math.max(POLL_MS, watchedMs / 20));
}

/** Calls that a shop may repeat while an order is open, so that they are no sign of a change. */
const POLLING_OPERATIONS: ReadonlySet<string | null> = new Set(['getPaymentStatus', 'getAccessToken']);

/** The id of the shop's last call that is not one of POLLING_OPERATIONS; empty if the latest ten are all of these. */
export async function lastCallId(client: SandboxClient): Promise<string> {
  const { items } = await client.list<RequestView>('requests', { limit: '10' });
  return items.find(({ operation }) => !POLLING_OPERATIONS.has(operation))?.id ?? '';
}
