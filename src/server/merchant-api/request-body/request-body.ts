import type { IncomingMessage } from 'node:http';
import { hasUndeclaredBody, UNDECLARED_BODY } from '../../../base/client-error.ts';
import { redactText } from '../../../base/masking/redact.ts';
import { type Finding, findingsRefusal, Refusal, warningOf } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';
import { checkFormText } from '../../../base/text/form-text.ts';
import type { Operation } from '../operation.ts';
import { checkJsonType, parseJsonBody } from './json-body.ts';
import { checkTree } from './json-tree.ts';
import { type FormPart, readMultipart } from './multipart.ts';

const MEBIBYTE = 1024 * 1024;
/** Maximum size of a body; a multipart one may have an image of 5 MiB. Source: ours. */
const MAX_BODY_BYTES: Readonly<Record<Operation['body'], number>> = {
  none: MEBIBYTE,
  json: MEBIBYTE,
  'json-or-query': MEBIBYTE,
  multipart: 6 * MEBIBYTE,
};
/**
 * A refused body is read and discarded up to this size, because clients that send everything before they read would
 * otherwise see a broken connection instead of the answer. The connection is closed if a client sends more.
 */
const MAX_DISCARDED_BYTES = 64 * MEBIBYTE;
/** Bytes of an unreadable body that are kept for the request log. */
const MAX_UNREADABLE_BYTES = 4096;

export interface BodyOptions {
  kind: Operation['body'];
  isLenient: boolean;
  /** Maximum size in bytes; default: 1 MiB, and for multipart 6 MiB. */
  maxBytes?: number;
}

export interface BodyResult {
  /** JSON object, multipart parts by name, or query parameters; undefined if the operation has no body. */
  value: unknown;
  /** All parts of a multipart form that repeats a name. */
  allParts?: readonly FormPart[];
  findings: readonly Finding[];
}

/** The client closed the connection while it was sending, so there is nobody to answer. */
export class ClientGone extends Error {}

/** A refusal of a body that could not be parsed; the request log shows the beginning of its text, secrets masked. */
export class UnreadableBody extends Refusal {
  readonly text: string;

  constructor(refusal: Refusal, bytes: Buffer) {
    super(refusal.kind, refusal.message, { findings: refusal.findings });
    this.text = textOf(bytes);
  }
}

const NO_FINDINGS: readonly Finding[] = Object.freeze([]);
const EMPTY = Buffer.alloc(0);

/**
 * A request's body as a plain value. Rejects with a Refusal (400, 413, 415), or with ClientGone. Fast, because every
 * request passes through here: one promise and, for a body in one chunk, no copy.
 */
export function readBody(request: IncomingMessage, options: BodyOptions): Promise<BodyResult> {
  return new Promise((resolve, reject) => {
    const onBytes = (bytes: Buffer) => {
      try {
        resolve(parseBody(bytes, request, options));
      } catch (error) {
        reject(error instanceof Refusal ? new UnreadableBody(error, bytes) : error);
      }
    };
    collectBytes(request, options, onBytes, reject);
  });
}

/**
 * The body of a request without an operation, for the request log: JSON, or the beginning of the text with its secrets
 * masked; undefined if it is missing, too large or encoded. Rejects with ClientGone.
 */
export function readForLog(request: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    collectBytes(
      request,
      { kind: 'multipart', isLenient: false },
      (bytes) => {
        resolve(bytes.length === 0 ? undefined : loggedBody(bytes));
      },
      (reason) => (reason instanceof ClientGone ? reject(reason) : resolve(undefined)),
    );
  });
}

function loggedBody(bytes: Buffer): unknown {
  try {
    return bytes.length > MEBIBYTE ? textOf(bytes) : parseJsonBody(bytes).value;
  } catch {
    return textOf(bytes);
  }
}

function textOf(bytes: Buffer): string {
  return redactText(bytes.toString('utf8', 0, MAX_UNREADABLE_BYTES));
}

/** Calls `onBytes` with all bytes of a request, or `fail`. Refused bytes are discarded as they arrive. */
function collectBytes(
  request: IncomingMessage,
  { kind, maxBytes = MAX_BODY_BYTES[kind] }: BodyOptions,
  onBytes: (bytes: Buffer) => void,
  fail: (reason: Refusal | ClientGone) => void,
): void {
  if (request.readableEnded) {
    // The body was read before: by a body parser in front, or to forward it to another node. The call will be refused without its body.
    onBytes(EMPTY);
    return;
  }
  let refusal = checkHead(request, maxBytes);
  let first: Buffer | undefined;
  let others: Buffer[] | undefined;
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (refusal || size > maxBytes) {
      refusal ??= sizeRefusal(maxBytes);
      first = others = undefined;
      if (size > MAX_DISCARDED_BYTES) {
        fail(refusal);
      }
    } else if (first === undefined) {
      first = chunk;
    } else {
      others ??= [first];
      others.push(chunk);
    }
  });
  request.on('end', () => {
    refusal ??= checkDeclared(request);
    if (refusal) {
      fail(refusal);
    } else {
      onBytes(others ? Buffer.concat(others, size) : (first ?? EMPTY));
    }
  });
  const onClose = () => {
    // A request closes after a regular end, too.
    if (!request.readableEnded) {
      fail(new ClientGone());
    }
  };
  request.on('close', onClose);
  if (request.destroyed) {
    onClose();
  }
}

/** Returns a refusal if the request's headers suffice for one. */
function checkHead({ headers }: IncomingMessage, limit: number): Refusal | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    const received = `Content-Encoding ${encoding.slice(0, 40)} was sent`;
    return new Refusal('wrong-media-type', `${received}; send the body as it is, without a Content-Encoding`);
  }
  return Number(headers['content-length'] ?? 0) > limit ? sizeRefusal(limit) : undefined;
}

function checkDeclared(request: IncomingMessage): Refusal | undefined {
  return hasUndeclaredBody(request) ? new Refusal('malformed-body', UNDECLARED_BODY) : undefined;
}

function sizeRefusal(limit: number): Refusal {
  return new Refusal('body-too-large', `the body is larger than ${limit} bytes, the limit here`);
}

function parseBody(
  bytes: Buffer,
  { headers, url }: IncomingMessage,
  { kind, isLenient }: BodyOptions,
): BodyResult | Promise<BodyResult> {
  const contentType = headers['content-type'];
  switch (kind) {
    case 'none':
      return { value: undefined, findings: NO_FINDINGS };
    case 'multipart':
      return readMultipart(bytes, contentType, isLenient);
    case 'json-or-query':
      if (bytes.length === 0) {
        return readQuery(url ?? '');
      }
      // Clients that send a body with a GET often omit its type.
      return isLenient && contentType === undefined
        ? readJson(bytes, isLenient, [UNTYPED_BODY])
        : readTypedJson(bytes, contentType, isLenient);
    case 'json':
      return readTypedJson(bytes, contentType, isLenient);
  }
}

const UNTYPED_BODY = warningOf('wrong-content-type', {
  path: '$',
  expected: 'a body with Content-Type: application/json',
  received: 'one without a Content-Type',
});

function readTypedJson(bytes: Buffer, contentType: string | undefined, isLenient: boolean): BodyResult {
  // The type of an empty body does not matter.
  if (bytes.length > 0) {
    checkJsonType(contentType);
  }
  return readJson(bytes, isLenient, NO_FINDINGS);
}

/** Of a repeated member, lenient mode uses the last, as most parsers do silently. */
function readJson(bytes: Buffer, isLenient: boolean, findings: readonly Finding[]): BodyResult {
  const { value, duplicates } = parseJsonBody(bytes);
  if (duplicates.length === 0) {
    return { value, findings };
  }
  if (!isLenient) {
    throw findingsRefusal(duplicates);
  }
  return { value, findings: [...findings, ...duplicates.map((each) => warningOf('repeated-name', each))] };
}

/** Query parameters by name, as strings; of a repeated name the last. */
function readQuery(url: string): BodyResult {
  const mark = url.indexOf('?');
  const search = mark === -1 ? '' : url.slice(mark + 1);
  checkFormText(search);
  const texts = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [name, text] of new URLSearchParams(search)) {
    if (texts.has(name)) {
      const path = memberPath('$', name);
      findings.push(
        warningOf('repeated-name', { path, expected: 'one query parameter of this name', received: 'several' }),
      );
    }
    texts.set(name, text);
  }
  const value = Object.fromEntries(texts);
  checkTree(value);
  return { value, findings };
}
