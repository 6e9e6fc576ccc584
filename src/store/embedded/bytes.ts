import { readSync, writeSync } from 'node:fs';
import { endOfTurn } from '../../base/timers.ts';

/** Bytes that are copied in one go: about a millisecond. */
const CHUNK = 1 << 20;

/**
 * Copies a file that grows meanwhile, other work in between, until little is left of it. Returns from where on. The bytes come to
 * stand `moved` bytes further on.
 */
export async function copyAllButTheLast(
  source: number,
  target: number,
  from: number,
  moved: number,
  size: () => number,
): Promise<number> {
  let copied = from;
  for (; size() - copied > CHUNK; copied += CHUNK) {
    copyBytes(source, target, copied, CHUNK, moved);
    await endOfTurn();
  }
  return copied;
}

/** Copies a part of a file to another. The bytes come to stand `moved` bytes further on. */
export function copyBytes(source: number, target: number, from: number, length: number, moved: number): void {
  const bytes = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length; ) {
    const read = readSync(source, bytes, filled, length - filled, from + filled);
    if (read === 0) {
      throw new Error('the journal is shorter than what was written to it');
    }
    filled += read;
  }
  writeWhole(target, bytes, from + moved);
}

/** The system may take less than it was given, and only then say why. */
export function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}
