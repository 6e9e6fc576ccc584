import type { SessionState } from '../../base/schema/records.ts';
import { COLLECTIONS } from '../collections.ts';
import type { CollectionName, Commit, Count } from '../store.ts';
import type { CommitTexts } from './commit-texts.ts';
import type { CapturedRecords } from './packed-records.ts';
import { type Place, Table } from './table.ts';
import { Tally } from './tally.ts';

interface SessionTables {
  state: SessionState;
  /** Made on first use: of a thousand sessions most keep a few records in a few collections. */
  tables: Map<CollectionName, Table>;
}

/** One session as it was at one moment. */
export interface CapturedSession {
  name: string;
  state: SessionState;
  collections: { name: CollectionName; records: CapturedRecords }[];
}

/** Takes a change back; only good while no later one stands. */
export type Undo = () => void;

/** Everything that is kept, in memory: what every read is answered from, whichever engine stands behind. */
export class Tables {
  #sessions = new Map<string, SessionTables>();

  states(): { name: string; state: SessionState }[] {
    return [...this.#sessions].map(([name, { state }]) => ({ name, state }));
  }

  has(session: string): boolean {
    return this.#sessions.has(session);
  }

  /** Undefined while the session keeps nothing in the collection. */
  table(session: string, collection: CollectionName): Table | undefined {
    return this.#sessions.get(session)?.tables.get(collection);
  }

  /** How many records all sessions have, by the values of the fields that are counted. */
  counts(collection: CollectionName): Count[] {
    const sum = new Tally(COLLECTIONS[collection].counted);
    for (const { tables } of this.#sessions.values()) {
      tables.get(collection)?.tally?.addTo(sum);
    }
    return sum.counts();
  }

  /** Applies a commit whole. Throws, and changes nothing, where the commit makes no sense. */
  apply(commit: Commit, texts: CommitTexts): Undo {
    const known = this.#sessions.get(commit.session);
    const kept = known ?? this.#firstOf(commit);
    for (const change of commit.changes) {
      checkChange(change);
    }
    const { state, tables } = kept;
    this.#sessions.set(commit.session, kept);
    if (commit.wipe) {
      kept.tables = new Map();
    }
    kept.state = commit.state ?? kept.state;
    const before: { table: Table; id: string; place: Place | undefined }[] = [];
    for (const [index, { collection, id, record }] of commit.changes.entries()) {
      const table = tableOf(kept, collection);
      before.push({ table, id, place: table.placeOf(id) });
      const json = texts[index];
      if (record && json) {
        table.put(id, record, json);
      } else {
        table.remove(id);
      }
    }
    return () => {
      for (const { table, id, place } of before.reverse()) {
        table.putBack(id, place);
      }
      kept.state = state;
      kept.tables = tables;
      if (!known) {
        this.#sessions.delete(commit.session);
      }
    };
  }

  drop(session: string): Undo {
    const before = new Map(this.#sessions);
    this.#sessions.delete(session);
    return () => {
      this.#sessions = before;
    };
  }

  /** All sessions, the records as their JSON. What changes later does not show in it. */
  capture(): CapturedSession[] {
    return [...this.#sessions.keys()].flatMap((name) => this.captureSession(name) ?? []);
  }

  /** Undefined for a session that keeps nothing. */
  captureSession(name: string): CapturedSession | undefined {
    const kept = this.#sessions.get(name);
    if (!kept) {
      return undefined;
    }
    const collections = [...kept.tables].map(([collection, table]) => ({ name: collection, records: table.capture() }));
    return { name, state: kept.state, collections };
  }

  stateOf(session: string): SessionState | undefined {
    return this.#sessions.get(session)?.state;
  }

  /** Takes over a session that was read from where it is kept. */
  load(name: string, state: SessionState, tables: Map<CollectionName, Table>): void {
    this.#sessions.set(name, { state, tables });
  }

  #firstOf({ session, state }: Commit): SessionTables {
    if (!state) {
      throw new Error(`The first commit of session ${session} must bring the session's state`);
    }
    return { state, tables: new Map() };
  }
}

function tableOf(kept: SessionTables, collection: CollectionName): Table {
  let table = kept.tables.get(collection);
  if (!table) {
    table = new Table(COLLECTIONS[collection]);
    kept.tables.set(collection, table);
  }
  return table;
}

function checkChange({ collection, id, record }: Commit['changes'][number]): void {
  if (!Object.hasOwn(COLLECTIONS, collection)) {
    throw new Error(`There is no collection ${collection}`);
  }
  if (record && record.id !== id) {
    throw new Error(`A record of ${collection} is to be kept as ${id}, but its id is ${record.id}`);
  }
}
