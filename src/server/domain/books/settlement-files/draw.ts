import { createHash } from 'node:crypto';

/** A number from 0 up to 2^32 that depends on the words alone: reading a file draws nothing from the session's seed. */
export function draw(...words: readonly string[]): number {
  return createHash('sha256').update(JSON.stringify(words)).digest().readUInt32LE(0);
}
