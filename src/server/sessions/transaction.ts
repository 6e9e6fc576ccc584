import { Refusal } from '../../base/refusal.ts';
import type { EventType } from '../../base/schema/control.ts';
import type { SessionState } from '../../base/schema/records.ts';
import type { SeededIds } from '../../base/seeded-ids.ts';
import type { Instant } from '../../base/time.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { valuesIn } from '../store/collections.ts';
import { LAST_NUMBER } from '../store/record-numbers.ts';
import type {
  AnyRecord,
  CollectionName,
  FindBy,
  ListOptions,
  RecordChange,
  Records,
  ResultPage,
  Store,
} from '../store/store.ts';
import { STANDARD_BEHAVIOUR } from './behaviour-name.ts';
import type { SessionEvent } from './event-log.ts';
import type { Generation } from './generation.ts';
import type { Reader } from './reader.ts';
import type { Addresses } from './session-addresses.ts';

interface TransactionParts
  extends Pick<Transaction, 'sessionName' | 'fixtures' | 'ids' | 'generation' | 'timeline' | 'now'> {
  store: Store;
  /** Called on demand, because sessions are also read before the sandbox listens. */
  addresses: () => Addresses;
  state: SessionState;
  /** The call of the merchant API that it belongs to. */
  requestId: string | null;
}

/**
 * The reads and changes of one request, settlement or control call. Its changes are visible to others only after the
 * commit; a transaction that throws has no effect: not even an id is used up.
 */
export class Transaction implements Reader {
  readonly sessionName: string;
  readonly seed: string;
  readonly generation: Generation;
  readonly now: Instant;
  readonly fixtures: Fixtures;
  readonly ids: SeededIds;
  readonly timeline: object;
  readonly events: SessionEvent[] = [];
  readonly #addresses: () => Addresses;
  readonly #requestId: string | null;
  readonly #store: Store;
  readonly #changes = new Map<string, RecordChange>();
  readonly #before: Readonly<Record<string, number>>;
  #counters: Record<string, number> | undefined;
  /** The scenario that the session follows from this commit on. */
  scenario: string;
  /** The behaviour that the session has from this commit on. */
  behaviour: string;

  constructor(parts: TransactionParts) {
    this.sessionName = parts.sessionName;
    this.seed = parts.state.seed;
    this.generation = parts.generation;
    this.now = parts.now;
    this.fixtures = parts.fixtures;
    this.#addresses = parts.addresses;
    this.ids = parts.ids;
    this.timeline = parts.timeline;
    this.#requestId = parts.requestId;
    this.scenario = parts.state.scenario;
    this.behaviour = parts.state.behaviour ?? STANDARD_BEHAVIOUR;
    this.#store = parts.store;
    this.#before = parts.state.counters;
  }

  get addresses(): Addresses {
    return this.#addresses();
  }

  /** 1, 2, 3 … for each name, never the same twice in a session. Throws `conflict` after the last one. */
  next(counter: string): number {
    this.#counters ??= { ...this.#before };
    const number = (this.#counters[counter] ?? 0) + 1;
    if (number > LAST_NUMBER) {
      throw new Refusal(
        'conflict',
        `session ${this.sessionName} has given out the last number that a ${counter} can have (${LAST_NUMBER}); ` +
          'reset it, or use another session',
      );
    }
    this.#counters[counter] = number;
    return number;
  }

  /** 0 if there was no number yet. */
  last(counter: string): number {
    return (this.#counters ?? this.#before)[counter] ?? 0;
  }

  /** The same without the numbers of this transaction. */
  lastCommitted(counter: string): number {
    return this.#before[counter] ?? 0;
  }

  async get<C extends CollectionName>(collection: C, id: string): Promise<Records[C] | undefined> {
    const change = this.#changes.get(`${collection} ${id}`);
    return change
      ? ((change.record ?? undefined) as Records[C] | undefined)
      : this.#committed.get(this.sessionName, collection, id);
  }

  /** Records by an indexed field, oldest first, this transaction's own changes included. */
  async find<C extends CollectionName>(collection: C, ...by: FindBy<C>): Promise<Records[C][]> {
    const [field, value] = by;
    const kept = await this.#committed.find(this.sessionName, collection, ...by);
    const own = new Map<string, Records[C] | null>();
    for (const change of this.#changes.values()) {
      if (change.collection === collection) {
        own.set(change.id, change.record as Records[C] | null);
      }
    }
    if (own.size === 0) {
      return kept;
    }
    const present = kept.map((record) => (own.has(record.id) ? own.get(record.id) : record));
    const known = new Set(kept.map(({ id }) => id));
    const added = [...own].filter(([id]) => !known.has(id)).map(([, record]) => record);
    return [...present, ...added].filter(
      (record) => record != null && valuesIn(record, field).has(value),
    ) as Records[C][];
  }

  /** Committed records only, without this transaction's own changes. */
  async list<C extends CollectionName>(
    collection: C,
    options: ListOptions<Records[C]>,
  ): Promise<ResultPage<Records[C]>> {
    return this.#committed.list(this.sessionName, collection, options);
  }

  async all<C extends CollectionName>(collection: C): Promise<Records[C][]> {
    return (await this.list(collection, { limit: Number.MAX_SAFE_INTEGER })).items;
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

  /** Undefined if this transaction used none. */
  get counters(): Record<string, number> | undefined {
    return this.#counters;
  }

  /** Once its generation has ended, the store may have the records of another session of that name. */
  get #committed(): Store {
    this.generation.expectCurrent();
    return this.#store;
  }

  #change(collection: CollectionName, id: string, record: AnyRecord | null): void {
    this.#changes.set(`${collection} ${id}`, { collection, id, record });
  }
}
