import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../../domain/scenarios/scenario.ts';
import { type Envelope, errorBody } from '../../domain/wire/envelopes.ts';
import { preferredType } from '../../http/answers.ts';
import type { Exchange } from './exchange.ts';
import type { SentAnswer } from './request-record.ts';

/** What a call comes to: an answer, which may be a refusal's, or the fault that takes its place. */
export type Reply = { status: number; body: unknown; headers: Headers } | { fault: Fault };

type Headers = Readonly<Record<string, string>>;

/** Sends a reply with these headers. Resolves with what was sent; with null where a fault sends nothing. Source: INTERFACE.md, "General rules". */
export async function sendReply(
  { response, session }: Exchange,
  reply: Reply,
  envelope: Envelope,
  headers: Headers,
): Promise<SentAnswer | null> {
  if (!('fault' in reply)) {
    return send(response, reply.status, JSON.stringify(reply.body), { ...headers, ...reply.headers });
  }
  const { fault } = reply;
  switch (fault.kind) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return null;
    case 'timeout':
      // Not an answer and not an end: the client has to give up by itself.
      await new Promise((resolve) => response.on('close', resolve));
      return null;
    case 'empty-body':
      return send(response, 200, '', headers);
    case 'malformed-body':
      return send(response, 200, '{"status":"Success","paymentInit', headers);
    default: {
      const status = fault.status ?? 500;
      const message = fault.message ?? `simulated failure with status ${status}`;
      const body = errorBody(envelope, status, message, session.fixtures);
      const retryAfter = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
      return send(response, status, JSON.stringify(body), { ...headers, ...retryAfter });
    }
  }
}

/** What an answer's JSON is called, the interface's own type first: a client that would rather have JSON gets that. */
const MEDIA_TYPES = ['text/plain', 'application/json'];

/** The same few headers come with every request. */
const mediaTypes = new Map<string, string>();
const MOST_REMEMBERED = 1000;
const LONGEST_REMEMBERED = 200;

function mediaTypeFor(request: IncomingMessage): string {
  const { accept = '' } = request.headers;
  let mediaType = mediaTypes.get(accept);
  if (mediaType === undefined) {
    mediaType = preferredType(request, MEDIA_TYPES) ?? 'text/plain';
    if (mediaTypes.size < MOST_REMEMBERED && accept.length <= LONGEST_REMEMBERED) {
      mediaTypes.set(accept, mediaType);
    }
  }
  return mediaType;
}

/** Writes a text in one piece. */
export function send(response: ServerResponse, status: number, text: string, more: Headers): SentAnswer {
  const headers: Record<string, string> = {
    'Content-Type': `${mediaTypeFor(response.req)};charset=UTF-8`,
    Vary: 'Accept',
    'Content-Length': String(Buffer.byteLength(text)),
    ...more,
  };
  // A request that was refused before its end has more to say than will be read.
  if (!response.req.complete) {
    headers['Connection'] = 'close';
  }
  response.writeHead(status, headers);
  response.end(text);
  return { status, headers, text };
}
