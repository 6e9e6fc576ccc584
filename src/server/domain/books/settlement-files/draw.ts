import { createHash } from 'node:crypto';

/** A pseudorandom integer from 0 to 2^32 - 1 that depends only on the words, so that reading a file does not change the session. */
export function draw(...words: readonly string[]): number {
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32LE(0);
}
