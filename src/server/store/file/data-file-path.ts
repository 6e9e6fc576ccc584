import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from '../store.ts';

/** Suffixes of the files next to the state file while it is in use. */
const SUFFIXES = ['', '.new', '.journal', '.journal.new', '.journal.old', '.lock'];

/**
 * Resolves links to the state file, because every process must use the same lock. Creates its folder if it is
 * missing. Throws StoreError if its path, or one next to it, is not a file: opening a pipe would never end, and
 * writing would replace it.
 */
export function prepareDataFilePath(file: string): string {
  const path = resolve(file);
  makeFolder(dirname(path), file);
  const real = existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  for (const each of SUFFIXES.map((suffix) => real + suffix)) {
    const kind = kindOf(each);
    if (kind !== 'a file') {
      throw new StoreError(`${file} cannot be used: ${each} is ${kind}; name another file`, file);
    }
  }
  return real;
}

/** Level by level, because mkdir with `recursive` never returns where folders cannot be created, as below /proc. */
function makeFolder(folder: string, file: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) {
      throw new StoreError(`${file} cannot be used: ${folder} is not a folder`, file);
    }
    return;
  }
  makeFolder(dirname(folder), file);
  mkdirSync(folder);
}

/** A missing path counts as a file, because a file can be created there. */
function kindOf(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined || stats.isFile() ? 'a file' : kindOfOther(stats, path);
}

function kindOfOther(stats: Stats, path: string): string {
  if (stats.isDirectory()) {
    return 'a folder';
  }
  if (stats.isSymbolicLink()) {
    return existsSync(path) ? 'a link' : 'a link that leads nowhere';
  }
  return stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device';
}
