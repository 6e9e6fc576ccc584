import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ConnectionPool } from '../base/connection-pool.ts';
import { fetchWhole, type OutboundRequest, sendRequest } from '../base/outbound.ts';
import { NoAnswerError } from './no-answer-error.ts';

export interface HttpCallOptions {
  method?: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Time limits of calls. Changes get more, because a call that advances the clock waits for the receivers of notifications. */
const READ_TIMEOUT_MS = 120_000;
const CHANGE_TIMEOUT_MS = 15 * 60_000;
/** No answer of a sandbox is nearly as large. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

const connections = new ConnectionPool();

/**
 * Sends a request and reads the whole answer. Rejects with NoAnswerError, or with the reason of an abort. Uses node:http, because loading
 * `fetch` doubles the processor time of a command.
 */
export async function httpCall(address: string, options: HttpCallOptions): Promise<HttpAnswer> {
  const request = { ...toOutboundRequest(options), maxBytes: MAX_ANSWER_BYTES };
  const { status, headers, body } = await withNoAnswerError(address, options.signal, fetchWhole(address, request));
  return { status, headers, text: body.toString() };
}

/** Sends a request; resolves when its answer begins, which then continues until one side ends it. Rejects like `httpCall`. */
export async function httpStream(address: string, options: HttpCallOptions): Promise<IncomingMessage> {
  const { signal } = options;
  const answer = await withNoAnswerError(
    address,
    signal,
    sendRequest(address, toOutboundRequest(options), (response) => response),
  );
  const stop = () => answer.destroy(signal?.reason);
  signal?.addEventListener('abort', stop);
  answer.once('close', () => signal?.removeEventListener('abort', stop));
  return answer;
}

function toOutboundRequest({ method = 'GET', ...options }: HttpCallOptions): OutboundRequest {
  const isRead = method === 'GET';
  const timeoutMs = isRead ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS;
  return { ...options, method, connections, isRepeatable: isRead, timeoutMs };
}

async function withNoAnswerError<T>(address: string, signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw new NoAnswerError(address, error);
  }
}
