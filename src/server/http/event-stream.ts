import type { ServerResponse } from 'node:http';
import { afterThisTurn, newTurnPause } from '../../base/timers.ts';
import { onClosed } from './connection.ts';

/** Server-sent events, by their media type. */
export const EVENT_STREAM = 'text/event-stream';

/** The most characters of one write, and so, besides its longest message, the most that are buffered for a client. */
const MAX_WRITE_LENGTH = 64 * 1024;

/** One server-sent event. */
export interface Message {
  /** Default in browsers: `message`. */
  name?: string;
  data: object | string;
  /** A client that connects again sends the last id, to continue after it. */
  id?: number | string;
}

export function textOf({ name, data, id }: Message): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    `data: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
  ];
  return `${lines.join('\n').trimEnd()}\n\n`;
}

/**
 * Server-sent events for a client, which must not delay others. It requests the next text only when the client can accept more,
 * so that nothing is queued here: later texts stay in the source, in which a reader has a position.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #next: () => string | undefined;
  /** Whether writing continues in a later turn of the event loop. */
  #isPaused = false;
  /** The last text before the stream ends. */
  #lastText: string | undefined;

  /** `next` returns the next text; undefined if nothing is to be sent at present. */
  constructor(response: ServerResponse, opening: string, next: () => string | undefined) {
    this.#response = response;
    this.#next = next;
    response.writeHead(200, { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store' });
    response.flushHeaders();
    endWithClient(response, () => response.end());
    if (response.req.method === 'HEAD') {
      response.end();
    } else {
      response.write(opening);
      // A fast client takes all at once, which would be one turn.
      response.on('drain', () => afterThisTurn(() => this.#goOn()));
    }
  }

  get hasEnded(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  /** Writes what there is, as far as the client takes it; the rest follows as it reads. In turns, as much may be known already. */
  send(): void {
    const pause = newTurnPause();
    while (!this.hasEnded && !this.#response.writableNeedDrain && !this.#isPaused) {
      const { text, paused } = this.#gather(pause);
      if (text === '') {
        return;
      }
      this.#response.write(text);
      if (paused) {
        this.#isPaused = true;
        void paused.then(() => {
          this.#isPaused = false;
          this.#goOn();
        });
      }
    }
  }

  /** There will be no more than this. */
  end(text: string): void {
    this.send();
    if (this.#isPaused) {
      this.#lastText = text;
    } else {
      this.#response.end(text);
    }
  }

  onClose(action: () => void): void {
    onClosed(this.#response, action);
  }

  #goOn(): void {
    try {
      if (this.#lastText === undefined) {
        this.send();
      } else {
        this.end(this.#lastText);
      }
    } catch {
      // The error is answered when the reader connects again.
      this.#response.destroy();
    }
  }

  #gather(pause: () => Promise<void> | undefined): { text: string; paused: Promise<void> | undefined } {
    let gathered = '';
    let paused: Promise<void> | undefined;
    while (gathered.length < MAX_WRITE_LENGTH && !paused) {
      const text = this.#next();
      if (text === undefined) {
        break;
      }
      gathered += text;
      paused = pause();
    }
    return { text: gathered, paused };
  }
}

/** Ends a stream, which has no other end to wait for, once the client has closed its side; it may have done so already. */
export function endWithClient(response: ServerResponse, end: () => void): void {
  const { socket } = response.req;
  if (socket.readableEnded) {
    afterThisTurn(end);
    return;
  }
  socket.once('end', end);
  response.once('close', () => socket.off('end', end));
}
