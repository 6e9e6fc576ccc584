import type { Difference, DriftSource, NotCompared } from '../../base/schema/recordings.ts';
import type { Subject } from './payments.ts';

/** What a difference must be to be the cause of something that was not compared. */
type IsCause = (difference: Difference) => boolean;

interface Entry {
  reason: string;
  isCause: IsCause | undefined;
  count: number;
  source: DriftSource;
}

/** Counts what could not be compared, by reason and cause. */
export class NotComparedCounts {
  readonly #entries = new Map<string, Entry>();

  add(reason: string, source: DriftSource): void {
    this.#add(reason, reason, undefined, source);
  }

  /** It follows from a difference of some kind about the same operation or payment. */
  because(
    kinds: readonly Difference['kind'][],
    subject: Omit<Subject, 'source'>,
    reason: string,
    source: DriftSource,
    count = 1,
  ): void {
    const { operation, channel, environment } = subject;
    const key = JSON.stringify([reason, kinds, operation, channel, environment]);
    const isCause: IsCause = (each) =>
      kinds.includes(each.kind) &&
      // How long something counts that an answer tells of is a delay, too, and no cause.
      (each.kind !== 'delay' || each.part === 'payment') &&
      (each.operation ?? operation) === operation &&
      (each.channel ?? channel) === channel &&
      (each.environment ?? environment) === environment;
    this.#add(key, reason, isCause, source, count);
  }

  #add(key: string, reason: string, isCause: IsCause | undefined, source: DriftSource, count = 1): void {
    const entry = this.#entries.get(key) ?? { reason, isCause, count: 0, source };
    entry.count += count;
    this.#entries.set(key, entry);
  }

  entries(differences: readonly Difference[]): NotCompared[] {
    const told = new Map<string, NotCompared>();
    for (const { reason, isCause, count, source } of this.#entries.values()) {
      const because = (isCause && differences.find(isCause)?.id) ?? null;
      const key = JSON.stringify([reason, because]);
      const before = told.get(key)?.count ?? 0;
      told.set(key, { source, ...told.get(key), reason, because, count: before + count });
    }
    return [...told.values()];
  }
}
