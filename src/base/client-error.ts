import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from './errors.ts';

/** The error for a body without a length. Node.js clients send one with a GET or DELETE, for example, unless a header declares it. */
export const UNDECLARED_BODY =
  'a body follows a request that has neither Content-Length nor Transfer-Encoding, so it cannot be read; send one of these headers with it';

/** Codes with which Node.js reports bytes after a request that has no body. */
const BYTES_AFTER_REQUEST: ReadonlySet<unknown> = new Set(['HPE_INVALID_METHOD', 'HPE_CLOSED_CONNECTION']);
const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
const BAD_REQUEST = '400 Bad Request';

const requestsWithUndeclaredBody = new WeakSet<IncomingMessage>();

/** Whether bytes followed a request that declares no body. Known before the request emits `end` if they were in the same packet. */
export function hasUndeclaredBody(request: IncomingMessage): boolean {
  return requestsWithUndeclaredBody.has(request);
}

/** Responses of a connection: the current one, and the one to the latest request. */
export interface ConnectionResponses {
  current: ServerResponse | undefined;
  latest: ServerResponse | undefined;
}

/**
 * For a server's `clientError`. If the latest request has a body without a length, and is neither answered nor read to its end yet, its
 * entry point refuses it. Other errors are answered as Node.js does without a listener, but with a text if they are about such a body.
 */
export function handleClientError(error: Error, socket: Duplex, responses: ConnectionResponses): void {
  const { latest } = responses;
  if (latest && hasBytesAfter(error, latest) && canStillRefuse(latest)) {
    requestsWithUndeclaredBody.add(latest.req);
    latest.shouldKeepAlive = false;
  } else {
    answerClientError(error, socket, responses);
  }
}

/** A long body is reported several times, so a request that is already marked stays refused. */
function canStillRefuse({ req, headersSent, destroyed }: ServerResponse): boolean {
  return hasUndeclaredBody(req) || !(headersSent || req.readableEnded || destroyed);
}

/** Answers invalid HTTP, unless another answer is still being sent, and closes the connection. */
export function answerClientError(error: Error, socket: Duplex, { current, latest }: ConnectionResponses): void {
  const isAnswering = current?.headersSent && !current.writableFinished;
  if (socket.writable && !isAnswering) {
    const text = latest && hasBytesAfter(error, latest) ? `${UNDECLARED_BODY}\n` : '';
    const head = `HTTP/1.1 ${STATUS_LINES[String(codeOf(error))] ?? BAD_REQUEST}\r\nConnection: close\r\n`;
    const type = text === '' ? '' : `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\n`;
    socket.write(`${head}${type}\r\n${text}`);
  }
  socket.destroy();
}

function hasBytesAfter(error: Error, { req: { headers } }: ServerResponse): boolean {
  const isBodyless = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  return isBodyless && BYTES_AFTER_REQUEST.has(codeOf(error));
}
