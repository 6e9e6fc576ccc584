import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { StoreError } from '../store.ts';
import { codeOf } from './files.ts';

/** Who holds a lock. */
interface Holder {
  pid: number;
  /** When the process started, where the system tells: numbers of processes are given out again, in containers at once. */
  started: string;
  /** No two locks have the same. */
  token: string;
}

/** What a lock that cannot be read counts as: locks come into being whole, so a power cut has emptied it. */
const NOBODY: Holder = { pid: 0, started: '', token: 'unreadable' };

export interface Lock {
  release(): void;
}

/**
 * Takes a file for this process, by a file `<file>.lock` beside it. A lock whose process is gone is taken over.
 * Throws StoreError, naming the process, where somebody holds it.
 */
export function lockFile(file: string): Lock {
  const path = `${file}.lock`;
  const result = acquire(path);
  if ('pid' in result) {
    const who = result.pid === process.pid ? 'this very process' : `process ${result.pid}`;
    throw new StoreError(
      `${file} is in use by ${who}. Stop it, or give this sandbox a file of its own. ` +
        `If no sandbox is running, delete ${path}.`,
      file,
    );
  }
  return result;
}

/**
 * A lock is made by linking a finished file to its name, which only one can do. A dead holder's lock must be replaced,
 * and between looking and replacing somebody else may have done it; so the right to replace it is a lock as well, under a name
 * made of the dead lock's token. Only who has that, and then still finds the dead lock, puts its own in the place.
 * Who dies in the midst of that leaves a lock that is taken over in the same way.
 */
function acquire(path: string): Lock | Holder {
  const own: Holder = { pid: process.pid, started: startOf(process.pid), token: randomUUID() };
  const candidate = `${path}.${own.token}.new`;
  writeFileSync(candidate, JSON.stringify(own), { flag: 'wx' });
  try {
    for (;;) {
      if (link(candidate, path)) {
        return { release: () => release(path, own) };
      }
      const holder = read(path);
      if (!holder) {
        continue;
      }
      if (isAlive(holder)) {
        return holder;
      }
      const right = acquire(`${path}.${holder.token}`);
      if ('pid' in right) {
        return right;
      }
      try {
        if (read(path)?.token === holder.token) {
          renameSync(candidate, path);
          return { release: () => release(path, own) };
        }
      } finally {
        right.release();
      }
    }
  } finally {
    rmSync(candidate, { force: true });
  }
}

function release(path: string, own: Holder): void {
  if (read(path)?.token === own.token) {
    rmSync(path, { force: true });
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** Undefined where there is no such lock. */
function read(path: string): Holder | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    const { pid, started, token } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && pid && token ? { pid, started: started ?? '', token } : NOBODY;
  } catch {
    return NOBODY;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  if (pid === NOBODY.pid) {
    return false;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if (codeOf(error) !== 'EPERM') {
      return false;
    }
  }
  const now = startOf(pid);
  return now !== 'dead' && (started === '' || now === '' || now === started);
}

/**
 * When a process started, in the system's ticks since boot; '' where the system does not tell; 'dead' for one that has
 * ended and only waits for its parent to notice, which in a container may be never.
 */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, and may hold anything. The third is the state, the 22nd the start.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'dead' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
