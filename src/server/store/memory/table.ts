import { pauses } from '../../../base/timers.ts';
import { type AnyRecord, type DueRecord, dueAtOf, type FindOptions, type ListOptions, type Page } from '../store.ts';
import { type Ordinal, ValueIndex } from './value-index.ts';

/** Takes a change back; only good while no later one stands. */
export type Undo = () => void;

/** Stands between the values of what is counted, and in none: they are names. */
export const BETWEEN = '\u0000';

/**
 * One collection of one session in memory: records in order of creation, by id and by their indexed fields.
 * A removed record leaves an empty place until the session is wiped, so that ordinals, which are the cursors of pages, stay
 * what they are.
 */
export class Table<R extends AnyRecord> {
  readonly #records: (R | undefined)[] = [];
  readonly #ordinals = new Map<string, Ordinal>();
  readonly #indexes: readonly ValueIndex[];
  readonly #counted: readonly string[];
  readonly #counts = new Map<string, number>();
  /** No record stands before this one: a collection that sheds its oldest must not be walked through its past. */
  #first: Ordinal = 0;

  constructor({ indexes, counted }: { indexes: readonly string[]; counted: readonly string[] }) {
    this.#indexes = indexes.map((field) => new ValueIndex(field));
    this.#counted = counted;
  }

  /** How many records there are, by the values of the fields that are counted, as `BETWEEN` stands between them. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  get(id: string): R | undefined {
    const ordinal = this.#ordinals.get(id);
    return ordinal === undefined ? undefined : this.#records[ordinal];
  }

  /** All records whose field has that value, oldest first. Throws where the field is not indexed. */
  find(field: string, value: string, { from, newest }: FindOptions = {}): R[] {
    const index = this.#indexes.find((each) => each.field === field);
    if (!index) {
      throw new Error(`Records are not found by ${field}: add it to the table in store/collections.ts`);
    }
    const first = from === undefined ? undefined : this.#ordinals.get(from);
    const ordinals = index.get(value, first);
    return (newest === undefined ? ordinals : ordinals.slice(-newest)).flatMap(
      (ordinal) => this.#records[ordinal] ?? [],
    );
  }

  /** All records that are due at some time, in order of creation. */
  due(): DueRecord[] {
    return this.all().flatMap((record) => {
      const dueAt = dueAtOf(record);
      return dueAt === null ? [] : { id: record.id, dueAt };
    });
  }

  /** A page. Lets other work through now and then: a filter may have to look at a million records to find one. */
  async list(options: ListOptions<R>): Promise<Page<R>> {
    const { limit, newestFirst = false, where } = options;
    const step = newestFirst ? -1 : 1;
    const items: R[] = [];
    const pause = pauses();
    let last: Ordinal = -1;
    for (let at = this.#startOf(options); at >= this.#first && at < this.#records.length; at += step) {
      const record = this.#records[at];
      if (!record) {
        continue;
      }
      const paused = pause();
      if (paused) {
        await paused;
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

  /** Keeps a record in the place of the one with its id, or at the end; with null, removes it. */
  put(id: string, record: R | null): Undo {
    const known = this.#ordinals.get(id);
    const ordinal = known ?? this.#records.length;
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
      index.move(ordinal, before, record);
    }
    if (this.#counted.length > 0) {
      this.#count(before, -1);
      this.#count(record, 1);
    }
  }

  #count(record: R | undefined, change: 1 | -1): void {
    if (record) {
      const key = this.#counted.map((field) => Reflect.get(record, field)).join(BETWEEN);
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
