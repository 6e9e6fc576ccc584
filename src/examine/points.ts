import { type Case, situationsOf } from './case.ts';
import { initiationsIn, type Observation } from './observation.ts';
import { type Point, type Situation, secondCallAfter } from './situations/situation.ts';

/** What a shop calls once and keeps, as an access token, it does not call again for a disturbance to meet. */
const TIMES_OF_HABIT = 2;

/** Where a shop comes to, on each channel. Calls that it makes only where something went wrong are places to disturb, too. */
export class Points {
  readonly #habits = new Map<string, number>();
  readonly #ever = new Set<string>();

  saw(examined: Case, channel: string, observation: Observation | undefined): void {
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

  /** Whether situations can meet the shop there: one by itself only in what the shop does for each order. */
  areMet(situations: readonly Situation[], channel: string): boolean {
    return situations.every(({ point, kind }) => {
      const key = point === undefined ? '' : keyOf(point, channel);
      const isHabit = (this.#habits.get(key) ?? 0) >= TIMES_OF_HABIT;
      return point === undefined || isHabit || (this.#ever.has(key) && (situations.length > 1 || kind === 'call'));
    });
  }
}

function keyOf(point: Point, channel: string): string {
  return `${point} ${channel}`;
}
