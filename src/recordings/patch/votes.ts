import type { DriftSource } from '../../base/schema/recordings.ts';

/** Where a recording shows something. */
export type Source = NonNullable<DriftSource>;

/** Values that are told apart; those that come later count for none. */
const MOST_VALUES = 100;

export interface Vote<Value> {
  value: Value;
  count: number;
  /** Where it was seen first. */
  source: Source;
}

/** Counts which value was seen how often. */
export class Votes<Value> {
  readonly #votes = new Map<string, Vote<Value>>();

  add(value: Value, source: Source): void {
    const key = JSON.stringify(value);
    const vote = this.#votes.get(key);
    if (vote) {
      vote.count += 1;
    } else if (this.#votes.size < MOST_VALUES) {
      this.#votes.set(key, { value, count: 1, source });
    }
  }

  /** The most frequent one first. */
  get all(): Vote<Value>[] {
    return [...this.#votes.values()].sort((one, other) => other.count - one.count);
  }

  get winner(): Vote<Value> | undefined {
    return this.all[0];
  }
}

/** The votes of a name, which has none at first. */
export function votesIn<Value>(all: Map<string, Votes<Value>>, name: string): Votes<Value> {
  const votes = all.get(name) ?? new Votes<Value>();
  all.set(name, votes);
  return votes;
}

/** Tenths of a second are as near as a recording is. */
export function durationOf(milliseconds: number): string {
  return `PT${Math.max(0, Math.round(milliseconds / 100)) / 10}S`;
}
