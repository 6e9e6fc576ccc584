import type { IncomingMessage } from 'node:http';
import { codeOf, messageOf } from '../../base/errors.ts';
import { KeptConnections } from '../../base/kept-connections.ts';
import { exchange } from '../../base/outbound.ts';
import type { RecordedCall, RecordedHeaders } from '../../base/schema/recordings.ts';
import { steadyNow } from '../../base/timers.ts';
import { bytesOf, MOST_KEPT, readBody } from '../body.ts';
import { NOT_SENT } from '../recording.ts';
import type { SentCall } from './call-values.ts';

/** Headers about the connection that a call came by, or how its body was packed, and not about the call. */
const OF_CONNECTION =
  /^(?:host|connection|content-length|content-encoding|transfer-encoding|expect|keep-alive|te|trailer|upgrade|proxy-.*)$/i;

/** What became of a call. */
export type Outcome = Pick<RecordedCall, 'ms' | 'answer' | 'error'>;

/** Nobody takes calls where they were to go. */
export class NotReachable extends Error {
  override readonly name = 'NotReachable';
}

/** Sends calls to what stands below a base address. */
export class CallSender {
  readonly #base: URL;
  readonly #connections = new KeptConnections();

  constructor(baseUrl: string) {
    this.#base = new URL(baseUrl);
  }

  /**
   * Resolves with what was answered, or why nothing was; it is waited for `patienceMs` real milliseconds. Rejects with NotReachable
   * where there is no connection, and with the signal's reason.
   */
  async send(call: SentCall, patienceMs: number, signal?: AbortSignal): Promise<Outcome> {
    signal?.throwIfAborted();
    const body = bytesOf(call.body, call.headers);
    if (!body) {
      return { ms: 0, answer: null, error: `${NOT_SENT}the recording does not have its body` };
    }
    const began = steadyNow();
    let isConnected = false;
    try {
      return await exchange(
        this.#base,
        {
          ...this.#requestFor(call, body),
          signal,
          timeoutMs: patienceMs,
          connections: this.#connections,
          onConnected: () => {
            isConnected = true;
          },
        },
        (answer) => readAnswer(answer, began),
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (isInvalid(error)) {
        return { ms: 0, answer: null, error: NOT_SENT + messageOf(error) };
      }
      if (!isConnected) {
        throw new NotReachable(`no connection to ${this.#base.origin}: ${messageOf(error)}`);
      }
      return { ms: since(began), answer: null, error: messageOf(error) };
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#connections.close();
  }

  #requestFor({ method, target, headers }: SentCall, body: Buffer) {
    const { host, pathname } = this.#base;
    return {
      method,
      target: target === '*' ? target : `${pathname.replace(/\/$/, '')}${target}`,
      headers: ['Host', host, ...sentHeaders(headers), ...lengthOf(method, body)],
      body,
    };
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

/** Node.js refuses to send invalid HTTP. */
function isInvalid(error: unknown): boolean {
  return /^ERR_(?:INVALID|UNESCAPED|HTTP)_/.test(String(codeOf(error)));
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
