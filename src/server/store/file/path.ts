import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from '../store.ts';

/** What stands beside the state file while it is in use. */
const BESIDE = ['', '.new', '.journal', '.journal.new', '.lock'];

/**
 * The state file itself, whatever links lead to it: its lock must be the same for all who come to it. Its folder is made
 * where it is missing. Throws StoreError where something that is no file stands in its place or beside it: opening a pipe
 * would wait for ever, and what is written takes the place of what was there.
 */
export function usablePath(file: string): string {
  const whole = resolve(file);
  makeFolder(dirname(whole), file);
  const real = existsSync(whole) ? realpathSync(whole) : join(realpathSync(dirname(whole)), basename(whole));
  for (const path of BESIDE.map((suffix) => real + suffix)) {
    const what = kindOf(path);
    if (what !== 'a file') {
      throw new StoreError(`${file} cannot be used: ${path} is ${what}; name a file of its own`, file);
    }
  }
  return real;
}

/** Level by level: mkdir with `recursive` never returns where the system has no place for folders, as below /proc. */
function makeFolder(folder: string, file: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) {
      throw new StoreError(`${file} cannot be used: ${folder} is no folder`, file);
    }
    return;
  }
  makeFolder(dirname(folder), file);
  mkdirSync(folder);
}

/** A path where nothing is yet counts as a file: one can be made there. */
function kindOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.isFile() ? 'a file' : wordsFor(stats);
}

function wordsFor(stats: Stats): string {
  if (stats.isDirectory()) {
    return 'a folder';
  }
  if (stats.isSymbolicLink()) {
    return 'a link that leads nowhere';
  }
  return stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
}
