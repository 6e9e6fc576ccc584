import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressOf, localAddress } from '../../base/addresses.ts';
import { answerClientError } from '../../base/client-error.ts';
import { messageOf } from '../../base/errors.ts';
import type { RecordedAnswer } from '../../base/schema/generated/recordings.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow, startTimeout, steadyNow } from '../../base/timers.ts';
import { recordedHeaders } from '../body.ts';
import type { Masks } from '../masks.ts';
import { RECORDING_ENDED, type RecordedExchange, RecordingError } from '../recording.ts';
import type { RecordingWriter } from '../recording-writer.ts';
import { type Destination, type Forwarding, refuse, relay } from './relay.ts';
import { Tap } from './tap.ts';

/** The path to which notifications are sent, and all paths below it. */
const NOTIFICATIONS = /^\/_recorder\/notifications(?=[/?]|$)/;
const OWN_PATHS = /^\/_recorder(?=[/?]|$)/;
/** Matches the origin in a request with an absolute address, as to a proxy (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const MAX_HEAD_BYTES = 128 * 1024;
/** Milliseconds that active calls may take once the recorder is asked to end. */
const LAST_CALLS_MS = 1000;

export interface RecorderOptions {
  upstream: URL;
  /** Notifications are forwarded to this address; without one, the recorder answers them. */
  webhook: URL | undefined;
  host: string;
  port: number;
  masks: Masks;
  writer: Pick<RecordingWriter, 'write' | 'close'>;
}

export interface ExchangeCounts {
  calls: number;
  notifications: number;
}

/** A proxy that records calls and notifications. */
export class Recorder {
  readonly counts: ExchangeCounts = { calls: 0, notifications: 0 };
  /** Resolves with the error of the first exchange that could not be masked or written. */
  readonly failure: Promise<RecordingError>;
  readonly #options: RecorderOptions;
  readonly #server: Server;
  #startedCounts: ExchangeCounts = { calls: 0, notifications: 0 };
  readonly #active = new Set<Promise<void>>();
  #isAborted = false;
  #writing: Promise<void> = Promise.resolve();
  #onFailure: (error: RecordingError) => void = () => undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.failure = new Promise((resolve) => {
      this.#onFailure = resolve;
    });
    this.#server = this.#serve();
  }

  /** Resolves with the address of the recorder. */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      // This listener stays: without it, a connection that cannot be accepted would end the process.
      this.#server.on('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const { address, port: bound } = this.#server.address() as AddressInfo;
    return addressOf('http', localAddress(address), bound);
  }

  /** Accepts no more calls, ends those still active after `lastCallsMs`, and resolves when everything is written. */
  async close(lastCallsMs = LAST_CALLS_MS): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    const cancel = startTimeout(this.#active.size === 0 ? 0 : lastCallsMs, () => {
      this.#isAborted = true;
      this.#server.closeAllConnections();
    });
    await closed;
    cancel();
    await Promise.all(this.#active);
    await this.#writing;
    await this.#options.writer.close(formatUtc(machineNow()));
  }

  #serve(): Server {
    // No time limits here, because those of the service apply.
    const options = { maxHeaderSize: MAX_HEAD_BYTES, requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
    const latestResponses = new WeakMap<Socket, ServerResponse>();
    return createServer(options, (request, response) => {
      latestResponses.set(request.socket, response);
      const handled = this.#handle(request, response);
      this.#active.add(handled);
      void handled.finally(() => this.#active.delete(handled));
    }).on('clientError', (error, socket) => {
      const response = latestResponses.get(socket as Socket);
      answerClientError(error, socket, { current: response, latest: response });
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = (request.url ?? '/').replace(ORIGIN, '');
    const isNotification = NOTIFICATIONS.test(target);
    if (OWN_PATHS.test(target) && !isNotification) {
      refuse(response, 'notifications are recorded at /_recorder/notifications; nothing else is served here', 404);
      return;
    }
    const { upstream, webhook } = this.#options;
    const path = target.replace(NOTIFICATIONS, '');
    const base = isNotification ? webhook : upstream;
    const destination = base && resolveBelow(base, path);
    const kind = isNotification ? 'notification' : 'call';
    const counter = isNotification ? 'notifications' : 'calls';
    this.#startedCounts[counter] += 1;
    const [id, at, startedAt] = [`${kind}-${this.#startedCounts[counter]}`, formatUtc(machineNow()), steadyNow()];
    const result = await (destination ? relay(request, response, destination) : answerNotification(request, response));
    const headers = recordedHeaders(request.rawHeaders);
    const error = result.error !== undefined && this.#isAborted ? RECORDING_ENDED : (result.error ?? null);
    const facts = { kind, id, at, method: request.method ?? '', headers } as const;
    this.#write(counter, {
      ...facts,
      target: isNotification ? (destination?.path ?? path.replace(/^(?!\/)/, '/')) : target,
      body: result.body.read(headers),
      ms: Math.round(steadyNow() - startedAt),
      answer: recordedAnswer(result.answer),
      error,
    });
  }

  /** Writes exchanges one after the other, in the order in which they ended. */
  #write(counter: keyof ExchangeCounts, exchange: RecordedExchange): void {
    const { masks, writer } = this.#options;
    this.#writing = this.#writing
      .then(async () => writer.write(await masks.maskInSteps(exchange)))
      .then(
        () => {
          this.counts[counter] += 1;
        },
        (error: unknown) => {
          this.#onFailure(error instanceof RecordingError ? error : new RecordingError(messageOf(error)));
        },
      );
  }
}

/** Appends a path and a query to a base address, which may have both, too. */
function resolveBelow(base: URL, target: string): Destination {
  const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(target) ?? [];
  const fullPath = path === '' ? base.pathname : base.pathname.replace(/\/$/, '') + path;
  return { base, path: `${fullPath}${base.search}${base.search === '' ? query : query.replace('?', '&')}` };
}

/** Answers a notification with 200, because there is no receiver to forward it to. */
async function answerNotification(request: IncomingMessage, response: ServerResponse): Promise<Forwarding> {
  const body = new Tap(request);
  const headers = ['Content-Length', '0'];
  return new Promise((resolve) => {
    request.on('end', () => response.writeHead(200, headers).end());
    response.once('close', () => {
      resolve(
        response.writableFinished
          ? { body, answer: { status: 200, headers, body: undefined }, error: undefined }
          : { body, answer: undefined, error: 'the sender closed the connection before the answer' },
      );
    });
  });
}

function recordedAnswer(answer: Forwarding['answer']): RecordedAnswer {
  const headers = recordedHeaders(answer?.headers ?? []);
  return answer ? { status: answer.status, headers, body: answer.body?.read(headers) ?? null } : null;
}
