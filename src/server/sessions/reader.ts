import type { Instant } from '../../base/time.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { CollectionName, FindBy, ListOptions, Records, ResultPage } from '../store/store.ts';
import type { Addresses } from './session-addresses.ts';

/** Changes at a rollback, and when all records are replaced. Data computed in an earlier epoch may be wrong. */
export type Epoch = object;

/** Read access to a session, for transactions and for work that only reads. */
export interface Reader {
  readonly sessionName: string;
  readonly seed: string;
  readonly behaviour: string;
  readonly scenario: string;
  /** The instant that its work belongs to, even if the session's clock moves during the work. */
  readonly now: Instant;
  readonly fixtures: Fixtures;
  readonly addresses: Addresses;
  readonly epoch: Epoch;
  /** The last committed number of a counter; 0 before the first. */
  lastCommitted(counter: string): number;
  get<C extends CollectionName>(collection: C, id: string): Records[C] | undefined;
  /** Records by an indexed field, oldest first. */
  find<C extends CollectionName>(collection: C, ...by: FindBy<C>): Records[C][];
  /** A page of committed records. */
  list<C extends CollectionName>(collection: C, options: ListOptions<Records[C]>): Promise<ResultPage<Records[C]>>;
  /** All committed records of a collection, oldest first. */
  all<C extends CollectionName>(collection: C): Promise<Records[C][]>;
}
