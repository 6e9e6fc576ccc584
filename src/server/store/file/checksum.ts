import { crc32 } from 'node:zlib';

const MEMBER = ',"crc":"';
/** Characters of a line's end: `,"crc":"01234567"}`. */
const END_LENGTH = MEMBER.length + 10;

export function toHexDigits(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}

/**
 * JSON objects as lines of bytes, each with a last member `crc`, the checksum of all bytes before it. Works on bytes, because every
 * commit passes through here and intermediate strings would slow it down.
 */
export function sealLines(objects: readonly string[]): Buffer {
  const size = objects.reduce((sum, json) => sum + Buffer.byteLength(json) + END_LENGTH, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const json of objects) {
    // The checksum takes the place of the closing brace.
    const end = at + bytes.write(json, at) - 1;
    at = end + bytes.write(`${MEMBER}${toHexDigits(crc32(bytes.subarray(at, end)))}"}\n`, end, 'latin1');
  }
  return bytes;
}

/** Whether the checksum at a line's end matches. */
export function isSealed(line: Buffer): boolean {
  const at = line.length - END_LENGTH;
  return at > 0 && line.toString('latin1', at) === `${MEMBER}${toHexDigits(crc32(line.subarray(0, at)))}"}`;
}
