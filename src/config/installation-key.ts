import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

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
  const file = `${dataFile}.key`;
  const kept = readKey(file);
  if (kept) {
    return kept;
  }
  writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o600 });
  return key;
}

/** Undefined where there is none, or something else stands there: a new key makes open forms invalid and harms nothing else. */
function readKey(file: string): Buffer | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
  } catch {
    return undefined;
  }
}
