import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../../base/errors.ts';
import { platform } from '../../../base/platform.ts';

export interface LockOwner {
  pid: number;
  /** When the process started, because process ids are reused, in containers immediately; empty if the system does not report it. */
  started: string;
  /** Where the process id is valid: the system's boot id and the namespace of process ids. */
  place: string;
  /** Unique for each attempt to lock a file; the locks for a takeover have the token of the attempt. */
  token: string;
  /** Incremented with every renewal. */
  beat: number;
}

/** The owner of an unreadable lock. Locks are created with their content, so a power failure emptied it, or it was edited. */
export const UNKNOWN_OWNER: LockOwner = { pid: 0, started: '', place: '', token: 'unreadable', beat: 0 };

/** Beats have the same number of digits, because a lock is renewed in place, and a concurrent reader must see the old or the new beat. */
const FIRST_BEAT = 1_000_000_000;

export function formatOwner(owner: LockOwner): string {
  return `${JSON.stringify(owner)}\n`;
}

export function createOwner(token: string): LockOwner {
  return { pid: process.pid, started: startOf(process.pid), place: currentPlace(), token, beat: FIRST_BEAT };
}

/** Undefined if the lock does not exist. Members that a lock of an older version lacks get a default. */
export function readOwner(path: string): LockOwner | undefined {
  let text: string;
  try {
    text = platform.retryWhileInUse(() => readFileSync(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  try {
    const { pid, started = '', place = currentPlace(), token, beat = 0 }: Partial<LockOwner> = JSON.parse(text);
    return Number.isInteger(pid) && pid && token ? { pid, started, place, token, beat } : UNKNOWN_OWNER;
  } catch {
    return UNKNOWN_OWNER;
  }
}

/**
 * `elsewhere` if the process is not visible from here: in another container, or on another machine. `unsure` if a process has its id, but
 * the system does not report when it started, so that it may be another process.
 */
export function locateOwner({ pid, started, place }: LockOwner): 'alive' | 'dead' | 'elsewhere' | 'unsure' {
  if (pid === UNKNOWN_OWNER.pid) {
    return 'dead';
  }
  if (place !== currentPlace()) {
    return 'elsewhere';
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if (codeOf(error) !== 'EPERM') {
      return 'dead';
    }
  }
  const currentStart = startOf(pid);
  if (currentStart === 'dead') {
    return 'dead';
  }
  return started === '' || currentStart === '' ? 'unsure' : currentStart === started ? 'alive' : 'dead';
}

function currentPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname().slice(0, 100);
  }
}

/**
 * When a process started, in the system's ticks since boot; '' if the system does not report it; 'dead' for a zombie,
 * which in a container may never be reaped.
 */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets, and may contain anything. The third is the state, the 22nd the start.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'dead' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
