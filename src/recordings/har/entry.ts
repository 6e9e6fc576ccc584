import { isMembers, type Members, membersOf } from '../../base/members.ts';
import type { RecordedAnswer, RecordedBody, RecordedHeader, RecordedPart } from '../../base/schema/recordings.ts';
import { parseUrl } from '../../base/text/url.ts';
import { formatUtc, isInstant, parseInstant } from '../../base/time.ts';
import { MOST_KEPT, readBody } from '../body.ts';
import { RecordingError } from '../recording.ts';

/** What an entry of an archive says, whoever wrote it, before it is known whether it is a call or a notification. */
export interface ReadEntry {
  url: URL;
  /** As it stands in the archive, without the fragment. */
  address: string;
  at: string;
  ms: number;
  method: string;
  headers: RecordedHeader[];
  body: RecordedBody;
  answer: RecordedAnswer;
  error: string | null;
  comment: string;
}

/** Bytes of a file that are kept. */
const HEAD = 32;

/** Whether the entry is a WebSocket, whose messages are no calls. */
export function isWebSocket(entry: Members): boolean {
  const { url } = membersOf(entry['request']);
  return (
    '_webSocketMessages' in entry ||
    entry['_resourceType'] === 'websocket' ||
    (typeof url === 'string' && /^wss?:/i.test(url))
  );
}

/**
 * Reads an entry of HAR 1.2 as far as a recording needs it. Only what it cannot do without must be there: browsers and proxies leave out
 * or add much. Throws RecordingError. Source: http://www.softwareishard.com/blog/har-12-spec/
 */
export function readEntry(entry: unknown, place: string): ReadEntry {
  const { startedDateTime, time, timings, request, response, comment } = membersAt(entry, place);
  const asked = membersAt(request, `${place}.request`);
  const address = textAt(asked['url'], `${place}.request.url`).replace(/#.*$/s, '');
  const headers = headersIn(asked['headers'], `${place}.request.headers`);
  const note = typeof comment === 'string' ? comment : '';
  return {
    url: parseUrl(address) ?? fail(`${place}.request.url`, 'an absolute address', address),
    address,
    at: instantAt(startedDateTime, `${place}.startedDateTime`),
    ms: millisecondsOf(time, timings),
    method: textAt(asked['method'], `${place}.request.method`),
    headers,
    body: requestBody(asked, headers, `${place}.request.postData`),
    ...answerOf(membersOf(response), note, `${place}.response`),
    comment: note,
  };
}

export function membersAt(value: unknown, place: string): Members {
  return isMembers(value) ? value : fail(place, 'an object', value);
}

export function fail(place: string, expected: string, received: unknown): never {
  const shown = received === undefined ? 'nothing' : JSON.stringify(received).slice(0, 80);
  throw new RecordingError(`${place} must be ${expected}; received ${shown}`);
}

function textAt(value: unknown, place: string): string {
  return typeof value === 'string' && value !== '' ? value : fail(place, 'a text', value);
}

function instantAt(value: unknown, place: string): string {
  return typeof value === 'string' && isInstant(value)
    ? formatUtc(parseInstant(value))
    : fail(place, 'a date and time', value);
}

/** -1 is what is not known. */
function millisecondsOf(time: unknown, timings: unknown): number {
  const known = [time, ...Object.values(membersOf(timings))].map((each) => (typeof each === 'number' ? each : -1));
  const [whole = -1, ...parts] = known;
  return whole >= 0 ? whole : parts.filter((part) => part > 0).reduce((sum, part) => sum + part, 0);
}

/** Without those of HTTP/2 that take the place of the request line, such as `:authority`. */
function headersIn(value: unknown, place: string): RecordedHeader[] {
  return listAt(value, place)
    .flatMap((header, index) => {
      const { name, value: text } = membersAt(header, `${place}[${index}]`);
      // Browsers write several of one name as one, line by line.
      const lines = String(text ?? '').split(/\r?\n/);
      return lines.map((line) => ({ name: textAt(name, `${place}[${index}].name`), value: line }));
    })
    .filter(({ name }) => !name.startsWith(':'));
}

function listAt(value: unknown, place: string): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : fail(place, 'a list', value);
}

function requestBody({ postData, bodySize }: Members, headers: readonly RecordedHeader[], place: string): RecordedBody {
  const { mimeType, text, params, encoding } = membersOf(postData);
  const type = typeof mimeType === 'string' ? mimeType : '';
  if (typeof text === 'string' && text !== '') {
    return bodyOf(text, encoding, typed(headers, type));
  }
  const list = listAt(params, `${place}.params`);
  if (list.length === 0) {
    return ofSize(bodySize);
  }
  const parts = list.map((each, index) =>
    partOf(membersAt(each, `${place}.params[${index}]`), `${place}.params[${index}]`),
  );
  if (/^\s*multipart\//i.test(type)) {
    return { form: parts };
  }
  const pairs = parts.map((part): [string, string] => [part.name, 'value' in part ? part.value : part.fileName]);
  return { text: new URLSearchParams(pairs).toString() };
}

/** `_size` and `_head` are ours: what a recording has of a file. */
function partOf(param: Members, place: string): RecordedPart {
  const { fileName, contentType, _size: size, _head: head } = param;
  const name = textAt(param['name'], `${place}.name`);
  const value = typeof param['value'] === 'string' ? param['value'] : '';
  if (typeof fileName !== 'string') {
    return { name, value };
  }
  const bytes = Buffer.from(value);
  return {
    name,
    fileName,
    contentType: typeof contentType === 'string' ? contentType : '',
    size: isSize(size) ? size : bytes.length,
    head: typeof head === 'string' ? head : bytes.subarray(0, HEAD).toString('base64'),
  };
}

function answerOf(response: Members, comment: string, place: string): Pick<ReadEntry, 'answer' | 'error'> {
  const { status, statusText, content, bodySize, _error: failure } = response;
  const error = typeof failure === 'string' && failure !== '' ? failure : null;
  // 0 is what browsers write where nothing was answered.
  if (!Number.isInteger(Number(status)) || Number(status) <= 0) {
    const [, told] = /: (.+)$/s.exec(comment) ?? [];
    const said = typeof statusText === 'string' && statusText !== '' ? statusText : told;
    return { answer: null, error: error ?? said ?? 'no answer' };
  }
  const headers = headersIn(response['headers'], `${place}.headers`);
  const { text, encoding, mimeType, size } = membersOf(content);
  const type = typeof mimeType === 'string' ? mimeType : '';
  const body =
    typeof text === 'string' && text !== ''
      ? bodyOf(text, encoding, typed(headers, type))
      : ofSize(isSize(size) && size > 0 ? size : bodySize);
  return { answer: { status: Number(status), headers, body }, error };
}

/** Texts in an archive are neither compressed nor in a character set any more; bytes are not compressed. */
function bodyOf(text: string, encoding: unknown, headers: readonly RecordedHeader[]): RecordedBody {
  const isBytes = encoding === 'base64';
  const bytes = Buffer.from(text, isBytes ? 'base64' : 'utf8');
  const plain = headers
    .filter(({ name }) => name.toLowerCase() !== 'content-encoding')
    .map(({ name, value }) => ({ name, value: isBytes ? value : value.replace(/;\s*charset=[^;]*/i, '') }));
  return readBody(bytes.subarray(0, MOST_KEPT), plain, bytes.length);
}

/** Of what no text is left, how long it was. */
function ofSize(size: unknown): RecordedBody {
  return isSize(size) && size > 0 ? { bytes: size } : null;
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

/** Proxies may leave out the header that the media type comes from. */
function typed(headers: readonly RecordedHeader[], mimeType: string): readonly RecordedHeader[] {
  const has = headers.some(({ name }) => name.toLowerCase() === 'content-type');
  return has || mimeType === '' ? headers : [...headers, { name: 'content-type', value: mimeType }];
}
