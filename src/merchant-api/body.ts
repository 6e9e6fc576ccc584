import type { IncomingMessage } from 'node:http';
import { type Finding, Refusal } from '../refusal.ts';
import { checkTree } from './json-tree.ts';
import { readMultipart } from './multipart.ts';
import type { Operation } from './operation.ts';

/** Bytes of a JSON body at most. Source: ours. */
const MAX_JSON = 1024 * 1024;
/** Bytes of a multipart body at most: an image of 5 MiB and the fields beside it. Source: ours. */
const MAX_MULTIPART = 6 * 1024 * 1024;

export interface BodyResult {
  value: unknown;
  findings: readonly Finding[];
}

/** The client went away while it was sending: there is nobody to answer. */
export class ClientGone extends Error {}

const NO_FINDINGS: readonly Finding[] = Object.freeze([]);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A request's body as a plain value. Throws a Refusal (400, 413, 415), or ClientGone. */
export async function readBody(
  request: IncomingMessage,
  kind: Operation['body'],
  query: Readonly<Record<string, string>>,
  lenient: boolean,
): Promise<BodyResult> {
  const bytes = await readBytes(request, kind === 'multipart' ? MAX_MULTIPART : MAX_JSON);
  const contentType = request.headers['content-type'];
  switch (kind) {
    case 'none':
      return { value: undefined, findings: NO_FINDINGS };
    case 'multipart':
      return readMultipart(bytes, contentType, lenient);
    case 'json-or-query':
      return bytes.length === 0
        ? { value: query, findings: NO_FINDINGS }
        : { value: parseJson(bytes, contentType), findings: NO_FINDINGS };
    case 'json':
      return { value: parseJson(bytes, contentType), findings: NO_FINDINGS };
  }
}

/** All bytes of a request. A body over the limit is refused; what is still on its way is let run out. */
function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    request.resume();
    throw new Refusal('wrong-media-type', `Content-Encoding ${encoding} is not taken; send the body as it is`);
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = () => {
      request.off('data', take);
      request.resume();
      reject(new Refusal('body-too-large', `the body is larger than ${limit} bytes, the most that is taken here`));
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        refuse();
      } else {
        chunks.push(chunk);
      }
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      refuse();
      return;
    }
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', () => reject(new ClientGone()));
    request.on('close', () => {
      if (!request.complete) {
        reject(new ClientGone());
      }
    });
  });
}

/** A JSON object from bytes that say they are JSON. Source: INTERFACE.md, "header Content-Type: application/json (required)". */
export function parseJson(bytes: Buffer, contentType: string | undefined): unknown {
  checkJsonType(contentType);
  if (bytes.length === 0) {
    throw new Refusal('malformed-body', 'the body is empty; a JSON object was expected');
  }
  const value = parse(decode(bytes));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal('malformed-body', `the body is ${Array.isArray(value) ? 'a JSON array' : 'not a JSON object'}; a JSON object was expected`);
  }
  checkTree(value);
  return value;
}

function checkJsonType(contentType: string | undefined): void {
  if (contentType === 'application/json') {
    return;
  }
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') {
    const came = contentType === undefined ? 'no Content-Type came' : `Content-Type ${contentType.slice(0, 100)} came`;
    throw new Refusal('wrong-media-type', `${came}; send Content-Type: application/json`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8).replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new Refusal('wrong-media-type', `charset ${charset.slice(0, 40)} is not taken; send UTF-8`);
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('malformed-body', 'the body is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the body, and with it perhaps a secret: only its position is passed on.
    const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw new Refusal('malformed-body', `the body is not JSON: ${whereIn(text, position === undefined ? text.length : Number(position))}`);
  }
}

function whereIn(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  return position >= text.length ? `it ends too early, at ${place}` : `it cannot be read at ${place}`;
}
