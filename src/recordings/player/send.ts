import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { messageOf } from '../../base/errors.ts';
import type { RecordedCall, RecordedHeaders } from '../../base/schema/recordings.ts';
import { hostOf } from '../../base/text/url.ts';
import { afterMilliseconds, steadyNow } from '../../base/timers.ts';
import { bytesOf, MOST_KEPT, readBody } from '../body.ts';
import { notSent } from '../recording.ts';
import type { SentCall } from './call-values.ts';

/** Headers about the connection that a call came by, or how its body was packed, and not about the call. */
const OF_CONNECTION =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|expect|keep-alive|te|trailer|upgrade|proxy-.*)$/i;

/**
 * Real milliseconds for which a connection is kept for the next call. Servers keep them longer: one that closes it while a call is on its
 * way would leave open whether that counts.
 */
const MOST_IDLE_MS = 1000;

/** What became of a call. */
export type Outcome = Pick<RecordedCall, 'ms' | 'answer' | 'error'>;

/** Nobody takes calls where they were to go. */
export class NotReachable extends Error {
  override readonly name = 'NotReachable';
}

/** Sends calls to what stands below a base address. */
export class CallSender {
  readonly #base: URL;
  readonly #agent: HttpAgent | HttpsAgent;

  constructor(baseUrl: string) {
    this.#base = new URL(baseUrl);
    const Agent = this.#base.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, timeout: MOST_IDLE_MS });
  }

  /**
   * Resolves with what was answered, or why nothing was; it is waited for `patienceMs` real milliseconds. Rejects with NotReachable
   * where there is no connection, and with the signal's reason.
   */
  async send(call: SentCall, patienceMs: number, signal?: AbortSignal): Promise<Outcome> {
    signal?.throwIfAborted();
    const body = bytesOf(call.body, call.headers);
    if (!body) {
      return { ms: 0, answer: null, error: notSent('the recording does not have its body') };
    }
    const began = steadyNow();
    let state: 'connecting' | 'sent' | 'answering' = 'connecting';
    const none = (error: unknown): Outcome => ({ ms: since(began), answer: null, error: messageOf(error) });
    let request: ClientRequest;
    try {
      request = this.#begin(call, body);
    } catch (error) {
      // Node.js does not send what is no HTTP.
      return { ms: 0, answer: null, error: notSent(messageOf(error)) };
    }
    const abort = () => request.destroy();
    signal?.addEventListener('abort', abort);
    const stopWaiting = afterMilliseconds(patienceMs, () =>
      request.destroy(new Error(`no answer within ${Math.round(patienceMs)} ms`)),
    );
    whenConnected(request, () => {
      state = 'sent';
    });
    try {
      const response = await answerTo(request.end(body));
      state = 'answering';
      return await readAnswer(response, began);
    } catch (error) {
      signal?.throwIfAborted();
      if (state === 'connecting') {
        throw new NotReachable(`no connection to ${this.#base.origin}: ${messageOf(error)}`);
      }
      return none(error);
    } finally {
      stopWaiting();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#agent.destroy();
  }

  #begin({ method, target, headers }: SentCall, body: Buffer): ClientRequest {
    const { protocol, port, host, pathname } = this.#base;
    const begin = protocol === 'https:' ? httpsRequest : httpRequest;
    return begin({
      agent: this.#agent,
      protocol,
      hostname: hostOf(this.#base),
      port,
      method,
      path: target === '*' ? target : `${pathname.replace(/\/$/, '')}${target}`,
      headers: ['Host', host, ...sentHeaders(headers), ...lengthOf(method, body)],
    });
  }
}

/** Names and values, one after the other, as they were written. */
function sentHeaders(headers: RecordedHeaders): string[] {
  return headers.filter(({ name }) => !OF_CONNECTION.test(name)).flatMap(({ name, value }) => [name, value]);
}

function lengthOf(method: string, body: Buffer): string[] {
  const hasBody = body.length > 0 || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method);
  return hasBody ? ['Content-Length', String(body.length)] : [];
}

function whenConnected(request: ClientRequest, onConnected: () => void): void {
  request.once('socket', (socket) => {
    if (request.reusedSocket) {
      onConnected();
    } else {
      socket.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected);
    }
  });
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject);
  });
}

/** An answer that breaks off is none, as a client sees it; what came of it is in the error. */
async function readAnswer(response: IncomingMessage, began: number): Promise<Outcome> {
  const { statusCode: status = 0, rawHeaders } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  let error: string | null = null;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size < MOST_KEPT) {
        chunks.push(chunk);
      }
      size += chunk.length;
    }
  } catch (cause) {
    error = `the answer broke off after ${size} bytes: ${messageOf(cause)}`;
  }
  const headers: RecordedHeaders = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.push({ name: rawHeaders[at] ?? '', value: rawHeaders[at + 1] ?? '' });
  }
  return { ms: since(began), answer: { status, headers, body: readBody(Buffer.concat(chunks), headers, size) }, error };
}

const since = (began: number): number => Math.round(steadyNow() - began);
