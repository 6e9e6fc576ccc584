import { createWriteStream } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../base/errors.ts';
import { VERSION } from '../../base/package.ts';
import type { RecordedAnswer, RecordedBody, RecordedHeader, RecordedPart } from '../../base/schema/recordings.ts';
import { bytesOf, headerOf } from '../body.ts';
import { type Exchange, type Recording, RecordingError } from '../recording.ts';

/** Of notifications a recording has the path alone. No name below `.invalid` is ever found (RFC 6761). */
const RECEIVER = 'http://receiver.invalid';

/** The sizes of heads, and of bodies as they were sent, are not kept. */
const UNKNOWN = -1;

/** Writes a recording as an HTTP Archive 1.2, an entry a line. Throws RecordingError. */
export async function exportArchive(recording: Recording, path: string): Promise<void> {
  try {
    await pipeline(Readable.from(linesOf(recording)), createWriteStream(path));
  } catch (error) {
    throw error instanceof RecordingError
      ? error
      : new RecordingError(`${path} cannot be written: ${messageOf(error)}`);
  }
}

async function* linesOf(recording: Recording): AsyncGenerator<string> {
  const [upstream = '', ...others] = new Set(recording.heads.map((head) => head.upstream));
  if (others.length > 0) {
    throw new RecordingError(`the folder has recordings of several services: ${[upstream, ...others].join(', ')}`);
  }
  const log = {
    version: '1.2',
    creator: { name: 'merchant-sandbox', version: VERSION },
    // What names begin with an underscore is up to who writes: that the values are masked already.
    _recording: { upstream, masked: [...new Set(recording.heads.flatMap(({ masked }) => masked))] },
  };
  yield `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[`;
  let before = '\n';
  for await (const { exchange } of recording.exchanges()) {
    yield before + JSON.stringify(entryOf(exchange, upstream));
    before = ',\n';
  }
  yield '\n]}}\n';
}

function entryOf(exchange: Exchange, upstream: string): object {
  const { kind, id, at, method, target, headers, body, ms, answer, error } = exchange;
  const base = kind === 'call' ? upstream.replace(/\/$/, '') : RECEIVER;
  const query = new URLSearchParams(target.replace(/^[^?]*\??/, ''));
  return {
    startedDateTime: at,
    // Only the whole is known, which is all waiting then.
    time: ms,
    request: {
      method,
      // Of a server as a whole, an archive knows no address.
      url: target === '*' ? `${base}/*` : `${base}${target}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers,
      queryString: [...query].map(([name, value]) => ({ name, value })),
      ...(body === null ? {} : { postData: postDataOf(body, headers) }),
      headersSize: UNKNOWN,
      bodySize: sizeOf(body),
    },
    response: responseOf(answer, error),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    comment: id,
  };
}

/** Parts of a form stand alone, as bytes of a file are not kept. */
function postDataOf(body: RecordedBody, headers: readonly RecordedHeader[]): object {
  const mimeType = headerOf(headers, 'content-type') ?? '';
  return body !== null && 'form' in body
    ? { mimeType, params: body.form.map(paramOf) }
    : { mimeType, text: textOf(body) ?? '' };
}

function paramOf(part: RecordedPart): object {
  if ('value' in part) {
    return part;
  }
  const { size, head, ...named } = part;
  return { ...named, _size: size, _head: head };
}

function responseOf(answer: RecordedAnswer, error: string | null): object {
  const { status, headers, body } = answer ?? { status: 0, headers: [], body: null };
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: { size: sizeOf(body), mimeType: headerOf(headers, 'content-type') ?? '', ...contentOf(body, headers) },
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
    ...(error === null ? {} : { _error: error }),
  };
}

function contentOf(body: RecordedBody, headers: readonly RecordedHeader[]): object {
  const text = textOf(body);
  if (text !== undefined) {
    return { text };
  }
  const bytes = bytesOf(body, headers);
  return bytes === undefined ? {} : { text: bytes.toString('base64'), encoding: 'base64' };
}

function textOf(body: RecordedBody): string | undefined {
  if (body === null) {
    return '';
  }
  return 'json' in body ? JSON.stringify(body.json) : 'text' in body ? body.text : undefined;
}

function sizeOf(body: RecordedBody): number {
  return body !== null && 'bytes' in body ? body.bytes : Buffer.byteLength(textOf(body) ?? '');
}
