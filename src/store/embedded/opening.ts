import { existsSync } from 'node:fs';
import { keyFileOf } from '../installation-key.ts';
import { StoreError } from '../store.ts';
import type { Replayed } from './replay.ts';

interface Opened {
  file: string;
  onWarning(message: string): void;
}

/** A crash never leaves an empty state file, as it is written under another name first. Throws StoreError where one was ours. */
export function expectUnused({ file, onWarning }: Opened): void {
  if (!existsSync(file)) {
    return;
  }
  const key = keyFileOf(file);
  if (existsSync(key)) {
    throw new StoreError(
      `${file} is empty, but ${key} beside it says that a sandbox has kept data there. Nothing was changed. ` +
        'Put the data back; or, to begin anew, delete the empty file.',
      file,
    );
  }
  onWarning(`${file} is empty; the sandbox begins anew in it`);
}

/** The error for a journal that must be there, and is not. */
export function journalMissing(journalFile: string, file: string): StoreError {
  return new StoreError(
    `${journalFile} is missing or empty, but ${file} says that there are changes in it. Nothing was changed. ` +
      `Put it back; or, to go on without those changes, add the line "edited": true, below "format" in ${file}.`,
    journalFile,
  );
}

/** Warns of what is read and yet not as a sandbox leaves it. */
export function warn({ file, onWarning }: Opened, { torn }: Replayed, journalFile: string, edited: boolean): void {
  if (torn > 0) {
    const lines = torn === 1 ? 'the last line was' : `the last ${torn} lines were`;
    onWarning(`${journalFile}: ${lines} torn (the writer was stopped before it confirmed them to anybody) and dropped`);
  }
  if (edited) {
    onWarning(`${file} was edited, and is taken as it is`);
  }
}
