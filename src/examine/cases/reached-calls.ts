import { initiationsIn, type Observation } from '../observation/observation.ts';
import { type Point, type Situation, secondCallAfter } from '../situations/situation.ts';
import { type Case, situationsOf } from './case.ts';

/** Calls whose result a shop keeps, such as an access token, so that it does not repeat them for a disturbance. */
const HABIT_COUNT = 2;

/** The points that a shop reaches on each channel, including calls that it makes only after a fault. */
export class ReachedCalls {
  readonly #habits = new Map<string, number>();
  readonly #ever = new Set<string>();

  record(examined: Case, channel: string, observation: Observation | undefined): void {
    if (!observation) {
      return;
    }
    const [situation, ...others] = situationsOf(examined);
    const isUndisturbed = situation?.kind === 'outcome' && others.length === 0;
    for (const operation of new Set(observation.requests.map((request) => request.operation ?? ''))) {
      const key = keyOf(operation, channel);
      this.#ever.add(key);
      this.#habits.set(key, (this.#habits.get(key) ?? 0) + Number(isUndisturbed));
    }
    if (situation && others.length === 0 && initiationsIn(observation).length > 1) {
      this.#ever.add(keyOf(secondCallAfter(situation.id), channel));
    }
  }

  /** Whether the shop can reach the points of the situations; for a single situation, it must do so in every order. */
  areReached(situations: readonly Situation[], channel: string): boolean {
    return situations.every(({ point, kind }) => {
      const key = point === undefined ? '' : keyOf(point, channel);
      const isHabit = (this.#habits.get(key) ?? 0) >= HABIT_COUNT;
      return point === undefined || isHabit || (this.#ever.has(key) && (situations.length > 1 || kind === 'call'));
    });
  }
}

function keyOf(point: Point, channel: string): string {
  return `${point} ${channel}`;
}
