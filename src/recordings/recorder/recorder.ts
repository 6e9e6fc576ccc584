import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressOf, localAddress } from '../../base/addresses.ts';
import { answerClientError } from '../../base/client-error.ts';
import { messageOf } from '../../base/errors.ts';
import type { RecordedAnswer } from '../../base/schema/recordings.ts';
import { formatUtc } from '../../base/time.ts';
import { deadline, machineNow, steadyNow } from '../../base/timers.ts';
import type { Masks } from '../masks.ts';
import { RECORDING_ENDED, RecordingError } from '../recording.ts';
import type { RecordingWriter } from '../recording-writer.ts';
import { Connection } from './connection.ts';
import { below, type Destination } from './destination.ts';
import { MOST_HEAD } from './onward.ts';
import { headText, recordedHeaders, withoutHeaders } from './raw-headers.ts';
import { Relay, type Relayed, refuse } from './relay.ts';
import { Tap } from './tap.ts';

/** Where notifications are sent to be recorded, and anything below. */
const NOTIFICATIONS = /^\/_recorder\/notifications(?=[/?]|$)/;
/** The recorder's own paths. */
const OWN = /^\/_recorder(?=[/?]|$)/;
/** What stands before the path where a request names the whole address, as one to a proxy does (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** Offers of another protocol, which belong to one connection. */
const OFFERS = /^(?:upgrade|http2-settings|connection)$/i;
const SERVICE_GONE = 'the service closed the connection before the call came';
/** Milliseconds that calls under way may take once the recorder is asked to end. */
const LAST_CALLS_MS = 1000;

export interface RecorderOptions {
  upstream: URL;
  /** Where notifications are sent on to; without one they are answered here. */
  webhook: URL | undefined;
  host: string;
  port: number;
  masks: Masks;
  writer: Pick<RecordingWriter, 'write' | 'close'>;
}

/** What was recorded so far. */
export interface Counts {
  calls: number;
  notifications: number;
}

/** A proxy that changes nothing, and writes down what it passes on. */
export class Recorder {
  readonly counts: Counts = { calls: 0, notifications: 0 };
  /** Resolves with the error where the recording cannot be written any more. */
  readonly failed: Promise<RecordingError>;
  readonly #options: RecorderOptions;
  readonly #server: Server;
  /** Takes requests that offer another protocol, and are answered in this one. */
  readonly #plain: Server;
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #sockets = new Set<Socket>();
  #begun: Counts = { calls: 0, notifications: 0 };
  #underWay = 0;
  #isCut = false;
  #writing: Promise<void> = Promise.resolve();
  #onFailure: (error: RecordingError) => void = () => undefined;
  #onIdle: () => void = () => undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.failed = new Promise((resolve) => {
      this.#onFailure = resolve;
    });
    this.#plain = this.#serve();
    this.#server = this.#serve().on('upgrade', (request, socket, head) =>
      this.#upgrade(request, socket as Socket, head),
    );
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Resolves with the address where it listens. */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      // Further ones are of connections that cannot be accepted.
      this.#server.on('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const { address, port: bound } = this.#server.address() as AddressInfo;
    return addressOf('http', localAddress(address), bound);
  }

  /** Takes no more calls, ends those under way, and resolves when all is written. */
  async close(lastCallsMs = LAST_CALLS_MS): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    const cancel = deadline(this.#underWay === 0 ? 0 : lastCallsMs, () => {
      this.#isCut = true;
      for (const socket of this.#sockets) {
        socket.destroy();
      }
    });
    await closed;
    cancel();
    // Calls that were cut off are told to have ended after the server is.
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#tellIdle();
    });
    await this.#writing;
    await this.#options.writer.close(formatUtc(machineNow()));
  }

  #tellIdle(): void {
    if (this.#underWay === 0) {
      this.#onIdle();
    }
  }

  #serve(): Server {
    const options = {
      maxHeaderSize: MOST_HEAD,
      requestTimeout: 0,
      headersTimeout: 0,
      // The service says how long a connection lasts.
      keepAliveTimeout: 0,
      // Node.js 20 does not know it: there, every offer comes as an upgrade.
      shouldUpgradeCallback: isForWebSocket,
    };
    const server = createServer(options);
    // By itself, Node.js passes over those beyond a thousand.
    server.maxHeadersCount = 0;
    const latest = new WeakMap<Socket, ServerResponse>();
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.on(event, (request: IncomingMessage, response: ServerResponse) => {
        if (request.headers.upgrade !== undefined) {
          request.rawHeaders = withoutHeaders(request.rawHeaders, OFFERS);
        }
        latest.set(request.socket, response);
        this.#take(request, response);
      });
    }
    server.on('clientError', (error, socket) => {
      const response = latest.get(socket as Socket);
      answerClientError(error, socket, { current: response, latest: response });
    });
    return server;
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    if (isForWebSocket(request)) {
      socket.on('error', () => socket.destroy());
      const response = new ServerResponse(request);
      try {
        response.assignSocket(socket);
      } catch {
        // An earlier call of the connection has no answer yet.
        socket.destroy();
        return;
      }
      response.once('finish', () => socket.end());
      socket.unshift(head);
      this.#take(request, response);
      return;
    }
    // Clients that would rather speak HTTP/2 send such requests with bodies; most services answer as if they had not offered it.
    const first = `${request.method} ${request.url} HTTP/${request.httpVersion}`;
    const text = headText(first, withoutHeaders(request.rawHeaders, OFFERS));
    socket.unshift(Buffer.concat([Buffer.from(text, 'latin1'), head]));
    this.#plain.emit('connection', socket);
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive &&= request.httpVersionMinor > 0;
    const address = (request.url ?? '/').replace(ORIGIN, '');
    if (OWN.test(address) && !NOTIFICATIONS.test(address)) {
      refuse(
        request,
        response,
        'notifications are recorded at /_recorder/notifications, and nothing else is here',
        404,
      );
      return;
    }
    const rest = NOTIFICATIONS.test(address) ? address.replace(NOTIFICATIONS, '') : undefined;
    const kind = rest === undefined ? 'call' : 'notification';
    const { upstream, webhook } = this.#options;
    const destination = rest === undefined ? below(upstream, address) : webhook && below(webhook, rest);
    const target = rest === undefined ? address : (destination?.path ?? rest.replace(/^(?!\/)/, '/'));
    const counted = kind === 'call' ? 'calls' : 'notifications';
    this.#begun[counted] += 1;
    const id = `${kind}-${this.#begun[counted]}`;
    const [at, began] = [formatUtc(machineNow()), steadyNow()];
    this.#underWay += 1;
    this.#relay(request, response, destination, ({ request: body, answer, error }) => {
      this.#underWay -= 1;
      queueMicrotask(() => this.#tellIdle());
      // Told now: it is written later.
      const cut = this.#isCut ? RECORDING_ENDED : undefined;
      const headers = recordedHeaders(request.rawHeaders);
      const ms = Math.round(steadyNow() - began);
      const { method = '' } = request;
      this.#write(counted, () => ({
        kind,
        ...{ id, at, method, target, headers, body: body.read(headers), ms },
        answer: answer ? recordedAnswer(answer) : null,
        error: error === undefined ? null : (cut ?? error),
      }));
    });
  }

  #relay(
    request: IncomingMessage,
    response: ServerResponse,
    destination: Destination | undefined,
    onEnd: (relayed: Relayed) => void,
  ): void {
    if (!destination) {
      answerNotification(request, response, onEnd);
      return;
    }
    const connection = this.#connections.get(request.socket) ?? new Connection(request.socket);
    this.#connections.set(request.socket, connection);
    if (connection.isEnded) {
      // Passed on by another connection, it would be done and not answered.
      const body = new Tap(request);
      response.once('close', () => onEnd({ request: body, answer: undefined, error: SERVICE_GONE }));
      response.destroy();
      return;
    }
    try {
      new Relay(request, response, destination, connection, onEnd).start();
    } catch (error) {
      const why = `the request cannot be sent on: ${messageOf(error)}`;
      const body = new Tap(request);
      response.once('close', () => onEnd({ request: body, answer: undefined, error: why }));
      refuse(request, response, why);
    }
  }

  /** One after the other, as they ended. */
  #write(counted: keyof Counts, exchange: () => Parameters<RecordingWriter['write']>[0]): void {
    const { masks, writer } = this.#options;
    this.#writing = this.#writing
      .then(async () => writer.write(await masks.inTurns(exchange())))
      .then(
        () => {
          this.counts[counted] += 1;
        },
        (error: unknown) => {
          this.#onFailure(error instanceof RecordingError ? error : new RecordingError(messageOf(error)));
        },
      );
  }
}

function isForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

function recordedAnswer({ status, headers, body }: NonNullable<Relayed['answer']>): RecordedAnswer {
  const recorded = recordedHeaders(headers);
  return { status, headers: recorded, body: body?.read(recorded) ?? null };
}

function answerNotification(
  request: IncomingMessage,
  response: ServerResponse,
  onEnd: (relayed: Relayed) => void,
): void {
  const body = new Tap(request);
  const headers = ['Content-Length', '0'];
  let error: string | undefined = 'the sender closed the connection before the answer';
  request.on('end', () => {
    error = undefined;
    response.writeHead(200, headers).end();
  });
  response.once('close', () => {
    onEnd({
      request: body,
      answer: error === undefined ? { status: 200, headers, body: undefined } : undefined,
      error,
    });
  });
}
