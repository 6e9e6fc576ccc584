import type {
  DefinedScenario,
  Delivery,
  Endpoint,
  FaultCount,
  Image,
  Merchant,
  Payment,
  PaymentLink,
  PaymentToken,
  Payout,
  RecurringPayment,
  SessionState,
  Settlement,
  ShopCode,
  WebhookQueue,
} from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import type { COLLECTIONS } from './collections.ts';

/** What a session keeps, by collection. Source of each shape: `schemas/records/`. */
export interface Records {
  merchants: Merchant;
  payments: Payment;
  payouts: Payout;
  settlements: Settlement;
  links: PaymentLink;
  images: Image;
  recurringPayments: RecurringPayment;
  paymentTokens: PaymentToken;
  shopCodes: ShopCode;
  endpoints: Endpoint;
  deliveries: Delivery;
  scenarios: DefinedScenario;
  faultCounts: FaultCount;
  webhookQueues: WebhookQueue;
}

export type CollectionName = keyof Records;
export type AnyRecord = Records[CollectionName];

/** All that a session keeps, as it is fetched and put back. */
export type SessionSnapshot = { state: SessionState } & RecordLists;
export type RecordLists = { [Name in CollectionName]?: Records[Name][] };
/** Those whose records can be due. */
export type DueCollection = {
  [C in CollectionName]: Records[C] extends { dueAt: Instant | null } ? C : never;
}[CollectionName];

/** One record put (or, with null, removed). Records are never changed in place: a change is a new object under the same id. */
export interface Change {
  collection: CollectionName;
  id: string;
  record: AnyRecord | null;
}

/** What one request, one settlement or one reset changes; kept whole or not at all. */
export interface Commit {
  session: string;
  /** Forget everything that the session kept before the changes apply. */
  wipe?: boolean;
  /** The session's own facts (seed, clock, rngPosition, counters), where they changed. */
  state?: SessionState;
  changes: readonly Change[];
}

export interface Page<T> {
  items: T[];
  /** Pass it as `after` to get the next page; null on the last. A place in the order of creation, whatever becomes of what is there. */
  nextCursor: number | null;
}

export interface ListOptions<T> {
  limit: number;
  /** The cursor that the page before ended with. */
  after?: number;
  /** Newest first instead of in order of creation. */
  newestFirst?: boolean;
  where?: (record: T) => boolean;
}

/** When a record must be looked at next. */
export interface DueRecord {
  id: string;
  dueAt: Instant;
}

/** When a record must be looked at next; null when never. */
export function dueAtOf(record: object | null | undefined): Instant | null {
  return record && 'dueAt' in record && typeof record.dueAt === 'number' ? record.dueAt : null;
}

/** How many records have these values in the fields that are counted. */
export interface Count {
  values: Readonly<Record<string, string>>;
  records: number;
}

/** Where a session is, for one that was asked for it: here, with the state that was kept of it, if any; or elsewhere, at an address. */
export type Place = { isHere: true; state: SessionState | undefined } | { isHere: false; address: string };

/**
 * The port behind which state lasts. Reads see every commit that was called before them, durable or not;
 * `commit` applies at once and resolves when the change is durable: an answer leaves only after that. One that cannot be
 * kept is rolled back, with all that came upon it, before it rejects with the refusal `storage`.
 */
export interface Store {
  sessions(): Promise<{ name: string; state: SessionState }[]>;
  get<C extends CollectionName>(session: string, collection: C, id: string): Promise<Records[C] | undefined>;
  /** All records whose indexed field has that value, oldest first. Fields: the table in `collections.ts`. */
  find<C extends CollectionName>(session: string, collection: C, ...by: FindBy<C>): Promise<Records[C][]>;
  list<C extends CollectionName>(
    session: string,
    collection: C,
    options: ListOptions<Records[C]>,
  ): Promise<Page<Records[C]>>;
  /** All records that are due at some time, in order of creation. */
  due(session: string, collection: CollectionName): Promise<DueRecord[]>;
  /** How many records a session has, or, where none is named, all of them, by the values of the fields that are counted. Fields: the table in `collections.ts`. */
  counts(collection: CollectionName, session?: string): Promise<readonly Count[]>;
  commit(commit: Commit): Promise<void>;
  /** Makes sure that the session is here, where it can be. Throws `too-many-sessions`, `moved` where it cannot be told where it is, or `unreadable-session`. */
  claim(session: string): Promise<Place>;
  /** Throws `moved` where it is not certain that what is read of the session is what was kept of it last: another process may have it. Throws `unreadable-session` where what was kept cannot be read. */
  expectHeld(session: string): void;
  /** Whether anything is here that was kept of the session. */
  hasKept(session: string): boolean;
  /** Why changes are not kept at present; undefined while they are. */
  readonly failure: string | undefined;
  /** Bytes in the journal of commits; undefined where there is none. */
  readonly journalBytes: number | undefined;
  /** Forget the session and all it kept. */
  drop(session: string): Promise<void>;
  /** Write everything down and let go of the file. */
  close(): Promise<void>;
}

export type IndexedField<C extends CollectionName> = (typeof COLLECTIONS)[C]['indexes'][number] & string;
export type FindBy<C extends CollectionName> = [field: IndexedField<C>, value: string, options?: FindOptions];

/** Which of the records that have a value in a field; left out, all. */
export interface FindOptions {
  /** The id of the oldest one. */
  from?: string;
  /** So many of the newest ones at most. */
  newest?: number;
}

/** The data is corrupted, or held by another process. The sandbox does not start, and nothing is overwritten. */
export class StoreError extends Error {
  readonly file: string;
  readonly line: number | undefined;

  constructor(message: string, file: string, line?: number) {
    super(message);
    this.name = 'StoreError';
    this.file = file;
    this.line = line;
  }
}
