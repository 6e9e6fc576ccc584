import { gzipSync } from 'node:zlib';
import fc from 'fast-check';

export const FORM = 'application/x-www-form-urlencoded';

type Encode = (value: object, type: string) => string | Buffer;

/** A value as the bytes of its media type. */
export function encode(value: object, type: string): string {
  if (type === FORM) {
    return Object.entries(value)
      .map(([key, each]) => `${plain(key)}=${plain(each)}`)
      .join('&');
  }
  if (type.startsWith('multipart')) {
    const parts = Object.entries(value).map(
      ([key, each]) => `--x\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${wellFormed(each)}\r\n`,
    );
    return `${parts.join('')}--x--\r\n`;
  }
  return JSON.stringify(value);
}

/** The same bytes, cut, repeated, packed, far too many, or others altogether. */
export const encoded: fc.Arbitrary<Encode> = fc.oneof(
  { weight: 40, arbitrary: fc.constant(encode) },
  {
    weight: 3,
    arbitrary: fc.nat({ max: 200 }).map((at) => (value: object, type: string) => encode(value, type).slice(0, at)),
  },
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => () => Buffer.from(bytes)) },
  { weight: 2, arbitrary: fc.constant((value: object, type: string) => gzipSync(encode(value, type))) },
  { weight: 2, arbitrary: fc.constant(twice) },
  { weight: 1, arbitrary: fc.nat({ max: 3000 }).map((count) => () => 'a=1&'.repeat(count)) },
  { weight: 1, arbitrary: fc.nat({ max: 9000 }).map((levels) => (value: object) => deepened(value, levels)) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 60, max: 1100 }).map((kilobytes) => () => `{"a":"${'x'.repeat(kilobytes * 1024)}"}`),
  },
);

/** Every member a second time. */
function twice(value: object, type: string): string {
  const text = encode(value, type);
  if (type === FORM) {
    return `${text}&${text}`;
  }
  return type.startsWith('multipart') ? text.replace(/--x--\r\n$/, text) : `${text.slice(0, -1)},${text.slice(1)}`;
}

/** Deeper than a value could be written by a library. */
function deepened(value: object, levels: number): string {
  const members = Object.keys(value).map(
    (key) => `${JSON.stringify(key)}:${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  );
  return `{${members.join()}}`;
}

function wellFormed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As part of an address or a form, in which half a surrogate pair cannot be written. */
export function plain(value: unknown): string {
  return encodeURIComponent(wellFormed(value).replace(/[\ud800-\udfff]/g, '?'));
}
