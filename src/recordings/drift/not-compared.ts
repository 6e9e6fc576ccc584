import type { DriftSource, NotCompared } from '../../base/schema/generated/recordings.ts';

/** Counts the exchanges, and the bodies of exchanges, that could not be compared, by reason. */
export class NotComparedCounts {
  readonly #entries = new Map<string, NotCompared>();

  add(reason: string, source: DriftSource): void {
    const { count, ...entry } = this.#entries.get(reason) ?? { reason, count: 0, source };
    this.#entries.set(reason, { ...entry, count: count + 1 });
  }

  get entries(): NotCompared[] {
    return [...this.#entries.values()];
  }
}
