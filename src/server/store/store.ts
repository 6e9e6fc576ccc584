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
} from '../../base/schema/generated/records.ts';
import type { Instant } from '../../base/time.ts';
import type { COLLECTIONS } from './collections.ts';

/** A session's records, by collection. Their formats are defined in `schemas/records/`. */
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

/** All data of a session, as it is exported and imported. */
export type SessionSnapshot = { state: SessionState } & RecordLists;
export type RecordLists = { [Name in CollectionName]?: Records[Name][] };
/** The collections whose records can be due. */
export type DueCollection = {
  [C in CollectionName]: Records[C] extends { dueAt: Instant | null } ? C : never;
}[CollectionName];

/** One record put (or, with null, removed). Records are never changed in place: a change is a new object under the same id. */
export interface RecordChange {
  collection: CollectionName;
  id: string;
  record: AnyRecord | null;
}

/** A record as it was before a change that replaced or removed it. */
export interface UndoChange extends RecordChange {
  record: AnyRecord;
  /** If the undo restores a removed record: how many older records its collection has. */
  index: number | null;
}

/** Changes that are stored completely or not at all. */
export interface Commit {
  session: string;
  /** Delete all records of the session before the changes are applied. Its state stays, unless `state` replaces it. */
  wipe?: boolean;
  /** The session's state apart from its records, if it changed. */
  state?: SessionState;
  changes: readonly RecordChange[];
}

export interface ResultPage<T> {
  items: T[];
  /** Pass it as `after` to get the next page; null on the last. Valid until the session is wiped or loaded again. */
  nextCursor: number | null;
}

export interface ListOptions<T> {
  limit: number;
  /** `nextCursor` of the previous page. */
  after?: number;
  /** Newest first instead of oldest first. */
  newestFirst?: boolean;
  where?: (record: T) => boolean;
}

/** A record that the scheduler must process at an instant. */
export interface DueRecord {
  id: string;
  dueAt: Instant;
}

/** When a record is next due; null if never. */
export function dueAtOf(record: object | null | undefined): Instant | null {
  return record && 'dueAt' in record && typeof record.dueAt === 'number' ? record.dueAt : null;
}

/** How many records have these values in the counted fields. */
export interface CountedRecords {
  values: Readonly<Record<string, string>>;
  records: number;
}

/** The location of a session: this process, with its stored state, if any; or the address of another process. */
export type SessionLocation = { isHere: true; state: SessionState | undefined } | { isHere: false; address: string };

/**
 * The port to the stored state. Reads of a session are answered from memory, and see every earlier commit, durable or not. `commit`
 * applies a change at once and resolves when it is durable, and answers are only sent after that. Before it rejects, the change and all
 * later ones of its session are removed from memory; only after an OutcomeUnknown may they reappear when the data is read again.
 */
export interface Store {
  sessions(): Promise<{ name: string; state: SessionState }[]>;
  get<C extends CollectionName>(session: string, collection: C, id: string): Records[C] | undefined;
  /** All records whose indexed field has that value, oldest first. */
  find<C extends CollectionName>(session: string, collection: C, ...by: FindBy<C>): Records[C][];
  list<C extends CollectionName>(
    session: string,
    collection: C,
    options: ListOptions<Records[C]>,
  ): Promise<ResultPage<Records[C]>>;
  /** All records with a due time, in order of creation. */
  due(session: string, collection: CollectionName): Promise<DueRecord[]>;
  /** Number of records of one session, or of all, by the values of the counted fields. */
  counts(collection: CollectionName, session?: string): Promise<readonly CountedRecords[]>;
  commit(commit: Commit): Promise<void>;
  /** The records that these changes would replace or remove. Synchronous, because another commit in between could replace them. */
  undoOf(session: string, changes: readonly RecordChange[]): readonly UndoChange[];
  /** Brings the session into this process, if possible. Throws `too-many-sessions`, `unreadable-session`, or `moved` if its location is unknown. */
  claim(session: string): Promise<SessionLocation>;
  /** Throws `moved` if another process may own the session, so that reads may be outdated, and `unreadable-session` if it cannot be read. */
  assertOwned(session: string): void;
  hasData(session: string): boolean;
  /** Why changes cannot be stored at present; undefined if no reason is known. */
  readonly failure: string | undefined;
  /** Bytes in the journal file of commits; undefined without such a file. */
  readonly journalBytes: number | undefined;
  /** Deletes the session and its data, if this process has them. */
  drop(session: string): Promise<void>;
  /** Writes everything, and releases the file or the database. */
  close(): Promise<void>;
}

export type IndexedField<C extends CollectionName> = (typeof COLLECTIONS)[C]['indexes'][number] & string;
export type FindBy<C extends CollectionName> = [field: IndexedField<C>, value: string, options?: FindOptions];

/** Limits a search by an indexed field. Default: all records with the value. */
export interface FindOptions {
  /** Only the record with this id and newer ones. Without effect if there is no such record. */
  from?: string;
  /** Only the N newest records. */
  newest?: number;
}

/** Stored data cannot be used, for example because it is corrupted or locked. `file` may be the URL of a database. */
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
