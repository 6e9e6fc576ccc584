import { newTurnPause } from '../../../base/timers.ts';
import {
  type AnyRecord,
  type DueRecord,
  dueAtOf,
  type FindOptions,
  type ListOptions,
  type ResultPage,
} from '../store.ts';
import { type Ordinal, ValueIndex } from './value-index.ts';

/** Undoes a change; later changes must be undone first. */
export type UndoAction = () => void;

/** Separates the values of counted fields. They are names, so none contains it. */
export const SEPARATOR = '\u0000';

/**
 * One collection of one session in memory: records in order of creation, by id and by their indexed fields.
 * A removed record leaves an empty slot until the session is wiped or loaded again, because ordinals are the cursors of pages and must not
 * change.
 */
export class Table<R extends AnyRecord> {
  readonly #records: (R | undefined)[] = [];
  readonly #ordinals = new Map<string, Ordinal>();
  readonly #indexes: readonly ValueIndex[];
  readonly #countedFields: readonly string[];
  readonly #counts = new Map<string, number>();
  /** The ordinal of the oldest record, so that reads skip the empty slots of a collection that drops its oldest records. */
  #first: Ordinal = 0;

  constructor({ indexes, counted }: { indexes: readonly string[]; counted: readonly string[] }) {
    this.#indexes = indexes.map((field) => new ValueIndex(field));
    this.#countedFields = counted;
  }

  /** Number of records by the values of the counted fields, joined by `SEPARATOR`. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  get(id: string): R | undefined {
    const ordinal = this.#ordinals.get(id);
    return ordinal === undefined ? undefined : this.#records[ordinal];
  }

  /** How many older records there are. */
  indexOf(id: string): number {
    return this.#records.slice(this.#first, this.#ordinals.get(id)).filter((record) => record !== undefined).length;
  }

  /** All records whose field has that value, oldest first. Throws if the field is not indexed. */
  find(field: string, value: string, { from, newest }: FindOptions = {}): R[] {
    const index = this.#indexes.find((each) => each.field === field);
    if (!index) {
      throw new Error(`The field ${field} is not indexed: add it to the table in store/collections.ts`);
    }
    const first = from === undefined ? undefined : this.#ordinals.get(from);
    const ordinals = index.get(value, first);
    return (newest === undefined ? ordinals : ordinals.slice(-newest)).flatMap(
      (ordinal) => this.#records[ordinal] ?? [],
    );
  }

  due(): DueRecord[] {
    return this.all().flatMap((record) => {
      const dueAt = dueAtOf(record);
      return dueAt === null ? [] : { id: record.id, dueAt };
    });
  }

  /** One page of records. Yields to other work, because a filter may have to test a million records to find one. */
  async list(options: ListOptions<R>): Promise<ResultPage<R>> {
    const { limit, newestFirst = false, where } = options;
    const step = newestFirst ? -1 : 1;
    const items: R[] = [];
    const pause = newTurnPause();
    let last: Ordinal = -1;
    for (let at = this.#startOf(options); at >= this.#first && at < this.#records.length; at += step) {
      const record = this.#records[at];
      if (!record) {
        continue;
      }
      const nextTurn = pause();
      if (nextTurn) {
        await nextTurn;
      }
      if (where && !where(record)) {
        continue;
      }
      if (items.length >= limit) {
        return { items, nextCursor: last };
      }
      items.push(record);
      last = at;
    }
    return { items, nextCursor: null };
  }

  /** Replaces the record with that id, or appends it; with null, removes it. */
  put(id: string, record: R | null): UndoAction {
    const existingOrdinal = this.#ordinals.get(id);
    const ordinal = existingOrdinal ?? this.#records.length;
    const before = this.#records[ordinal];
    const first = this.#first;
    if (!before && !record) {
      return () => undefined;
    }
    this.#replace(id, ordinal, record ?? undefined);
    while (this.#first < this.#records.length && !this.#records[this.#first]) {
      this.#first += 1;
    }
    return () => {
      this.#replace(id, ordinal, before);
      this.#first = first;
      if (!before) {
        this.#records.pop();
      }
    };
  }

  /** All records in order of creation, as they are now. */
  all(): R[] {
    return this.#records.slice(this.#first).filter((record) => record !== undefined);
  }

  #replace(id: string, ordinal: Ordinal, record: R | undefined): void {
    const before = this.#records[ordinal];
    this.#records[ordinal] = record;
    if (record) {
      this.#ordinals.set(id, ordinal);
    } else {
      this.#ordinals.delete(id);
    }
    for (const index of this.#indexes) {
      index.update(ordinal, before, record);
    }
    if (this.#countedFields.length > 0) {
      this.#count(before, -1);
      this.#count(record, 1);
    }
  }

  #count(record: R | undefined, change: 1 | -1): void {
    if (record) {
      const key = this.#countedFields.map((field) => Reflect.get(record, field)).join(SEPARATOR);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + change);
    }
  }

  #startOf({ after, newestFirst = false }: ListOptions<R>): Ordinal {
    if (after === undefined) {
      return newestFirst ? this.#records.length - 1 : this.#first;
    }
    return newestFirst ? Math.min(after, this.#records.length) - 1 : Math.max(after + 1, this.#first);
  }
}
