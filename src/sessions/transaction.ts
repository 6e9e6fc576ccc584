import type { Fixtures } from '../config/fixtures.ts';
import type { SessionState } from '../schema/records.ts';
import type { AnyRecord, Change, CollectionName, IndexedField, Records, Store } from '../store/store.ts';
import type { Instant } from '../time.ts';
import type { Addresses } from './addresses.ts';
import type { SessionEvent } from './event-log.ts';
import type { SeededIds } from './ids.ts';

/** What a transaction stands on: its session's parts, handed over so that a transaction needs no session. */
export interface TransactionParts {
  name: string;
  store: Store;
  fixtures: Fixtures;
  addresses: Addresses;
  ids: SeededIds;
  state: SessionState;
  now: Instant;
}

/**
 * One unit of work on a session: what a request, a settlement or a control call reads and changes. Nothing of it is
 * seen by anyone else until the session commits it; a transaction that throws leaves no trace, not even a used-up id.
 */
export class Transaction {
  readonly session: string;
  readonly seed: string;
  readonly now: Instant;
  readonly fixtures: Fixtures;
  readonly addresses: Addresses;
  readonly ids: SeededIds;
  readonly events: SessionEvent[] = [];
  readonly #store: Store;
  readonly #changes = new Map<string, Change>();
  readonly #before: Readonly<Record<string, number>>;
  #counters: Record<string, number> | undefined;

  constructor(ground: TransactionParts) {
    this.session = ground.name;
    this.seed = ground.state.seed;
    this.now = ground.now;
    this.fixtures = ground.fixtures;
    this.addresses = ground.addresses;
    this.ids = ground.ids;
    this.#store = ground.store;
    this.#before = ground.state.counters;
  }

  /** 1, 2, 3 … for each name, never given out twice in a session. */
  next(counter: string): number {
    this.#counters ??= { ...this.#before };
    const number = (this.#counters[counter] ?? 0) + 1;
    this.#counters[counter] = number;
    return number;
  }

  async get<C extends CollectionName>(collection: C, id: string): Promise<Records[C] | undefined> {
    const change = this.#changes.get(`${collection} ${id}`);
    return change
      ? ((change.record ?? undefined) as Records[C] | undefined)
      : this.#store.get(this.session, collection, id);
  }

  /** Records by an indexed field, oldest first, this transaction's own changes included. */
  async find<C extends CollectionName>(collection: C, field: IndexedField<C>, value: string): Promise<Records[C][]> {
    const kept = await this.#store.find(this.session, collection, field, value);
    if (this.#changes.size === 0) {
      return kept;
    }
    const untouched = kept.filter((record) => !this.#changes.has(`${collection} ${record.id}`));
    const own = [...this.#changes.values()]
      .filter((change) => change.collection === collection && change.record !== null)
      .map((change) => change.record as Records[C])
      .filter((record) => Reflect.get(record, field) === value);
    return [...untouched, ...own];
  }

  /** All records of a small collection, oldest first. */
  async all<C extends CollectionName>(collection: C): Promise<Records[C][]> {
    const { items } = await this.#store.list(this.session, collection, { limit: Number.MAX_SAFE_INTEGER });
    return items;
  }

  put<C extends CollectionName>(collection: C, record: Records[C]): void {
    this.#change(collection, record.id, record);
  }

  remove(collection: CollectionName, id: string): void {
    this.#change(collection, id, null);
  }

  emit(
    type: string,
    collection: CollectionName | null,
    subjectId: string | null,
    data: Record<string, unknown> = {},
  ): void {
    this.events.push({ id: this.next('event'), at: this.now, type, collection, subjectId, data });
  }

  get changes(): Change[] {
    return [...this.#changes.values()];
  }

  /** The counters, where this transaction used one. */
  get counters(): Record<string, number> | undefined {
    return this.#counters;
  }

  #change(collection: CollectionName, id: string, record: AnyRecord | null): void {
    this.#changes.set(`${collection} ${id}`, { collection, id, record });
  }
}
