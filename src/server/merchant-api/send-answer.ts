import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../domain/scenarios/scenario.ts';
import { preferredType } from '../http/answers.ts';

/** The end of a call: an answer, which may be a refusal, or the fault that replaces it. */
export type Reply = { status: number; body: unknown; headers: Headers } | { fault: Fault };

type Headers = Readonly<Record<string, string>>;

export interface AnswerForm {
  /** Whether a client whose `Accept` prefers application/json gets that type instead of text/plain. */
  isNegotiated: boolean;
  headers: Headers;
}

export interface SentAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Writes an answer in one piece. Source: INTERFACE.md, "General rules". */
export function sendAnswer(
  response: ServerResponse,
  { status, text, isNegotiated, headers: otherHeaders }: { status: number; text: string } & AnswerForm,
): SentAnswer {
  const headers: Record<string, string> = {
    'Content-Type': isNegotiated ? mediaTypesOf(response.req).preferred : TEXT_TYPE,
    Vary: 'Accept',
    'Content-Length': String(Buffer.byteLength(text)),
    ...otherHeaders,
  };
  // A request that was refused before its end still has bytes to send, which are not read.
  if (!response.req.complete) {
    headers['Connection'] = 'close';
  }
  response.writeHead(status, headers);
  response.end(text);
  return { status, headers, text };
}

const TEXT_TYPE = 'text/plain;charset=UTF-8';
const JSON_TYPE = 'application/json;charset=UTF-8';

interface MediaTypes {
  /** The type of a negotiated answer. */
  preferred: string;
  /** Whether the client accepts JSON, but not the interface's own text/plain. */
  isJsonOnly: boolean;
}

/** Kept because clients send the same few `Accept` headers with every request. */
const mediaTypes = new Map<string, MediaTypes>();
const MAX_MEDIA_TYPES = 1000;
const MAX_ACCEPT_LENGTH = 200;

/** The `Accept` header of a client that accepts only JSON; undefined for any other client. */
export function jsonOnlyAccept(request: IncomingMessage): string | undefined {
  return request.headers.accept !== undefined && mediaTypesOf(request).isJsonOnly ? request.headers.accept : undefined;
}

function mediaTypesOf(request: IncomingMessage): MediaTypes {
  const { accept = '' } = request.headers;
  const cached = mediaTypes.get(accept);
  if (cached) {
    return cached;
  }
  const preferred = preferredType(request, [TEXT_TYPE, JSON_TYPE]) ?? TEXT_TYPE;
  const types = { preferred, isJsonOnly: preferred === JSON_TYPE && !preferredType(request, [TEXT_TYPE]) };
  if (mediaTypes.size < MAX_MEDIA_TYPES && accept.length <= MAX_ACCEPT_LENGTH) {
    mediaTypes.set(accept, types);
  }
  return types;
}
