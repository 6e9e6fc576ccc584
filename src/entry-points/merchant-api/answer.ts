import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request } from 'express';
import type { Fault } from '../../domain/scenarios/scenario.ts';
import { type Envelope, errorBody } from '../../domain/wire/envelopes.ts';
import type { Exchange } from './exchange.ts';
import type { RequestRecord, SentAnswer } from './request-record.ts';

/** JSON in one piece, in text/plain unless the client prefers its own type. Source: INTERFACE.md, "General rules". */
export function sendAnswer(
  exchange: Exchange,
  record: RequestRecord,
  status: number,
  answer: unknown,
  more: Readonly<Record<string, string>> = {},
): SentAnswer {
  return send(exchange.response, status, JSON.stringify(answer), { ...record.headers, ...more });
}

/** What a fault sends in the answer's place; null when it sends nothing. */
export async function sendFault(
  exchange: Exchange,
  fault: Fault,
  envelope: Envelope,
  record: RequestRecord,
): Promise<SentAnswer | null> {
  const { response } = exchange;
  switch (fault.kind) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return null;
    case 'timeout':
      // Not an answer and not an end: the client has to give up by itself.
      await new Promise((resolve) => response.on('close', resolve));
      return null;
    case 'empty-body':
      return send(exchange.response, 200, '', record.headers);
    case 'malformed-body':
      return send(exchange.response, 200, '{"status":"Success","paymentInit', record.headers);
    default: {
      const status = fault.status ?? 500;
      const message = fault.message ?? `simulated failure with status ${status}`;
      const body = errorBody(envelope, status, message, exchange.session.fixtures);
      const retryAfter = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
      return sendAnswer(exchange, record, status, body, retryAfter);
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
    mediaType = express.request.accepts.call(request as Request, ...MEDIA_TYPES) || 'text/plain';
    if (mediaTypes.size < MOST_REMEMBERED && accept.length <= LONGEST_REMEMBERED) {
      mediaTypes.set(accept, mediaType);
    }
  }
  return mediaType;
}

/** Writes a text in one piece. */
export function send(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>>,
): SentAnswer {
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
