import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../../base/errors.ts';

/** Who holds a lock. */
export interface Holder {
  pid: number;
  /** When the process started, where the system tells: numbers of processes are given out again, in containers at once. */
  started: string;
  /** Where the number means that process: the system since its start, and the namespace of process numbers. */
  place: string;
  /** No two locks have the same. */
  token: string;
  /** Raised with every renewal. */
  beat: number;
}

/** What a lock that cannot be read counts as: locks come into being whole, so a power cut has emptied it. */
export const NOBODY: Holder = { pid: 0, started: '', place: '', token: 'unreadable', beat: 0 };

/** A lock is renewed in place: with numbers of one length, who reads it meanwhile sees the old or the new one. */
const FIRST_BEAT = 1_000_000_000;

export function textOfHolder(holder: Holder): string {
  return `${JSON.stringify(holder)}\n`;
}

export function thisProcess(token: string): Holder {
  return { pid: process.pid, started: startOf(process.pid), place: thisPlace(), token, beat: FIRST_BEAT };
}

/** Undefined where there is no such lock. */
export function readHolder(path: string): Holder | undefined {
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
    const { pid, started = '', place = thisPlace(), token, beat = 0 }: Partial<Holder> = JSON.parse(text);
    return Number.isInteger(pid) && pid && token ? { pid, started, place, token, beat } : NOBODY;
  } catch {
    return NOBODY;
  }
}

/** `elsewhere` where the process cannot be seen from here: in another container, or on another machine. */
export function whereIs({ pid, started, place }: Holder): 'alive' | 'dead' | 'elsewhere' {
  if (pid === NOBODY.pid) {
    return 'dead';
  }
  if (place !== thisPlace()) {
    return 'elsewhere';
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and somebody else's.
    if (codeOf(error) !== 'EPERM') {
      return 'dead';
    }
  }
  const now = startOf(pid);
  return now !== 'dead' && (started === '' || now === '' || now === started) ? 'alive' : 'dead';
}

function thisPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname().slice(0, 100);
  }
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
