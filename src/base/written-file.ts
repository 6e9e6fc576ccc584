// Reads files that people write. Some editors and shells save them with a byte order mark, with CRLF, or as UTF-16.

import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { messageOf } from './errors.ts';
import { describeSyntaxError, suggestFix } from './text/json-syntax.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/** Limit, because a string cannot be longer, and a device or a pipe might never end. */
const MAX_MEGABYTES = 500;
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file. Throws the system's error, and Error if the file is larger than `maxMegabytes`. */
export function readFileBytes(file: string, maxMegabytes = MAX_MEGABYTES): Buffer {
  const maxBytes = maxMegabytes * 1024 * 1024;
  const chunks: Buffer[] = [];
  const descriptor = openSync(file, 'r');
  try {
    let [total, count] = [fstatSync(descriptor).size > maxBytes ? maxBytes + 1 : 0, -1];
    while (count !== 0 && total <= maxBytes) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      count = readSync(descriptor, chunk);
      chunks.push(chunk.subarray(0, count));
      total += count;
    }
    if (total > maxBytes) {
      throw new Error(`it has more than ${maxMegabytes} MB`);
    }
  } finally {
    closeSync(descriptor);
  }
  return Buffer.concat(chunks);
}

/** The text of a file. Throws Error with a message that continues "<file> …"; its cause is the system's error, if any. */
export function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileBytes(file);
  } catch (cause) {
    throw new Error(`cannot be read: ${messageOf(cause)}`, { cause });
  }
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new Error(`cannot be read: it is ${encodingOf(bytes)}; save it as UTF-8`);
  }
  return withoutByteOrderMark(bytes.toString('utf8'));
}

/** The JSON of a file. Throws like `readText` and `parseJsonText`. */
export function readJsonFile(file: string): unknown {
  return parseJsonText(readText(file));
}

/** Throws Error with a message that continues "<file> …", with the place of the syntax error and what to do. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`is not JSON: ${describeSyntaxError(text)}${suggestFix(text)}`);
  }
}

export function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}

function encodingOf(bytes: Buffer): string {
  const [first, second] = bytes;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // In UTF-16, every ASCII character has a zero byte.
  if (hasMark || first === 0 || second === 0) {
    return 'UTF-16 text';
  }
  return bytes.includes(0) ? 'not text' : `not UTF-8 text, at line ${lineOfBrokenText(bytes)}`;
}

function lineOfBrokenText(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line += 1) {
    const newline = bytes.indexOf(0x0a, from);
    const end = newline === -1 ? bytes.length : newline;
    if (!isUtf8(bytes.subarray(from, end))) {
      break;
    }
    from = end + 1;
  }
  return line;
}
