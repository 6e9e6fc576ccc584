import { steadyNow } from '../../base/timers.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import type { Actor } from './schedule.ts';

/** Milliseconds until a shop answers a party that it has not answered yet. */
const FIRST_GUESS_MS = 30;

/** The places of one start within the other's time, in eighths; the middle first, because most of what matters happens there. */
const PLACES = [4, 2, 5, 1, 3, 6, 0, 7];

const PACES = new WeakMap<ExaminedShop, Pace>();

/** What is known of the time in which a shop answers each party. */
export function paceOf(target: ExaminedShop): Pace {
  const known = PACES.get(target) ?? new Pace();
  PACES.set(target, known);
  return known;
}

/** How long a shop takes for each party, so that two can be started in such a way that they meet. */
class Pace {
  readonly #lastMs = new Map<Actor, number>();

  /** Measures how long the shop takes to answer a party. */
  async measure<T>(actor: Actor, act: () => Promise<T>): Promise<T> {
    const began = steadyNow();
    const result = await act();
    this.#lastMs.set(actor, steadyNow() - began);
    return result;
  }

  /** Records how long the shop took to answer a party completely. */
  saw(actor: Actor, ms: number): void {
    this.#lastMs.set(actor, Math.max(this.#lastMs.get(actor) ?? 0, ms));
  }

  /** A moment while the shop answers a party, in milliseconds after its start: the runs are spread over all of them. */
  moment(actor: Actor, run: number): number {
    return ((placeIn(run) + 0.5) / PLACES.length) * this.#of(actor);
  }

  /**
   * When a party starts, in milliseconds after another one, in a given run: the runs are spread over all times at which the two are in the
   * shop together.
   */
  offset(first: Actor, second: Actor, run: number): number {
    const [before, after] = [this.#of(second), this.#of(first)];
    return ((placeIn(run) + 0.5) / PLACES.length) * (before + after) - before;
  }

  #of(actor: Actor): number {
    return this.#lastMs.get(actor) ?? FIRST_GUESS_MS;
  }
}

const placeIn = (run: number) => PLACES[run % PLACES.length] ?? 0;
