import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../../../base/errors.ts';
import { delay } from '../../../base/timers.ts';
import { StoreError } from '../store.ts';
import { Lease } from './lease.ts';
import { type Holder, NOBODY, readHolder, textOfHolder, thisProcess, whereIs } from './lock-holder.ts';

/** A holder that cannot be seen from here counts as gone when its lease was not renewed for so many milliseconds. */
const LEASE_DELAY_MS = 5000;
/** How often it is looked whether it was. */
const LOOK_DELAY_MS = 100;

/**
 * Takes a file for this process, by a file `<file>.lock` beside it, and keeps renewing it. A lock whose process is gone is
 * taken over: at once where its process could be seen from here, otherwise once nobody has renewed it for some seconds.
 * Throws StoreError where somebody holds it.
 */
export async function lockFile(file: string): Promise<Lease> {
  const path = `${file}.lock`;
  const own = thisProcess(randomUUID());
  const holder = await acquire(path, own);
  if (holder) {
    throw new StoreError(
      `${file} is in use by ${wordsFor(holder)}. Stop that process, or use another file. ` +
        `If no sandbox is running, delete ${path}.`,
      file,
    );
  }
  removeLeftovers(path);
  return new Lease(file, path, own);
}

/** What processes left behind that were killed while they took the lock. A file without a holder may be one that is being written. */
function removeLeftovers(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder).filter((each) => each.startsWith(`${basename(path)}.`))) {
    const leftover = join(folder, name);
    const holder = readHolder(leftover);
    if (holder && holder !== NOBODY && whereIs(holder) === 'dead') {
      rmSync(leftover, { force: true });
    }
  }
}

function wordsFor(holder: Holder): string {
  if (whereIs(holder) === 'elsewhere') {
    return `process ${holder.pid} of another container or machine`;
  }
  return holder.pid === process.pid ? 'this very process' : `process ${holder.pid}`;
}

/**
 * Resolves with nothing once the lock is ours, else with who has it.
 *
 * A lock is made by linking a finished file to its name, which only one can do. A dead holder's lock must be replaced,
 * and between looking and replacing somebody else may have done it; so the right to replace it is a lock as well, under a name
 * made of the dead lock's token. Only who has that, and then still finds the dead lock, puts its own in the place.
 * Who dies in the midst of that leaves a lock that is taken over in the same way.
 */
async function acquire(path: string, own: Holder): Promise<Holder | undefined> {
  const candidate = `${path}.${randomUUID()}.new`;
  writeFileSync(candidate, textOfHolder(own), { flag: 'wx' });
  try {
    while (!link(candidate, path)) {
      const holder = readHolder(path);
      if (!holder) {
        continue;
      }
      if (await isHeld(path, holder)) {
        return holder;
      }
      const rightPath = `${path}.${holder.token}`;
      const rival = await acquire(rightPath, own);
      if (rival) {
        return rival;
      }
      try {
        // The look and the replacement follow each other at once: a holder that comes back to life waits for longer than that.
        const now = readHolder(path);
        if (now?.token === holder.token && now.beat === holder.beat) {
          renameSync(candidate, path);
          return undefined;
        }
      } finally {
        if (readHolder(rightPath)?.token === own.token) {
          rmSync(rightPath, { force: true });
        }
      }
    }
    return undefined;
  } finally {
    rmSync(candidate, { force: true });
  }
}

/** Clocks of two machines are not compared: that nothing moves is seen by the own one. */
async function isHeld(path: string, holder: Holder): Promise<boolean> {
  const where = whereIs(holder);
  if (where !== 'elsewhere') {
    return where === 'alive';
  }
  for (let waited = 0; waited < LEASE_DELAY_MS; waited += LOOK_DELAY_MS) {
    await delay(LOOK_DELAY_MS);
    const now = readHolder(path);
    if (now?.token !== holder.token) {
      // Released, or taken by another; who is to be asked anew has it now.
      return false;
    }
    if (now.beat !== holder.beat) {
      return true;
    }
  }
  return false;
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
