import { readSync, writeSync } from 'node:fs';

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
