import { type ClientRequest, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { ConnectionPool } from './connection-pool.ts';
import { codeOf } from './errors.ts';
import { plural } from './text/plural.ts';
import { startTimeout } from './timers.ts';

export interface OutboundRequest {
  method?: string | undefined;
  headers?: OutgoingHttpHeaders | readonly string[];
  body?: string | Uint8Array | undefined;
  /** The request target, if it must be sent byte for byte. Default: that of the address. */
  target?: string;
  signal?: AbortSignal | undefined;
  /** Real milliseconds until `read` has its result, including the time to connect and send. */
  timeoutMs: number;
  /** Default: the request has its own connection. */
  connections?: ConnectionPool;
  /** If given, the body stops halfway until this resolves; the time limit begins after it. */
  pauseHalfway?: (() => Promise<void>) | undefined;
  /** Whether to send the request again if a kept connection was closed before any byte of the answer. */
  isRepeatable?: boolean;
  onConnected?: () => void;
}

export interface OutboundAnswer {
  status: number;
  statusText: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** The answer has more bytes than the caller accepts. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

const SWITCHING_PROTOCOLS = 101;

/**
 * Sends a request and passes the answer to `read` as soon as it begins. Ends, whatever the peer does: with the result of
 * `read`, an error, a timeout or the reason of the signal. A late answer is destroyed, so that `read` ends, too.
 */
export async function sendRequest<T>(address: string | URL, options: OutboundRequest, read: Reader<T>): Promise<T> {
  const url = new URL(address);
  try {
    return await new Attempt(url, options, read).result;
  } catch (error) {
    if (!(error instanceof ConnectionWasClosed)) {
      throw error;
    }
    if (!options.isRepeatable) {
      throw error.cause;
    }
    return new Attempt(url, { ...options, isFresh: true }, read).result;
  }
}

/** Like `sendRequest`, with the whole answer in memory. Beyond `maxBytes`, rejects with AnswerTooLong or, with `canBeCut`, returns the beginning. */
export function fetchWhole(
  address: string | URL,
  { maxBytes, canBeCut = false, ...options }: OutboundRequest & { maxBytes: number; canBeCut?: boolean },
): Promise<OutboundAnswer> {
  return sendRequest(address, options, async (answer) => {
    const { statusCode: status = 0, statusMessage: statusText = '', headers } = answer;
    const body = await readAnswerBytes(answer, maxBytes);
    if (body.length > maxBytes && !canBeCut) {
      throw new AnswerTooLong(`the answer has more than ${maxBytes} bytes`);
    }
    return { status, statusText, headers, body: body.subarray(0, maxBytes) };
  });
}

/** The bytes of an answer, empty for a 101. Reads up to a chunk more than `maxBytes`, so that callers can detect a longer answer. */
export async function readAnswerBytes(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (answer.statusCode === SWITCHING_PROTOCOLS) {
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the answer and its connection.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) {
      break;
    }
  }
  return Buffer.concat(chunks);
}

/** A kept connection was closed before any byte of the answer, most likely because its idle time ended when the request was sent. */
class ConnectionWasClosed extends Error {
  constructor(cause: unknown) {
    super('a kept connection was closed', { cause });
  }
}

type Reader<T> = (answer: IncomingMessage) => T | Promise<T>;

/** One request on one connection. */
class Attempt<T> {
  readonly result: Promise<T>;
  readonly #options: OutboundRequest;
  readonly #read: Reader<T>;
  #answer: IncomingMessage | undefined;
  #hasBytes = false;

  constructor(url: URL, options: OutboundRequest & { isFresh?: boolean }, read: Reader<T>) {
    this.#options = options;
    this.#read = read;
    this.result = this.#run(url, options.isFresh ?? options.pauseHalfway !== undefined);
  }

  async #run(url: URL, isFresh: boolean): Promise<T> {
    const { signal, timeoutMs } = this.#options;
    signal?.throwIfAborted();
    const request = startRequest(url, this.#options, isFresh);
    let giveUp: (reason: Error) => void = () => undefined;
    const answered = new Promise<T>((resolve, reject) => {
      this.#follow(request, resolve, reject);
      giveUp = (reason) => {
        // Rejects here, because a connection that ends before the answer begins does not always cause an event.
        if (!this.#answer) {
          reject(reason);
        }
        (this.#answer ?? request).destroy(reason);
      };
    });
    // Otherwise a failure while the request is still being written would be an unhandled rejection.
    answered.catch(() => undefined);
    const abort = () => giveUp(signal?.reason);
    signal?.addEventListener('abort', abort);
    let cancelTimeout = () => {};
    try {
      await this.#write(request, answered);
      const whyLate = `no answer within ${plural(timeoutMs / 1000, 'second')}`;
      cancelTimeout = startTimeout(timeoutMs, () => giveUp(new Error(whyLate)));
      return await answered;
    } finally {
      cancelTimeout();
      signal?.removeEventListener('abort', abort);
    }
  }

  #follow(request: ClientRequest, resolve: (value: T | Promise<T>) => void, reject: (error: unknown) => void): void {
    const onAnswer = (answer: IncomingMessage) => {
      this.#answer = answer;
      this.#options.connections?.learnFrom(answer);
      try {
        resolve(this.#read(answer));
      } catch (error) {
        reject(error);
      }
    };
    // Closed, because the request did not ask for another protocol.
    const onUpgrade = (answer: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      onAnswer(answer);
    };
    const onData = () => {
      this.#hasBytes = true;
    };
    request
      .on('socket', (socket) => {
        socket.on('data', onData);
        request.once('close', () => socket.off('data', onData));
        whenConnected(request, () => this.#options.onConnected?.());
      })
      .on('response', onAnswer)
      .on('upgrade', onUpgrade)
      .on('connect', onUpgrade)
      // Has no effect after the answer has begun: the answer reports its own end, and invalid bytes may follow a complete one.
      .on('error', (error) => reject(this.#wasClosed(request, error) ? new ConnectionWasClosed(error) : error))
      .on('close', () => {
        if (!this.#answer) {
          reject(new Error('the connection ended without an answer'));
        }
      });
  }

  #wasClosed(request: ClientRequest, error: unknown): boolean {
    return request.reusedSocket && !this.#hasBytes && ['ECONNRESET', 'EPIPE'].includes(String(codeOf(error)));
  }

  async #write(request: ClientRequest, answered: Promise<T>): Promise<void> {
    const { body, pauseHalfway } = this.#options;
    if (!pauseHalfway || body === undefined) {
      request.end(body);
      return;
    }
    const bytes = Buffer.from(body);
    const half = Math.floor(bytes.length / 2);
    request.write(bytes.subarray(0, half));
    // Does not wait if the peer answers, or closes the connection, before the rest is sent.
    await Promise.race([pauseHalfway(), answered]);
    request.end(bytes.subarray(half));
  }
}

function startRequest(
  url: URL,
  { method, headers, target, connections }: OutboundRequest,
  isFresh: boolean,
): ClientRequest {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return send({
    ...urlToHttpOptions(url),
    ...(target === undefined ? {} : { path: target }),
    method: method ?? 'GET',
    ...(headers ? { headers } : {}),
    agent: connections?.agentFor(url.protocol, { isFresh }) ?? false,
  });
}

function whenConnected(request: ClientRequest, onConnected: () => void): void {
  const { socket } = request;
  if (request.reusedSocket) {
    onConnected();
  } else {
    socket?.once(request.protocol === 'https:' ? 'secureConnect' : 'connect', onConnected);
  }
}
