import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { membersOf } from '../../../base/members.ts';
import type { Tables } from '../memory/tables.ts';
import type { StoreError } from '../store.ts';
import { syncFolderOf, writeWhole } from './files.ts';
import type { JournalCommit } from './journal-line.ts';

/** Why a session cannot be read, and its data in whatever form it has. */
interface UnreadableSession {
  reason: StoreError;
  state: unknown;
  /** Lists of values, which should be records. */
  collections: Map<string, unknown[]>;
}

/** Sessions whose stored data is invalid. Only their calls are refused, and no checkpoint overwrites their data. */
export class UnreadableSessions extends Map<string, UnreadableSession> {
  add(session: string, reason: StoreError, { state, ...lists }: Record<string, unknown>): void {
    const collections = new Map<string, unknown[]>();
    for (const [name, list] of Object.entries(lists)) {
      collections.set(name, Array.isArray(list) ? list : [list]);
    }
    this.set(session, { reason, state, collections });
  }

  /** Moves a session out of the tables, as far as it was read. */
  takeFrom(tables: Tables, session: string, reason: StoreError): void {
    this.add(session, reason, tables.snapshotOf(session) ?? {});
    tables.drop(session);
  }

  /** Applies a later commit of the journal, so that `writeAside` writes all of a session's data. */
  apply({ session, wipe, state, changes }: JournalCommit): void {
    const unreadable = this.get(session);
    if (!unreadable) {
      return;
    }
    if (wipe) {
      unreadable.collections.clear();
    }
    unreadable.state = state ?? unreadable.state;
    for (const { collection, id, record } of changes) {
      const records = unreadable.collections.get(collection) ?? [];
      const at = records.findIndex((each) => membersOf(each)['id'] === id);
      records.splice(at < 0 ? records.length : at, at < 0 ? 0 : 1, ...(record ? [record] : []));
      unreadable.collections.set(collection, records);
    }
  }

  /** Writes a session's data to a separate file, in the format of an exported state. Returns the file's path. */
  writeAside(session: string, file: string): string {
    const { state, collections } = this.get(session) ?? {};
    const path = findUnusedPath(`${file}.${session}`);
    const descriptor = openSync(path, 'wx');
    try {
      const text = `${JSON.stringify({ state, ...Object.fromEntries(collections ?? []) }, null, 2)}\n`;
      writeWhole(descriptor, Buffer.from(text), 0);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    syncFolderOf(path);
    return path;
  }
}

function findUnusedPath(base: string): string {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? `${base}.json` : `${base}.${number}.json`;
    if (!existsSync(path)) {
      return path;
    }
  }
}

/** The message about an unreadable session, at the start and in refusals. */
export function unreadableMessage(session: string, reason: string | undefined): string {
  return (
    `session ${session} cannot be read, and every call of it is refused. ${reason} ` +
    `Or start with --without-session ${session}: it is then dropped, and its data moved to a file beside the data.`
  );
}
