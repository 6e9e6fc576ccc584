import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { ConnectionPool } from '../../base/connection-pool.ts';
import { messageOf } from '../../base/errors.ts';
import { sendRequest } from '../../base/outbound.ts';
import type { RecordedCall } from '../../base/schema/generated/recordings.ts';
import { steadyNow } from '../../base/timers.ts';
import { bytesOf, recordedHeaders } from '../body.ts';
import { Tap } from '../recorder/tap.ts';
import { NOT_SENT } from '../recording.ts';
import type { SentCall } from './call-values.ts';

/** Headers that describe the connection or the encoding of the body, not the call. */
const NOT_PLAYED =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|expect|keep-alive|te|trailer|upgrade|proxy-.*)$/i;

export type CallResult = Pick<RecordedCall, 'ms' | 'answer' | 'error'>;

/** Sends calls below a base address. */
export class CallSender {
  readonly #base: URL;
  readonly #connections = new ConnectionPool();

  constructor(baseUrl: string) {
    this.#base = new URL(baseUrl);
  }

  /** Resolves with the answer or an error, at the latest `maxWaitMs` real milliseconds after sending. Rejects with the signal's reason. */
  async send(call: SentCall, maxWaitMs: number, signal?: AbortSignal): Promise<CallResult> {
    const body = bytesOf(call.body, call.headers);
    if (!body) {
      return { ms: 0, answer: null, error: `${NOT_SENT}the recording does not have its body` };
    }
    const startedAt = steadyNow();
    const options = { signal, timeoutMs: maxWaitMs, connections: this.#connections };
    const request = { ...this.#requestFor(call, body), body, ...options };
    try {
      const outcome = await sendRequest(this.#base, request, readAnswer);
      return { ms: since(startedAt), ...outcome };
    } catch (error) {
      signal?.throwIfAborted();
      return { ms: since(startedAt), answer: null, error: messageOf(error) };
    }
  }

  close(): void {
    this.#connections.close();
  }

  #requestFor({ method, target, headers }: SentCall, body: Buffer) {
    const { host, pathname } = this.#base;
    const sent = headers.filter(({ name }) => !NOT_PLAYED.test(name)).flatMap(({ name, value }) => [name, value]);
    const hasBody = body.length > 0 || !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method);
    const length = hasBody ? ['Content-Length', String(body.length)] : [];
    return { method, target: `${pathname.replace(/\/$/, '')}${target}`, headers: ['Host', host, ...sent, ...length] };
  }
}

/** If the answer is incomplete, the result contains the error as well. */
async function readAnswer(response: IncomingMessage): Promise<Omit<CallResult, 'ms'>> {
  const { statusCode: status = 0, rawHeaders } = response;
  const headers = recordedHeaders(rawHeaders);
  const body = new Tap(response);
  const error = await finished(response).then(
    () => null,
    (cause: unknown) => `the answer broke off: ${messageOf(cause)}`,
  );
  return { answer: { status, headers, body: body.read(headers) }, error };
}

const since = (startedAt: number): number => Math.round(steadyNow() - startedAt);
