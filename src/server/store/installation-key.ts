import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { StoreError } from './store.ts';

const BYTES = 32;

/**
 * The secret that protects, such as the one that form tokens are made with. It is kept beside the data, readable by its owner
 * alone, and never leaves the process: what is drawn from the seed is anybody's who knows the seed.
 */
export function installationKey(dataFile: string): Buffer {
  const key = randomBytes(BYTES);
  if (dataFile === ':memory:') {
    return key;
  }
  const file = keyFileOf(dataFile);
  const kept = readKey(file);
  if (kept) {
    return kept;
  }
  writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600 });
  return key;
}

/** Where the key of the data in a file is kept. */
export function keyFileOf(dataFile: string): string {
  return `${dataFile}.key`;
}

/**
 * Undefined where there is none, or a file with something else in it: a new key makes open forms invalid and harms nothing else.
 * Throws StoreError where what stands there is no file, and so was not put there by a sandbox.
 */
function readKey(file: string): Buffer | undefined {
  const kind = lstatSync(file, { throwIfNoEntry: false });
  if (!kind) {
    return undefined;
  }
  if (!kind.isFile()) {
    throw new StoreError(`${file} is no regular file, and the sandbox keeps a key there; move it away`, file);
  }
  const text = readFileSync(file, 'utf8').trim();
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}
