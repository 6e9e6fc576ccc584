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

/** Real milliseconds that an answer may take: one that moves the clock waits for the receivers of all notifications on the way. */
const READ_TIMEOUT_MS = 120_000;
const CHANGE_TIMEOUT_MS = 15 * 60_000;
/** More than any answer of a sandbox has. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

const connections = new ConnectionPool();

/**
 * A call and the whole of its answer. Rejects with NoAnswerError, or with the reason of an abort. By Node's own client: a command that
 * loads `fetch` takes twice the processor time.
 */
export async function httpCall(address: string, options: HttpCallOptions): Promise<HttpAnswer> {
  const request = { ...outbound(options), maxBytes: MAX_ANSWER_BYTES };
  const { status, headers, body } = await orNoAnswer(address, options.signal, fetchWhole(address, request));
  return { status, headers, text: body.toString() };
}

/** An answer that does not end by itself, once it begins. Rejects as `httpCall` does. */
export async function httpStream(address: string, options: HttpCallOptions): Promise<IncomingMessage> {
  const { signal } = options;
  const answer = await orNoAnswer(
    address,
    signal,
    sendRequest(address, outbound(options), (begun) => begun),
  );
  const stop = () => answer.destroy(signal?.reason);
  signal?.addEventListener('abort', stop);
  answer.once('close', () => signal?.removeEventListener('abort', stop));
  return answer;
}

function outbound({ method = 'GET', ...options }: HttpCallOptions): OutboundRequest {
  const isRead = method === 'GET';
  return {
    ...options,
    ...{ method, connections, isRepeatable: isRead, timeoutMs: isRead ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS },
  };
}

async function orNoAnswer<T>(address: string, signal: AbortSignal | undefined, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    signal?.throwIfAborted();
    throw new NoAnswerError(address, error);
  }
}
