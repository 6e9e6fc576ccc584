import { endOfTurn } from '../../base/timers.ts';
import { type AnyRecord, type DueRecord, dueAtOf, type ListOptions, type Page } from '../store.ts';
import { IdIndex } from './id-index.ts';
import { type CapturedRecords, PackedRecords } from './packed-records.ts';
import { idIn } from './record-id.ts';
import { Tally } from './tally.ts';
import { type Ordinal, ValueIndex } from './value-index.ts';

/** Where a record stands, and its JSON. */
export interface Place {
  ordinal: Ordinal;
  json: Buffer;
}

/** So many records are looked at in one turn of the event loop: a few milliseconds. */
const LOOKS_PER_TURN = 1000;
/** Stands for the due time of a record that is not due. */
const NEVER = -1;

/**
 * One collection of one session in memory: records in order of creation, by id and by their indexed fields.
 * A removed record leaves an empty place (16 bytes) until the session is wiped, so that ordinals, which are the cursors
 * of pages, stay what they are.
 */
export class Table {
  readonly #records = new PackedRecords();
  readonly #dueAts: number[] = [];
  readonly #ids = new IdIndex();
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
    const ordinal = this.#ordinalOf(id);
    return ordinal === undefined ? undefined : this.#records.get(ordinal);
  }

  /** All records whose field has that value, oldest first. Throws where the field is not indexed. */
  find(field: string, value: string): AnyRecord[] {
    const index = this.#indexes.find((each) => each.field === field);
    if (!index) {
      throw new Error(`Records are not found by ${field}: add it to the table in store/collections.ts`);
    }
    const found: AnyRecord[] = [];
    for (const ordinal of index.get(value)) {
      const record = this.#records.get(ordinal);
      if (record && Reflect.get(record, field) === value) {
        found.push(record);
      }
    }
    return found;
  }

  /** All records that are due at some time, in order of creation. */
  due(): DueRecord[] {
    const due: DueRecord[] = [];
    for (let ordinal = this.#first; ordinal < this.#records.length; ordinal += 1) {
      const dueAt = this.#dueAts[ordinal] ?? NEVER;
      const json = dueAt === NEVER ? undefined : this.#records.bytesOf(ordinal);
      if (json) {
        due.push({ id: idIn(json), dueAt });
      }
    }
    return due;
  }

  /** A page. Lets other work through now and then: a filter may have to look at a million records to find one. */
  async list(options: ListOptions<AnyRecord>): Promise<Page<AnyRecord>> {
    const { limit, newestFirst = false, where } = options;
    const step = newestFirst ? -1 : 1;
    const items: AnyRecord[] = [];
    let looks = 0;
    let last: Ordinal = -1;
    for (let at = this.#startOf(options); at >= this.#first && at < this.#records.length; at += step) {
      const record = this.#records.get(at);
      if (!record) {
        continue;
      }
      looks += 1;
      if (looks % LOOKS_PER_TURN === 0) {
        await endOfTurn();
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

  /** Keeps a record as its JSON. */
  put(id: string, record: object, json: string | Buffer): void {
    const known = this.#ordinalOf(id);
    if (known === undefined) {
      this.#append(id, record, json);
      return;
    }
    const before = this.#records.get(known);
    this.#records.put(known, json);
    this.#reindex(known, before, record);
  }

  /** Keeps a record at the end, where there is none with its id; otherwise returns false. */
  add(id: string, record: object, json: string | Buffer): boolean {
    if (this.#ordinalOf(id) !== undefined) {
      return false;
    }
    this.#append(id, record, json);
    return true;
  }

  remove(id: string): void {
    const ordinal = this.#ordinalOf(id);
    if (ordinal === undefined) {
      return;
    }
    this.#reindex(ordinal, this.#records.get(ordinal), undefined);
    this.#ids.remove(id, ordinal);
    this.#records.remove(ordinal);
    while (this.#first < this.#records.length && !this.#records.has(this.#first)) {
      this.#first += 1;
    }
  }

  /** Undefined for an id that there is not. */
  placeOf(id: string): Place | undefined {
    const ordinal = this.#ordinalOf(id);
    const json = ordinal === undefined ? undefined : this.#records.bytesOf(ordinal);
    return ordinal === undefined || json === undefined ? undefined : { ordinal, json };
  }

  /** Takes the latest change of an id back: it stands again where, and as, it stood before. */
  putBack(id: string, place: Place | undefined): void {
    const now = this.#ordinalOf(id);
    if (!place) {
      this.remove(id);
      if (now !== undefined && now === this.#records.length - 1) {
        this.#records.pop();
        this.#first = Math.min(this.#first, now);
      }
      return;
    }
    const { ordinal, json } = place;
    const record = now === undefined ? undefined : this.#records.get(now);
    if (now === undefined) {
      this.#ids.add(id, ordinal);
    }
    this.#first = Math.min(this.#first, ordinal);
    this.#records.put(ordinal, json);
    this.#reindex(ordinal, record, this.#records.get(ordinal));
  }

  /** The JSON of all records in order of creation, as they are now. */
  capture(): CapturedRecords {
    return this.#records.capture(this.#first);
  }

  #ordinalOf(id: string): Ordinal | undefined {
    return this.#ids.get(id).find((ordinal) => {
      const json = this.#records.bytesOf(ordinal);
      return json !== undefined && idIn(json) === id;
    });
  }

  /** Of the record itself it is enough to have what the table finds, counts and wakes it by. */
  #append(id: string, record: object, json: string | Buffer): void {
    const ordinal = this.#records.length;
    this.#ids.add(id, ordinal);
    this.#records.put(ordinal, json);
    this.#reindex(ordinal, undefined, record);
  }

  #startOf({ after, newestFirst = false }: ListOptions<AnyRecord>): Ordinal {
    if (after === undefined) {
      return newestFirst ? this.#records.length - 1 : this.#first;
    }
    return newestFirst ? Math.min(after, this.#records.length) - 1 : Math.max(after + 1, this.#first);
  }

  #reindex(ordinal: Ordinal, before: object | undefined, after: object | undefined): void {
    this.tally?.change(before, after);
    this.#dueAts[ordinal] = dueAtOf(after) ?? NEVER;
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
