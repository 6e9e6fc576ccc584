import { crc32 } from 'node:zlib';

const MEMBER = ',"crc":"';
/** Characters of a seal: `,"crc":"01234567"}`. */
const SEAL = MEMBER.length + 10;

/** CRC-32 of a text's UTF-8 bytes, in eight hexadecimal digits. */
export function checksumOf(text: string | Uint8Array): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Many checksums, as they are written behind each other. */
export function digitsOfAll(checksums: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(4 * checksums.length);
  for (const [index, checksum] of checksums.entries()) {
    bytes.writeUInt32BE(checksum, 4 * index);
  }
  return bytes.toString('hex');
}

/**
 * JSON objects as lines of bytes, each with a last member `crc`, the checksum of all before it. Every commit comes through
 * here, so no text is made on the way.
 */
export function sealLines(objects: readonly string[]): Buffer {
  const size = objects.reduce((sum, json) => sum + Buffer.byteLength(json) + SEAL, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const json of objects) {
    // The checksum takes the place of the closing brace.
    const end = at + bytes.write(json, at) - 1;
    at = end + bytes.write(`${MEMBER}${checksumOf(bytes.subarray(at, end))}"}\n`, end, 'latin1');
  }
  return bytes;
}

/** Whether a line is what `sealLines` made of it, to the last bit. */
export function isSealed(line: Buffer): boolean {
  const at = line.length - SEAL;
  return at > 0 && line.toString('latin1', at) === `${MEMBER}${checksumOf(line.subarray(0, at))}"}`;
}
