import { steadyNow } from '../../base/timers.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import type { Party } from './schedule.ts';

/** Assumed milliseconds until a shop answers a party that was not measured yet. */
const ASSUMED_RESPONSE_MS = 30;

/** The moments within a response time at which successive runs act, in eighths; the middle first, because most conflicts happen there. */
const EIGHTHS = [4, 2, 5, 1, 3, 6, 0, 7];

const KNOWN_TIMES = new WeakMap<ExaminedShop, ResponseTimes>();

export function responseTimesOf(target: ExaminedShop): ResponseTimes {
  const times = KNOWN_TIMES.get(target) ?? new ResponseTimes();
  KNOWN_TIMES.set(target, times);
  return times;
}

/** How long a shop takes to answer each party, so that two parties can be started at times that make them overlap. */
class ResponseTimes {
  readonly #lastMs = new Map<Party, number>();

  async measure<T>(party: Party, act: () => Promise<T>): Promise<T> {
    const startedAt = steadyNow();
    const result = await act();
    this.#lastMs.set(party, steadyNow() - startedAt);
    return result;
  }

  record(party: Party, ms: number): void {
    this.#lastMs.set(party, Math.max(this.#lastMs.get(party) ?? 0, ms));
  }

  /** A moment while the shop answers a party, in milliseconds after its start: the runs are spread over all of them. */
  momentDuring(party: Party, runIndex: number): number {
    return ((eighthOf(runIndex) + 0.5) / EIGHTHS.length) * this.#responseMs(party);
  }

  /**
   * When the second party starts, in milliseconds after the first one, or before it if negative: the runs are spread over all times at
   * which the two are in the shop together.
   */
  offset(first: Party, second: Party, runIndex: number): number {
    const [before, after] = [this.#responseMs(second), this.#responseMs(first)];
    return ((eighthOf(runIndex) + 0.5) / EIGHTHS.length) * (before + after) - before;
  }

  #responseMs(party: Party): number {
    return this.#lastMs.get(party) ?? ASSUMED_RESPONSE_MS;
  }
}

const eighthOf = (runIndex: number) => EIGHTHS[runIndex % EIGHTHS.length] ?? 0;
