import { Refusal } from '../../base/refusal.ts';
import type { EventType } from '../../base/schema/generated/control.ts';
import type { SeededIds } from '../../base/seeded-ids.ts';
import { valuesIn } from '../store/collections.ts';
import { MAX_RECORD_NUMBER } from '../store/record-numbers.ts';
import type { AnyRecord, CollectionName, FindBy, RecordChange, Records } from '../store/store.ts';
import type { SessionEvent } from './event-log.ts';
import { type ReaderParts, SessionReader } from './session-reader.ts';

/**
 * The reads and changes of one request, job or control call. Others see its changes only after the commit. A transaction that throws has
 * no effect: not even an id is used up. Scenario and behaviour can be set; the session has them from the commit on.
 */
export class Transaction extends SessionReader {
  readonly ids: SeededIds;
  readonly events: SessionEvent[] = [];
  readonly #requestId: string | null;
  readonly #changes = new Map<string, RecordChange>();
  #counters: Record<string, number> | undefined;

  constructor(parts: ReaderParts, ids: SeededIds, requestId: string | null) {
    super(parts);
    this.ids = ids;
    this.#requestId = requestId;
  }

  /** The next number of a counter: 1, 2, 3 … Throws `conflict` after MAX_RECORD_NUMBER. */
  next(counter: string): number {
    this.#counters ??= { ...this.countersBefore };
    const number = (this.#counters[counter] ?? 0) + 1;
    if (number > MAX_RECORD_NUMBER) {
      throw new Refusal(
        'conflict',
        `session ${this.sessionName} has given out the last number that a ${counter} can have (${MAX_RECORD_NUMBER}); ` +
          'reset it, or use another session',
      );
    }
    this.#counters[counter] = number;
    return number;
  }

  /** Like `lastCommitted`, with this transaction's own numbers. */
  last(counter: string): number {
    return (this.#counters ?? this.countersBefore)[counter] ?? 0;
  }

  override get<C extends CollectionName>(collection: C, id: string): Records[C] | undefined {
    const change = this.#changes.get(`${collection} ${id}`);
    return change ? ((change.record ?? undefined) as Records[C] | undefined) : super.get(collection, id);
  }

  /** Records by an indexed field, oldest first; then further matching records that this transaction changed. */
  override find<C extends CollectionName>(collection: C, ...by: FindBy<C>): Records[C][] {
    const [field, value] = by;
    const storedRecords = super.find(collection, ...by);
    const ownRecords = new Map<string, Records[C] | null>();
    for (const change of this.#changes.values()) {
      if (change.collection === collection) {
        ownRecords.set(change.id, change.record as Records[C] | null);
      }
    }
    if (ownRecords.size === 0) {
      return storedRecords;
    }
    const current = storedRecords.map((record) => (ownRecords.has(record.id) ? ownRecords.get(record.id) : record));
    const storedIds = new Set(storedRecords.map(({ id }) => id));
    const addedRecords = [...ownRecords].filter(([id]) => !storedIds.has(id)).map(([, record]) => record);
    return [...current, ...addedRecords].filter(
      (record) => record != null && valuesIn(record, field.split('.')).has(value),
    ) as Records[C][];
  }

  put<C extends CollectionName>(collection: C, record: Records[C]): void {
    this.#change(collection, record.id, record);
  }

  remove(collection: CollectionName, id: string): void {
    this.#change(collection, id, null);
  }

  emit(
    type: EventType,
    collection: CollectionName | null,
    subjectId: string | null,
    data: Record<string, unknown> = {},
  ): void {
    const requestId = this.#requestId;
    this.events.push({ id: this.next('event'), at: this.now, type, collection, subjectId, requestId, data });
  }

  get changes(): RecordChange[] {
    return [...this.#changes.values()];
  }

  /** `<collection> <id>` of each record that it put or removed. */
  get changedKeys(): string[] {
    return [...this.#changes.keys()];
  }

  /** Undefined if this transaction used no counter. */
  get counters(): Record<string, number> | undefined {
    return this.#counters;
  }

  #change(collection: CollectionName, id: string, record: AnyRecord | null): void {
    this.#changes.set(`${collection} ${id}`, { collection, id, record });
  }
}
