import type { ServerResponse } from 'node:http';
import type { Fault } from '../domain/scenarios/scenario.ts';
import { type Envelope, errorBody } from '../domain/wire/envelopes.ts';
import { resetConnection, whenClosed } from '../http/connection.ts';
import type { Exchange } from './exchange.ts';
import type { SentAnswer } from './masked-call.ts';
import { mediaTypeFor } from './media-types.ts';

/** What a call comes to: an answer, which may be a refusal's, or the fault that takes its place. */
export type Reply = { status: number; body: unknown; headers: Headers } | { fault: Fault };

type Headers = Readonly<Record<string, string>>;

/** What an answer depends on, besides what it says. */
export interface AnswerForm {
  envelope: Envelope;
  /** Whether a client whose `Accept` prefers application/json gets that. */
  isNegotiated: boolean;
  headers: Headers;
}

/** Sends a reply. Resolves with what was sent; with null where a fault sends nothing. Source: INTERFACE.md, "General rules". */
export async function sendReply(
  { response, session }: Exchange,
  reply: Reply,
  { envelope, isNegotiated, headers }: AnswerForm,
): Promise<SentAnswer | null> {
  const sendText = (status: number, text: string, more: Headers = {}) =>
    send(response, { status, text, isNegotiated, headers: { ...headers, ...more } });
  if (!('fault' in reply)) {
    return sendText(reply.status, JSON.stringify(reply.body), reply.headers);
  }
  const { fault } = reply;
  switch (fault.kind) {
    case 'reset':
      resetConnection(response.req);
      return null;
    case 'timeout':
      // Not an answer and not an end: the client has to give up by itself.
      await whenClosed(response);
      return null;
    case 'empty-body':
      return sendText(200, '');
    case 'malformed-body':
      return sendText(200, '{"status":"Success","paymentInit');
    default: {
      const status = fault.status ?? 500;
      const message = fault.message ?? `simulated failure with status ${status}`;
      const body = errorBody(envelope, status, message, session.fixtures);
      const retryAfter = fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) };
      return sendText(status, JSON.stringify(body), retryAfter);
    }
  }
}

/** A text to send. */
interface TextAnswer extends Pick<AnswerForm, 'isNegotiated' | 'headers'> {
  status: number;
  text: string;
}

/** Writes a text in one piece. */
export function send(response: ServerResponse, { status, text, isNegotiated, headers: more }: TextAnswer): SentAnswer {
  const headers: Record<string, string> = {
    'Content-Type': mediaTypeFor(response.req, isNegotiated),
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
