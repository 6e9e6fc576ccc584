import { initiationsIn, type Observation } from '../observation/observation.ts';
import { type DisturbedCall, type Situation, secondCallAfter } from '../situations/situation.ts';
import { type Case, situationsOf } from './case.ts';

/** A call counts as usual if it occurs in this many orders without faults; one whose answer the shop keeps, such as a token, occurs once. */
const MIN_ORDERS = 2;

/** The calls that a shop makes on each channel, including those that it makes only after a fault. */
export class ReachedCalls {
  readonly #undisturbedOrders = new Map<string, number>();
  readonly #reached = new Set<string>();

  record(testCase: Case, channel: string, observation: Observation | undefined): void {
    if (!observation) {
      return;
    }
    const [situation, ...others] = situationsOf(testCase);
    const isUndisturbed = situation?.kind === 'outcome' && others.length === 0;
    for (const operation of new Set(observation.requests.map((request) => request.operation ?? ''))) {
      const key = keyOf(operation, channel);
      this.#reached.add(key);
      this.#undisturbedOrders.set(key, (this.#undisturbedOrders.get(key) ?? 0) + Number(isUndisturbed));
    }
    if (situation && others.length === 0 && initiationsIn(observation).length > 1) {
      this.#reached.add(keyOf(secondCallAfter(situation.id), channel));
    }
  }

  /** Whether the shop makes the required calls. For a single situation, except of kind `call`, only undisturbed orders count. */
  areReached(situations: readonly Situation[], channel: string): boolean {
    return situations.every(({ requiredCall, kind }) => {
      const key = requiredCall === undefined ? '' : keyOf(requiredCall, channel);
      const isUsual = (this.#undisturbedOrders.get(key) ?? 0) >= MIN_ORDERS;
      return key === '' || isUsual || (this.#reached.has(key) && (situations.length > 1 || kind === 'call'));
    });
  }
}

function keyOf(call: DisturbedCall, channel: string): string {
  return `${call} ${channel}`;
}
