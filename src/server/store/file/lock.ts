import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../../base/errors.ts';
import { platform } from '../../../base/platform.ts';
import { delay } from '../../../base/timers.ts';
import { StoreError } from '../store.ts';
import { Lease } from './lease.ts';
import { createOwner, formatOwner, type LockOwner, locateOwner, readOwner, UNKNOWN_OWNER } from './lock-owner.ts';

/** An owner that cannot be seen from here counts as dead after this time without a renewal. */
const LEASE_TIMEOUT_MS = 5000;
/** How often the lock is read while waiting for a renewal. */
const POLL_INTERVAL_MS = 100;

/**
 * Locks a file for this process with a file `<file>.lock` next to it, and keeps renewing the lock. A dead process's lock is
 * taken over: at once if it is visible from here that the process is dead, otherwise after some seconds without a renewal.
 * Throws StoreError if the file is locked, even by this process.
 */
export async function lockFile(file: string): Promise<Lease> {
  const path = `${file}.lock`;
  const newOwner = createOwner(randomUUID());
  const owner = await acquireOrFindOwner(path, newOwner);
  if (owner) {
    throw new StoreError(
      `${file} is in use by ${describeOwner(owner)}. Stop that process, or use another file with --data. ` +
        `If no sandbox is running, delete ${path}.`,
      file,
    );
  }
  removeLeftovers(path);
  return new Lease(file, path, newOwner);
}

/** Removes files of processes that were killed while taking the lock. A file without an owner stays: it may be being written. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder).filter((each) => each.startsWith(`${basename(path)}.`))) {
    const leftover = join(folder, name);
    const owner = readOwner(leftover);
    if (owner && owner !== UNKNOWN_OWNER && locateOwner(owner) === 'dead') {
      platform.removeFile(leftover);
    }
  }
}

function describeOwner(owner: LockOwner): string {
  if (locateOwner(owner) === 'elsewhere') {
    return `process ${owner.pid} of another container or machine`;
  }
  return owner.pid === process.pid ? 'this very process' : `process ${owner.pid}`;
}

/**
 * Resolves with undefined once this process owns the lock, else with the owner.
 *
 * A lock is created by linking a complete file to its name, which only one process can do. Replacing a dead owner's lock is a
 * race, because another process may replace it between reading and replacing. So a process first acquires a second lock, whose name
 * contains the dead lock's token, and replaces the dead lock only if it then still finds it. If that process dies, its second lock is
 * taken over in the same way.
 */
async function acquireOrFindOwner(path: string, newOwner: LockOwner): Promise<LockOwner | undefined> {
  const candidate = `${path}.${randomUUID()}.new`;
  writeFileSync(candidate, formatOwner(newOwner), { flag: 'wx' });
  try {
    while (!tryLink(candidate, path)) {
      const owner = readOwner(path);
      if (!owner) {
        continue;
      }
      if (await isOwnerAlive(path, owner)) {
        return owner;
      }
      const takeoverPath = `${path}.${owner.token}`;
      const otherOwner = await acquireOrFindOwner(takeoverPath, newOwner);
      if (otherOwner) {
        return otherOwner;
      }
      try {
        // Replaced right after it was read, because an owner that resumes waits longer than this takes (TAKEOVER_MS).
        const current = readOwner(path);
        if (current?.token === owner.token && current.beat === owner.beat) {
          platform.replaceFile(candidate, path);
          return undefined;
        }
      } finally {
        if (readOwner(takeoverPath)?.token === newOwner.token) {
          platform.removeFile(takeoverPath);
        }
      }
    }
    return undefined;
  } finally {
    platform.removeFile(candidate);
  }
}

/** Whether a lock's owner runs, or was seen to renew the lock. Compares no times of two machines, because their clocks may differ. */
async function isOwnerAlive(path: string, owner: LockOwner): Promise<boolean> {
  const location = locateOwner(owner);
  if (location === 'alive' || location === 'dead') {
    return location === 'alive';
  }
  for (let waitedMs = 0; waitedMs < LEASE_TIMEOUT_MS; waitedMs += POLL_INTERVAL_MS) {
    await delay(POLL_INTERVAL_MS);
    const current = readOwner(path);
    if (current?.token !== owner.token) {
      // Released, or taken by another process; the caller reads the lock again.
      return false;
    }
    if (current.beat !== owner.beat) {
      return true;
    }
  }
  return false;
}

function tryLink(from: string, to: string): boolean {
  try {
    platform.retryWhileInUse(() => linkSync(from, to));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      return false;
    }
    throw error;
  }
}
