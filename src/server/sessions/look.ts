import type { Instant } from '../../base/time.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { CollectionName, FindBy, ListOptions, Page, Records } from '../store/store.ts';
import type { Addresses } from './addresses.ts';
import type { Reader } from './reader.ts';

/** A reader at one instant, whatever its clock says meanwhile. */
export class Look implements Reader {
  readonly now: Instant;
  readonly #reader: Reader;

  constructor(reader: Reader, now: Instant) {
    this.#reader = reader;
    this.now = now;
  }

  get sessionName(): string {
    return this.#reader.sessionName;
  }

  get seed(): string {
    return this.#reader.seed;
  }

  get behaviour(): string {
    return this.#reader.behaviour;
  }

  get scenario(): string {
    return this.#reader.scenario;
  }

  get fixtures(): Fixtures {
    return this.#reader.fixtures;
  }

  get addresses(): Addresses {
    return this.#reader.addresses;
  }

  get timeline(): object {
    return this.#reader.timeline;
  }

  lastCommitted(counter: string): number {
    return this.#reader.lastCommitted(counter);
  }

  get<C extends CollectionName>(collection: C, id: string): Promise<Records[C] | undefined> {
    return this.#reader.get(collection, id);
  }

  find<C extends CollectionName>(collection: C, ...by: FindBy<C>): Promise<Records[C][]> {
    return this.#reader.find(collection, ...by);
  }

  list<C extends CollectionName>(collection: C, options: ListOptions<Records[C]>): Promise<Page<Records[C]>> {
    return this.#reader.list(collection, options);
  }

  all<C extends CollectionName>(collection: C): Promise<Records[C][]> {
    return this.#reader.all(collection);
  }
}
