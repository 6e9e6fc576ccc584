import { type ClientRequest, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf, messageOf } from '../../base/errors.ts';
import { headerPairs } from '../../base/header-pairs.ts';
import { membersOf } from '../../base/members.ts';
import { deadline } from '../../base/timers.ts';
import { NOT_REACHABLE } from '../recording.ts';
import type { Connection } from './connection.ts';
import type { Destination } from './destination.ts';
import { addNothing, requestTo, sendHead } from './onward.ts';
import { headText, withoutHeaders } from './raw-headers.ts';
import { Tap } from './tap.ts';

/** What came of a request. */
export interface Relayed {
  request: Tap;
  answer: { status: number; headers: readonly string[]; body: Tap | undefined } | undefined;
  error: string | undefined;
}

const BAD_GATEWAY = 502;
/** Real milliseconds from the begin of a request to the end of its answer: longer than callers wait. */
const MAX_ANSWER_MS = 15 * 60_000;
const CALLER_GONE = 'the caller closed the connection before the end of the answer';

/** Sends a request on and its answer back, as they come. */
export class Relay {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #destination: Destination;
  readonly #onward: ClientRequest;
  readonly #relayed: Relayed;
  readonly #onEnd: () => void;
  #isEnded = false;
  #isConnected = false;
  #isReset = false;
  #answer: IncomingMessage | undefined;
  #cancelTimeout = () => {};

  /** `onEnd` is told once, however it ends. Throws where a request cannot be sent on as it is. */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    destination: Destination,
    connection: Connection,
    onEnd: (relayed: Relayed) => void,
  ) {
    this.#request = request;
    this.#response = response;
    this.#destination = destination;
    this.#onward = requestTo(destination, request, connection);
    this.#relayed = { request: new Tap(request), answer: undefined, error: undefined };
    connection.begin();
    connection.follow(this.#onward);
    this.#onEnd = () => {
      connection.end();
      onEnd(this.#relayed);
    };
  }

  start(): void {
    this.#guarded(() => this.#begin())();
  }

  /**
   * Node.js refuses to send some of what it has read, such as the status 000. An error that is thrown where an event is handled would end
   * the process, with all calls under way.
   */
  #guarded<Arguments extends unknown[]>(handle: (...given: Arguments) => void): (...given: Arguments) => void {
    return (...given) => {
      try {
        handle(...given);
      } catch (error) {
        this.#giveUp(error);
      }
    };
  }

  #begin(): void {
    const [request, onward] = [this.#request, this.#onward];
    onward.on('socket', (socket) => {
      if (socket.connecting) {
        socket.once(this.#destination.origin.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
          this.#isConnected = true;
        });
      } else {
        // Kept from an earlier call.
        this.#isConnected = true;
      }
      const onError = (error: NodeJS.ErrnoException) => {
        this.#isReset = error.code === 'ECONNRESET';
      };
      socket.prependListener('error', onError);
      onward.once('close', () => socket.off('error', onError));
    });
    this.#cancelTimeout = deadline(MAX_ANSWER_MS, () => onward.destroy(new Error('no whole answer within 15 minutes')));
    this.#response.once('close', () => this.#end());
    this.#response.on('error', () => undefined);
    onward.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
      const { socket, headersSent } = this.#response;
      if (!headersSent) {
        socket?.write(headText(`HTTP/1.1 ${statusCode} ${statusMessage}`, rawHeaders), 'latin1');
      }
    });
    onward.on(
      'response',
      this.#guarded((answer) => this.#sendBack(answer)),
    );
    onward.on(
      'upgrade',
      this.#guarded((answer, socket, head) => this.#tunnel(answer, socket, head)),
    );
    onward.on('error', (error) => this.#fail(error));
    request.on('error', () => onward.destroy());
    request.pipe(onward, { end: false });
    request.on(
      'end',
      this.#guarded(() => {
        onward.addTrailers(headerPairs(request.rawTrailers));
        onward.end();
      }),
    );
    // A body may come later than its head.
    sendHead(onward);
  }

  #end(): void {
    if (this.#isEnded) {
      return;
    }
    this.#isEnded = true;
    this.#cancelTimeout();
    const isTunnel = this.#relayed.answer?.body === undefined && this.#relayed.answer !== undefined;
    if (!this.#response.writableFinished && !isTunnel) {
      this.#relayed.error ??= CALLER_GONE;
      this.#onward.destroy();
    }
    this.#onEnd();
  }

  #sendBack(answer: IncomingMessage): void {
    const response = this.#response;
    const body = new Tap(answer);
    this.#answer = answer;
    this.#relayed.answer = { status: answer.statusCode ?? 0, headers: answer.rawHeaders, body };
    addNothing(response);
    // HTTP/1.0 knows no chunks, and its connections end with the answer.
    const isOld = this.#request.httpVersion === '1.0';
    const headers = isOld
      ? [...withoutHeaders(answer.rawHeaders, /^(?:transfer-encoding|connection|keep-alive)$/i), 'Connection', 'close']
      : answer.rawHeaders;
    response.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.statusMessage ?? '', [...headers]);
    sendHead(response);
    answer.pipe(response, { end: false });
    answer.on(
      'end',
      this.#guarded(() => {
        response.addTrailers(headerPairs(answer.rawTrailers));
        response.end();
      }),
    );
    answer.on('error', (error) => this.#fail(error));
  }

  /** Answers in place of what cannot be passed on as it is. */
  #giveUp(error: unknown): void {
    const { answer } = this.#relayed;
    const what = answer
      ? `the answer with status ${answer.status} cannot be passed on`
      : 'the request cannot be sent on';
    this.#relayed.error ??= `${what}: ${messageOf(error)}`;
    this.#onward.destroy();
    refuse(this.#request, this.#response, this.#relayed.error);
  }

  /** From here on it is no HTTP. */
  #tunnel(answer: IncomingMessage, onward: Duplex, head: Buffer): void {
    const { socket } = this.#response;
    this.#relayed.answer = { status: answer.statusCode ?? 0, headers: answer.rawHeaders, body: undefined };
    if (!socket) {
      onward.destroy();
      throw new Error('an earlier call of the connection has no answer yet');
    }
    this.#response.detachSocket(socket);
    socket.write(headText(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`, answer.rawHeaders), 'latin1');
    socket.write(head);
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
    this.#end();
  }

  /** Bytes behind a complete answer, such as the body of a 204: the caller gets them, and its connection ends as the service's has. */
  #passExcess(error: Error): void {
    const { socket } = this.#response;
    this.#response.once('finish', () => socket?.end(excessIn(error)));
  }

  /** The caller sees what it would see without the recorder, but where nothing answers at all. */
  #fail(error: Error): void {
    const { origin } = this.#destination;
    if (this.#relayed.error !== undefined || this.#response.writableEnded) {
      return;
    }
    if (this.#answer?.complete) {
      this.#passExcess(error);
      return;
    }
    if (this.#isConnected && !isNoHttp(error)) {
      this.#relayed.error = `${origin.origin} broke the connection: ${messageOf(error)}`;
      const { socket } = this.#response;
      if (this.#isReset && socket) {
        socket.resetAndDestroy();
      } else {
        this.#response.destroy();
      }
      return;
    }
    const says = this.#isConnected ? 'does not answer in HTTP' : 'cannot be reached';
    const why = `${origin.origin} ${says}: ${messageOf(error) || codeOf(error)}`;
    this.#relayed.error = this.#isConnected ? why : NOT_REACHABLE;
    refuse(this.#request, this.#response, why);
  }
}

/** The bytes behind the end of an answer at which the parser stopped. */
function excessIn(error: Error): Buffer {
  const { rawPacket, bytesParsed } = membersOf(error);
  return Buffer.isBuffer(rawPacket) ? rawPacket.subarray(Number(bytesParsed)) : Buffer.alloc(0);
}

/** Says to the caller that the recorder itself answers, and why. */
export function refuse(request: IncomingMessage, response: ServerResponse, why: string, status = BAD_GATEWAY): void {
  request.unpipe();
  request.resume();
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = status;
  // What could not be sent may be there still.
  response.statusMessage = STATUS_CODES[status] ?? '';
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`This is the recorder of merchant-sandbox: ${why}\n`);
}

function isNoHttp(error: Error): boolean {
  return String(codeOf(error)).startsWith('HPE_');
}
