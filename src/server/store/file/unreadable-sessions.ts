import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { membersOf } from '../../../base/members.ts';
import type { Tables } from '../memory/tables.ts';
import type { SessionSnapshot, StoreError } from '../store.ts';
import { syncFolderOf } from './files.ts';
import type { JournalLine } from './journal-line.ts';

/** Why a session cannot be read, and all that it keeps, as it stands. */
interface Unreadable {
  reason: StoreError;
  state: unknown;
  /** Lists of what should be records. */
  collections: Map<string, unknown[]>;
}

/** Sessions of which something does not fit its schema. They are not served, so that the others can be, and nothing of them is changed. */
export class UnreadableSessions extends Map<string, Unreadable> {
  /** Keeps a session as it stands, whatever its shape. */
  add(session: string, reason: StoreError, { state, ...lists }: Record<string, unknown>): void {
    const collections = new Map<string, unknown[]>();
    for (const [name, list] of Object.entries(lists)) {
      collections.set(name, Array.isArray(list) ? list : [list]);
    }
    this.set(session, { reason, state, collections });
  }

  /** Takes a session, as far as it was read, out of the tables. */
  takeFrom(tables: Tables, session: string, reason: StoreError): void {
    this.add(session, reason, snapshotOf(tables, session) ?? {});
    tables.drop(session);
  }

  /** Puts a commit upon what a session keeps. */
  apply({ session, wipe, state, changes }: JournalLine): void {
    const kept = this.get(session);
    if (!kept) {
      return;
    }
    if (wipe) {
      kept.collections.clear();
    }
    kept.state = state ?? kept.state;
    for (const { collection, id, record } of changes) {
      const records = kept.collections.get(collection) ?? [];
      const at = records.findIndex((each) => membersOf(each)['id'] === id);
      records.splice(at < 0 ? records.length : at, at < 0 ? 0 : 1, ...(record ? [record] : []));
      kept.collections.set(collection, records);
    }
  }

  /** Writes what a session keeps to a file of its own, in the form in which a state is put into a session. Returns the file's path. */
  writeAside(session: string, file: string): string {
    const { state, collections } = this.get(session) ?? {};
    const path = unusedPath(`${file}.${session}`);
    const descriptor = openSync(path, 'wx');
    try {
      writeSync(descriptor, `${JSON.stringify({ state, ...Object.fromEntries(collections ?? []) }, null, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    syncFolderOf(path);
    return path;
  }
}

/** All that a session keeps; undefined where there is none of that name. */
export function snapshotOf(tables: Tables, session: string): SessionSnapshot | undefined {
  const captured = tables.captureSession(session);
  const collections = captured?.collections.map(({ name, records }) => [name, records] as const) ?? [];
  return captured && Object.assign({ state: captured.state }, Object.fromEntries(collections));
}

function unusedPath(base: string): string {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? `${base}.json` : `${base}.${number}.json`;
    if (!existsSync(path)) {
      return path;
    }
  }
}

/** What is said of an unreadable session, at the start and to whoever calls it. */
export function unreadableWords(session: string, reason: string | undefined): string {
  return (
    `session ${session} cannot be read, and every call of it is refused. ${reason} ` +
    `Or start with --without-session ${session}: it is left out then, and what it kept put into a file beside the data.`
  );
}
