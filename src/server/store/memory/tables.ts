import { namesIn } from '../../../base/members.ts';
import type { SessionState } from '../../../base/schema/generated/records.ts';
import { COLLECTIONS } from '../collections.ts';
import type { AnyRecord, CollectionName, Commit, CountedRecords, Records, SessionSnapshot } from '../store.ts';
import { SEPARATOR, Table, type UndoAction } from './table.ts';

interface SessionTables {
  state: SessionState;
  /** Created on first use, because most sessions have records in a few collections only. */
  tables: { [Name in CollectionName]?: Table<Records[Name]> };
}

/** A session at one moment, in the form from which state files and snapshots in a database are written. */
export interface CapturedSession {
  name: string;
  state: SessionState;
  /** The collections that have records. */
  collections: { name: CollectionName; records: AnyRecord[] }[];
}

/**
 * All data in memory, from which every engine answers reads. Returns the committed objects themselves; in tests, the check of
 * commits makes sure that no code changes a record in place.
 */
export class Tables {
  #sessions = new Map<string, SessionTables>();

  states(): { name: string; state: SessionState }[] {
    return [...this.#sessions].map(([name, { state }]) => ({ name, state }));
  }

  has(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** Undefined for an unknown session, and until a record of the collection is put for the first time. */
  table<C extends CollectionName>(session: string, collection: C): Table<Records[C]> | undefined {
    return this.#sessions.get(session)?.tables[collection];
  }

  counts(collection: CollectionName, session?: string): CountedRecords[] {
    const sums = new Map<string, number>();
    const names = session === undefined ? this.#sessions.keys() : [session];
    for (const name of names) {
      for (const [key, records] of this.table(name, collection)?.counts ?? []) {
        sums.set(key, (sums.get(key) ?? 0) + records);
      }
    }
    const fields = COLLECTIONS[collection].counted;
    const counts = [...sums].filter(([, records]) => records > 0).sort(([one], [other]) => (one < other ? -1 : 1));
    return counts.map(([key, records]) => {
      const values = key.split(SEPARATOR);
      return { values: Object.fromEntries(fields.map((field, index) => [field, values[index] ?? ''])), records };
    });
  }

  /** Applies a commit. Throws, without changes, if the commit is invalid. */
  apply(commit: Commit): UndoAction {
    const existing = this.#sessions.get(commit.session);
    const session = existing ?? newSession(commit);
    for (const change of commit.changes) {
      checkChange(change);
    }
    const { state, tables } = session;
    this.#sessions.set(commit.session, session);
    if (commit.wipe) {
      session.tables = {};
    }
    session.state = commit.state ?? session.state;
    const undos = commit.changes.map(({ collection, id, record }) => tableOf(session, collection).put(id, record));
    return () => {
      for (const undo of undos.reverse()) {
        undo();
      }
      session.state = state;
      session.tables = tables;
      if (!existing) {
        this.#sessions.delete(commit.session);
      }
    };
  }

  drop(session: string): UndoAction {
    const before = new Map(this.#sessions);
    this.#sessions.delete(session);
    return () => {
      this.#sessions = before;
    };
  }

  /** All sessions as they are now; later changes do not affect the result. */
  capture(): CapturedSession[] {
    return [...this.#sessions.keys()].flatMap((name) => this.captureSession(name) ?? []);
  }

  captureSession(name: string): CapturedSession | undefined {
    const session = this.#sessions.get(name);
    if (!session) {
      return undefined;
    }
    const { state, tables } = session;
    const collections = namesIn(tables).map((collection) => ({
      name: collection,
      records: tables[collection]?.all() ?? [],
    }));
    return { name, state, collections: collections.filter(({ records }) => records.length > 0) };
  }

  /** A session as it is now, in the form of an exported state. */
  snapshotOf(name: string): SessionSnapshot | undefined {
    const captured = this.captureSession(name);
    const collections = captured?.collections.map(({ name: collection, records }) => [collection, records] as const);
    return captured && Object.assign({ state: captured.state }, Object.fromEntries(collections ?? []));
  }

  /** Adds or replaces a session that was read from storage. Not as a commit, because that would keep an undo action for each record. */
  load(name: string, { state, ...collections }: SessionSnapshot): void {
    const session: SessionTables = { state, tables: {} };
    for (const collection of namesIn(collections)) {
      const table = tableOf(session, collection);
      for (const record of collections[collection] ?? []) {
        table.put(record.id, record);
      }
    }
    this.#sessions.set(name, session);
  }

  stateOf(session: string): SessionState | undefined {
    return this.#sessions.get(session)?.state;
  }
}

function newSession({ session, state }: Commit): SessionTables {
  if (!state) {
    throw new Error(`The first commit of session ${session} must contain the session's state`);
  }
  return { state, tables: {} };
}

function tableOf({ tables }: SessionTables, collection: CollectionName): Table<AnyRecord> {
  const table = tables[collection] ?? new Table<AnyRecord>(COLLECTIONS[collection]);
  Object.assign(tables, { [collection]: table });
  return table;
}

function checkChange({ collection, id, record }: Commit['changes'][number]): void {
  if (!Object.hasOwn(COLLECTIONS, collection)) {
    throw new Error(`There is no collection ${collection}`);
  }
  if (record && record.id !== id) {
    throw new Error(`A record of ${collection} is to be stored as ${id}, but its id is ${record.id}`);
  }
}
