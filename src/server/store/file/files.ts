import { isUtf8 } from 'node:buffer';
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { platform } from '../../../base/platform.ts';
import { endOfTurn } from '../../../base/timers.ts';
import { corruptionError } from './corruption.ts';

const NEWLINE = 10;
/** Bytes that are read or copied at once, in about a millisecond. */
const CHUNK_BYTES = 1 << 20;

export interface StoredLine {
  /** Without the newline; only valid until the next line is read. */
  bytes: Buffer;
  /** From 1. */
  number: number;
  /** Byte offset after the line and its newline. */
  end: number;
  /** False for a last line that lacks its newline. */
  isComplete: boolean;
}

/**
 * A file's lines, one by one, because a state of a million payments exceeds the maximum length of a string.
 * Yields nothing for a missing file.
 */
export function* readLines(file: string): Generator<StoredLine> {
  platform.finishReplacing(file);
  if (!existsSync(file)) {
    return;
  }
  const descriptor = openSync(file, 'r');
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let filled = 0;
    let offset = 0;
    let number = 0;
    for (let read = 1; read > 0; ) {
      if (filled === buffer.length) {
        buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
      }
      read = readSync(descriptor, buffer, filled, buffer.length - filled, null);
      const searchStart = filled;
      filled += read;
      const chunk = buffer.subarray(0, filled);
      let start = 0;
      for (let newline = chunk.indexOf(NEWLINE, searchStart); newline >= 0; newline = chunk.indexOf(NEWLINE, start)) {
        number += 1;
        yield { bytes: chunk.subarray(start, newline), number, end: offset + newline + 1, isComplete: true };
        start = newline + 1;
      }
      buffer.copyWithin(0, start, filled);
      filled -= start;
      offset += start;
    }
    if (filled > 0) {
      number += 1;
      yield { bytes: buffer.subarray(0, filled), number, end: offset + filled, isComplete: false };
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A line's text. Throws StoreError if it is not UTF-8. */
export function decodeLine({ bytes, number }: Pick<StoredLine, 'bytes' | 'number'>, file: string): string {
  if (!isUtf8(bytes)) {
    throw corruptionError({ file, line: number }, 'it is not UTF-8 text');
  }
  return bytes.toString('utf8');
}

/** Makes a rename in the file's folder durable. */
export function syncFolderOf(file: string): void {
  platform.syncFolder(dirname(file));
}

/** Whether a path still names the open file. */
export function isPathOf(path: string, descriptor: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && platform.isSameFile(stats, fstatSync(descriptor));
}

export function removeQuietly(file: string): void {
  try {
    platform.removeFile(file);
  } catch {
    // The next start removes the file, or reports why it cannot.
  }
}

/**
 * Copies a file that is still growing, in steps, until at most one step remains. Returns the offset of the rest. `shift` is added to
 * each offset in the target.
 */
export async function copyWhileGrowing(
  source: number,
  target: number,
  from: number,
  shift: number,
  size: () => number,
): Promise<number> {
  let copiedUntil = from;
  for (; size() - copiedUntil > CHUNK_BYTES; copiedUntil += CHUNK_BYTES) {
    copyBytes(source, target, copiedUntil, CHUNK_BYTES, shift);
    await endOfTurn();
  }
  return copiedUntil;
}

/** Copies a part of a file to another file. `shift` is added to the offset in the target. */
export function copyBytes(source: number, target: number, from: number, length: number, shift: number): void {
  const bytes = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length; ) {
    const read = readSync(source, bytes, filled, length - filled, from + filled);
    if (read === 0) {
      throw new Error('the journal is shorter than what was written to it');
    }
    filled += read;
  }
  writeWhole(target, bytes, from + shift);
}

/** Writes all bytes. A single call may write only some of them, and only the next one reports the error. */
export function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
  }
}
