import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { headerPairs } from '../base/header-pairs.ts';
import { membersOf } from '../base/members.ts';
import { isDeeperThan } from '../base/schema/depth.ts';
import type { RecordedBody, RecordedHeader, RecordedPart } from '../base/schema/generated/recordings.ts';
import { escapeCharacters } from '../base/text/printable.ts';
import { tryParseJson } from '../base/text/try-parse-json.ts';
import { parseParts, type RawPart, writeParts } from './raw-parts.ts';

/** Maximum size of a recorded body, decoded or not. */
export const MAX_RECORDED_BYTES = 4 * 1024 * 1024;
/** How many bytes of a file are recorded, from its beginning. They show its type. */
const HEAD_BYTES = 32;
/** Deeper JSON could exceed the stack of recursive functions. */
const MAX_DEPTH = 500;

/** A URL-encoded text, such as `status=Paid&amount=10`. */
const URL_ENCODED = /^(?![{["])[^=&\s]+=[^&\s]*(?:&[^=&\s]+=[^&\s]*)*$/;

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer;
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['identity', (bytes) => bytes],
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  // The standard requires the zlib format, but some servers send raw deflate.
  ['deflate', (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, options)],
  ['br', brotliDecompressSync],
]);

/** The recorded form of a body. Only its `size` is recorded if `bytes` is incomplete, cannot be decoded, or is binary. */
export function readBody(bytes: Buffer, headers: readonly RecordedHeader[], size = bytes.length): RecordedBody {
  if (size === 0) {
    return null;
  }
  const decoded = size === bytes.length ? decode(bytes, headers) : undefined;
  if (!decoded) {
    return { bytes: size };
  }
  const form = formIn(decoded, headerOf(headers, 'content-type'));
  if (form) {
    return { form };
  }
  const text = textOf(decoded, headers);
  if (text === undefined) {
    return { bytes: size };
  }
  const json = tryParseJson(text.replace(/^\uFEFF/, '')) as
    | Extract<RecordedBody, { json: unknown }>['json']
    | undefined;
  return json === undefined || isDeeperThan(MAX_DEPTH, json) ? { text } : { json };
}

/**
 * The bytes of a body to send, not compressed; undefined if they were not recorded. A file consists of its recorded first bytes, and
 * zeros up to its size.
 */
export function bytesOf(body: RecordedBody, headers: readonly RecordedHeader[]): Buffer | undefined {
  if (body === null) {
    return Buffer.alloc(0);
  }
  const encoding = isLatin1(headers) ? 'latin1' : 'utf8';
  if ('json' in body) {
    const text = JSON.stringify(body.json);
    return Buffer.from(encoding === 'latin1' ? text.replace(/[^\0-\xff]/g, escapeCharacters) : text, encoding);
  }
  if ('text' in body) {
    return Buffer.from(body.text, encoding);
  }
  if ('form' in body) {
    return writeParts(body.form.map(rawPart), boundaryOf(headerOf(headers, 'content-type')));
  }
  return undefined;
}

export function jsonOf(body: RecordedBody | undefined): unknown {
  return body && 'json' in body ? body.json : undefined;
}

/** The members of a JSON object, of a URL-encoded text, or of a form without its files; empty for other bodies. */
export function membersIn(body: RecordedBody | undefined): Record<string, unknown> {
  if (body && 'form' in body) {
    return Object.fromEntries(body.form.flatMap((part) => ('value' in part ? [[part.name, part.value]] : [])));
  }
  return body && 'text' in body && URL_ENCODED.test(body.text)
    ? Object.fromEntries(new URLSearchParams(body.text))
    : membersOf(jsonOf(body));
}

/** The first value of a header; `name` must be in lower case. */
export function headerOf(headers: readonly RecordedHeader[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

/** Converts raw headers, a list in which names and values alternate. */
export function recordedHeaders(raw: readonly string[]): RecordedHeader[] {
  return headerPairs(raw).map(([name, value]) => ({ name, value }));
}

function decode(bytes: Buffer, headers: readonly RecordedHeader[]): Buffer | undefined {
  const codings = headers
    .filter(({ name }) => name.toLowerCase() === 'content-encoding')
    .flatMap(({ value }) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '');
  try {
    // The coding that was applied last is undone first. An unknown coding throws.
    return codings
      .reverse()
      .reduce((encoded, coding) => decoderOf(coding)(encoded, { maxOutputLength: MAX_RECORDED_BYTES }), bytes);
  } catch {
    return undefined;
  }
}

function decoderOf(coding: string): Decoder {
  const decoder = DECODERS.get(coding);
  if (!decoder) {
    throw new RangeError(`unknown coding ${coding}`);
  }
  return decoder;
}

function textOf(bytes: Buffer, headers: readonly RecordedHeader[]): string | undefined {
  if (isLatin1(headers)) {
    return bytes.toString('latin1');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function isLatin1(headers: readonly RecordedHeader[]): boolean {
  return /;\s*charset="?(?:iso-8859-1|latin1|windows-1252)\b/i.test(headerOf(headers, 'content-type') ?? '');
}

function formIn(bytes: Buffer, contentType: string | undefined): RecordedPart[] | undefined {
  if (!/^\s*multipart\/form-data\b/i.test(contentType ?? '')) {
    return undefined;
  }
  const parts = parseParts(bytes, boundaryOf(contentType));
  // Invalid UTF-8 would change when it is sent again, so only the size of the whole form is recorded.
  return parts?.every((part) => part.fileName !== undefined || textOf(part.content, []) !== undefined)
    ? parts.map(recordedPart)
    : undefined;
}

function recordedPart({ name, fileName, contentType, content }: RawPart): RecordedPart {
  return fileName === undefined
    ? { name, value: content.toString() }
    : { name, fileName, contentType, size: content.length, head: content.subarray(0, HEAD_BYTES).toString('base64') };
}

function rawPart(part: RecordedPart): RawPart {
  if ('value' in part) {
    return { name: part.name, fileName: undefined, contentType: '', content: Buffer.from(part.value) };
  }
  const { name, fileName, contentType, size, head } = part;
  const content = Buffer.alloc(Math.min(size, MAX_RECORDED_BYTES));
  Buffer.from(head, 'base64').copy(content);
  return { name, fileName, contentType, content };
}

function boundaryOf(contentType = ''): string {
  const [, quoted, bare = 'recorded'] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted ?? bare;
}
