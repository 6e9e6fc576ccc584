import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

export const FORM = 'application/x-www-form-urlencoded';

type Encode = (value: object, type: string) => string | Buffer;

/** Encodes a value in a media type. */
export function encode(value: object, type: string): string {
  if (type === FORM) {
    return Object.entries(value)
      .map(([key, each]) => `${plain(key)}=${plain(each)}`)
      .join('&');
  }
  if (type.startsWith('multipart')) {
    const parts = Object.entries(value).map(
      ([key, each]) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${textOf(each)}\r\n`,
    );
    return `${parts.join('')}--x--\r\n`;
  }
  return JSON.stringify(value);
}

/** The correct encoding, or a wrong one: cut, repeated, compressed, too long, too deep, or random bytes. */
export const anyEncoding: fc.Arbitrary<Encode> = fc.oneof(
  { weight: 40, arbitrary: fc.constant(encode) },
  {
    weight: 3,
    arbitrary: fc.nat({ max: 200 }).map((at) => (value: object, type: string) => encode(value, type).slice(0, at)),
  },
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => () => Buffer.from(bytes)) },
  { weight: 2, arbitrary: fc.constant((value: object, type: string) => gzipSync(encode(value, type))) },
  { weight: 2, arbitrary: fc.constant(encodeTwice) },
  { weight: 1, arbitrary: fc.nat({ max: 3000 }).map((count) => () => 'a=1&'.repeat(count)) },
  { weight: 1, arbitrary: fc.nat({ max: 9000 }).map((levels) => (value: object) => nestDeeply(value, levels)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 60, max: 1100 }).map((kilobytes) => () => `{"a":"${'x'.repeat(kilobytes * 1024)}"}`),
  },
);

/** Encodes a value with every member twice. */
function encodeTwice(value: object, type: string): string {
  const text = encode(value, type);
  if (type === FORM) {
    return `${text}&${text}`;
  }
  return type.startsWith('multipart') ? text.replace(/--x--\r\n$/, text) : `${text.slice(0, -1)},${text.slice(1)}`;
}

/** Encodes a value whose members are nested more deeply than JSON.stringify can encode. */
function nestDeeply(value: object, levels: number): string {
  const members = Object.keys(value).map(
    (key) => `${JSON.stringify(key)}:${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  );
  return `{${members.join()}}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Encodes a value for an address or a form, which cannot contain half a surrogate pair. */
export function plain(value: unknown): string {
  return encodeURIComponent(textOf(value).replace(/[\ud800-\udfff]/g, '?'));
}
