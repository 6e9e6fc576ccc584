import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { StoreError } from './store.ts';

const KEY_BYTES = 32;

/**
 * The secret that signs tokens, such as those of forms; created at the first start. It is stored next to the data (unless that
 * is `:memory:`), readable only by its owner, and never sent. It is not generated from the seed, from which anybody could compute it.
 */
export function loadOrCreateInstallationKey(dataFile: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  if (dataFile === ':memory:') {
    return key;
  }
  const file = keyFileOf(dataFile);
  const existingKey = readKey(file);
  if (existingKey) {
    return existingKey;
  }
  writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600 });
  return key;
}

export function keyFileOf(dataFile: string): string {
  return `${dataFile}.key`;
}

/**
 * Undefined if the file is missing or its content is not a key: a new key only makes open forms invalid.
 * Throws StoreError if the path is not a file, because then it does not belong to a sandbox.
 */
function readKey(file: string): Buffer | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) {
    return undefined;
  }
  if (!stats.isFile()) {
    throw new StoreError(`${file} is not a regular file, and the sandbox keeps a key there; move it away`, file);
  }
  const text = readFileSync(file, 'utf8').trim();
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}
