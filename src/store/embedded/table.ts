import { Refusal } from '../../refusal.ts';
import type { AnyRecord, ListOptions, Page } from '../store.ts';
import { Tally } from './tally.ts';
import { type Ordinal, ValueIndex } from './value-index.ts';

/** Where a record stands, and which it is. */
export interface Place {
  ordinal: Ordinal;
  record: AnyRecord | undefined;
}

/**
 * One collection of one session in memory: records in order of creation, by id and by their indexed fields.
 * A removed record leaves an empty place (8 bytes) until the session is wiped, so that ordinals, which are the cursors
 * of pages, stay what they are.
 */
export class Table {
  readonly #records: (AnyRecord | undefined)[] = [];
  readonly #ordinals = new Map<string, Ordinal>();
  readonly #indexes: ValueIndex[];
  /** Undefined where nothing is counted. */
  readonly tally: Tally | undefined;
  /** No record stands before this one: a collection that sheds its oldest must not be walked through its past. */
  #first: Ordinal = 0;

  constructor({ indexes, counted }: { indexes: readonly string[]; counted: readonly string[] }) {
    this.#indexes = indexes.map((field) => new ValueIndex(field));
    this.tally = counted.length === 0 ? undefined : new Tally(counted);
  }

  get(id: string): AnyRecord | undefined {
    const ordinal = this.#ordinals.get(id);
    return ordinal === undefined ? undefined : this.#records[ordinal];
  }

  /** All records whose field has that value, oldest first. Throws where the field is not indexed. */
  find(field: string, value: string): AnyRecord[] {
    const index = this.#indexes.find((each) => each.field === field);
    if (!index) {
      throw new Error(`Records are not found by ${field}: add it to the table in store/collections.ts`);
    }
    const found: AnyRecord[] = [];
    for (const ordinal of index.get(value)) {
      const record = this.#records[ordinal];
      if (record) {
        found.push(record);
      }
    }
    return found;
  }

  list(options: ListOptions<AnyRecord>): Page<AnyRecord> {
    const { limit, newestFirst = false, where } = options;
    const step = newestFirst ? -1 : 1;
    const items: AnyRecord[] = [];
    let last: Ordinal = -1;
    for (let at = this.#startOf(options); at >= this.#first && at < this.#records.length; at += step) {
      const record = this.#records[at];
      if (!record || (where && !where(record))) {
        continue;
      }
      if (items.length >= limit) {
        return { items, nextCursor: String(last) };
      }
      items.push(record);
      last = at;
    }
    return { items, nextCursor: null };
  }

  put(id: string, record: AnyRecord): void {
    const known = this.#ordinals.get(id);
    const ordinal = known ?? this.#records.length;
    const before = known === undefined ? undefined : this.#records[known];
    if (known === undefined) {
      this.#ordinals.set(id, ordinal);
    }
    this.#records[ordinal] = record;
    this.#reindex(ordinal, before, record);
  }

  remove(id: string): void {
    const ordinal = this.#ordinals.get(id);
    if (ordinal === undefined) {
      return;
    }
    this.#reindex(ordinal, this.#records[ordinal], undefined);
    this.#ordinals.delete(id);
    this.#records[ordinal] = undefined;
    while (this.#first < this.#records.length && this.#records[this.#first] === undefined) {
      this.#first += 1;
    }
  }

  /** Undefined for an id that there is not. */
  placeOf(id: string): Place | undefined {
    const ordinal = this.#ordinals.get(id);
    return ordinal === undefined ? undefined : { ordinal, record: this.#records[ordinal] };
  }

  /** Takes the latest change of an id back: it stands again where, and as, it stood before. */
  putBack(id: string, place: Place | undefined): void {
    const now = this.#ordinals.get(id);
    if (!place) {
      this.remove(id);
      if (now === this.#records.length - 1) {
        this.#records.pop();
        this.#first = Math.min(this.#first, now);
      }
      return;
    }
    const { ordinal, record } = place;
    this.#ordinals.set(id, ordinal);
    this.#first = Math.min(this.#first, ordinal);
    this.#reindex(ordinal, now === undefined ? undefined : this.#records[now], record);
    this.#records[ordinal] = record;
  }

  /** All records in order of creation, with empty places. A copy: what changes later does not show in it. */
  capture(): readonly (AnyRecord | undefined)[] {
    return this.#records.slice(this.#first);
  }

  #startOf({ after, newestFirst = false }: ListOptions<AnyRecord>): Ordinal {
    if (after === undefined) {
      return newestFirst ? this.#records.length - 1 : this.#first;
    }
    if (!/^\d{1,15}$/.test(after)) {
      throw new Refusal(
        'invalid-field',
        'the cursor is none that a page before ended with: pass its nextCursor as it is',
      );
    }
    return newestFirst ? Math.min(Number(after), this.#records.length) - 1 : Math.max(Number(after) + 1, this.#first);
  }

  #reindex(ordinal: Ordinal, before: AnyRecord | undefined, after: AnyRecord | undefined): void {
    this.tally?.change(before, after);
    for (const index of this.#indexes) {
      const old = before && Reflect.get(before, index.field);
      const fresh = after && Reflect.get(after, index.field);
      if (old === fresh) {
        continue;
      }
      if (typeof old === 'string') {
        index.remove(old, ordinal);
      }
      if (typeof fresh === 'string') {
        index.add(fresh, ordinal);
      }
    }
  }
}
