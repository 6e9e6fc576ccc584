import { existsSync } from 'node:fs';
import { codeOf, messageOf } from '../../../base/errors.ts';
import { keyFileOf } from '../installation-key.ts';
import type { Tables } from '../memory/tables.ts';
import { StoreError } from '../store.ts';
import { CORRUPTION_ADVICE, schemaError } from './corruption.ts';
import type { DataFileOptions } from './data-file-options.ts';
import type { ReplayResult } from './replay.ts';
import { type UnreadableSessions, unreadableMessage } from './unreadable-sessions.ts';

type OpeningOptions = Pick<DataFileOptions, 'file' | 'withoutSessions' | 'onWarning'>;

/** Throws StoreError for an empty state file that a sandbox has used. A crash does not empty it, because it is first written under another name. */
export function assertUnused({ file, onWarning }: OpeningOptions): void {
  if (!existsSync(file)) {
    return;
  }
  const key = keyFileOf(file);
  if (existsSync(key)) {
    throw new StoreError(
      `${file} is empty, but ${key} beside it shows that a sandbox has stored data there. Nothing was changed. ` +
        'Put the data back; or, to begin with no data, delete the empty file.',
      file,
    );
  }
  onWarning(`${file} is empty; the sandbox begins with no data in it`);
}

/** The error for a missing or empty journal that the state file requires. */
export function noJournalError(journalFile: string, file: string): StoreError {
  return new StoreError(
    `${journalFile} is missing or empty, but ${file} says that there are changes in it. Nothing was changed. ` +
      `Put it back; or, to continue without those changes, write "none" as the "journal" in ${file}.`,
    journalFile,
  );
}

/** Warns about data that can be read but was changed or left incomplete. */
export function warnOfDamage(
  { file, onWarning }: OpeningOptions,
  { unconfirmedLines }: ReplayResult,
  journalFile: string,
  isUnchanged: boolean,
): void {
  if (unconfirmedLines > 0) {
    const lines = unconfirmedLines === 1 ? 'the last line was' : `the last ${unconfirmedLines} lines were`;
    onWarning(`${journalFile}: ${lines} torn (the writer was stopped before it confirmed them to anybody) and dropped`);
  }
  if (!isUnchanged) {
    onWarning(
      `${file} was changed outside the sandbox (its digest does not match): each session in it is checked like an import`,
    );
  }
}

/** In a file that was changed outside the sandbox, marks as unreadable the sessions that an import would refuse. */
export async function checkEdits(
  unreadable: UnreadableSessions,
  tables: Tables,
  { file, checkEdited: check }: DataFileOptions,
): Promise<void> {
  for (const { name } of check ? tables.states() : []) {
    const snapshot = tables.snapshotOf(name);
    const findings = (snapshot && (await check?.(snapshot))) ?? [];
    const corruption = schemaError(findings, { file }, `session ${name}: `);
    if (corruption) {
      unreadable.takeFrom(tables, name, corruption);
    }
  }
}

/**
 * Moves each unreadable session of `withoutSessions` to a separate file and drops it. Warns about the other unreadable
 * sessions.
 */
export async function setAsideUnreadable(
  unreadable: UnreadableSessions,
  tables: Tables,
  { file, withoutSessions = [], onWarning }: OpeningOptions,
  drop: (session: string) => Promise<void>,
): Promise<void> {
  for (const [session, { reason: error }] of [...unreadable]) {
    const reason = error.message;
    if (withoutSessions.includes(session)) {
      const separateFile = unreadable.writeAside(session, file);
      await drop(session);
      unreadable.delete(session);
      const problem = reason.replace(CORRUPTION_ADVICE, '');
      onWarning(`session ${session} was dropped, and its data is in ${separateFile}: ${problem}`);
    } else {
      onWarning(`${unreadableMessage(session, reason)} The other sessions run.`);
    }
  }
  for (const session of withoutSessions.filter((each) => tables.has(each))) {
    onWarning(`session ${session} can be read, and was not dropped`);
  }
}

/** The system's error codes for a full disk, or an exceeded quota or file size. */
const DISK_FULL_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Wraps the system's errors in a StoreError with the file's name; other errors are bugs and are not changed. */
export function asStoreError(error: unknown, file: string): unknown {
  const code = codeOf(error);
  if (code === undefined || error instanceof StoreError) {
    return error;
  }
  const advice = DISK_FULL_CODES.has(code) ? '; make room there, then start the sandbox again' : '';
  return new StoreError(`${file} cannot be used (${messageOf(error)})${advice}`, file);
}
