import type { SessionState } from '../../base/schema/generated/records.ts';
import type { Instant } from '../../base/time.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { CollectionName, FindBy, ListOptions, Records, ResultPage, Store } from '../store/store.ts';
import { STANDARD_BEHAVIOUR } from './behaviour-name.ts';
import type { Generation } from './generation.ts';
import type { Epoch, Reader } from './reader.ts';
import type { Addresses } from './session-addresses.ts';

export interface ReaderParts extends Pick<SessionReader, 'sessionName' | 'fixtures' | 'generation' | 'epoch' | 'now'> {
  store: Store;
  /** Called on demand, because sessions are also read before the sandbox listens. */
  addresses: () => Addresses;
  state: SessionState;
}

/** Reads current records, with the session's state as it was when the reader was created. */
export class SessionReader implements Reader {
  readonly sessionName: string;
  readonly seed: string;
  readonly generation: Generation;
  readonly now: Instant;
  readonly fixtures: Fixtures;
  readonly epoch: Epoch;
  scenario: string;
  behaviour: string;
  protected readonly countersBefore: Readonly<Record<string, number>>;
  readonly #addresses: () => Addresses;
  readonly #store: Store;

  constructor({ sessionName, state, generation, now, fixtures, epoch, addresses, store }: ReaderParts) {
    this.sessionName = sessionName;
    this.seed = state.seed;
    this.generation = generation;
    this.now = now;
    this.fixtures = fixtures;
    this.epoch = epoch;
    this.scenario = state.scenario;
    this.behaviour = state.behaviour ?? STANDARD_BEHAVIOUR;
    this.countersBefore = state.counters;
    this.#addresses = addresses;
    this.#store = store;
  }

  get addresses(): Addresses {
    return this.#addresses();
  }

  lastCommitted(counter: string): number {
    return this.countersBefore[counter] ?? 0;
  }

  get<C extends CollectionName>(collection: C, id: string): Records[C] | undefined {
    return this.#committed.get(this.sessionName, collection, id);
  }

  find<C extends CollectionName>(collection: C, ...by: FindBy<C>): Records[C][] {
    return this.#committed.find(this.sessionName, collection, ...by);
  }

  async list<C extends CollectionName>(
    collection: C,
    options: ListOptions<Records[C]>,
  ): Promise<ResultPage<Records[C]>> {
    return this.#committed.list(this.sessionName, collection, options);
  }

  async all<C extends CollectionName>(collection: C): Promise<Records[C][]> {
    return (await this.list(collection, { limit: Number.MAX_SAFE_INTEGER })).items;
  }

  /** Once its generation has ended, the store may contain the records of a new session with the same name. */
  get #committed(): Store {
    this.generation.assertCurrent();
    return this.#store;
  }
}
