import type { ServerResponse } from 'node:http';
import { afterThisTurn, newTurnPause } from '../../base/timers.ts';
import { onClosed } from './connection.ts';

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Texts are joined to one write up to about this length, to limit what is buffered for a client. */
const WRITE_LENGTH = 64 * 1024;

/** One server-sent event. Not called an event, because an event is a change in a session. */
export interface Message {
  /** Default in browsers: `message`. */
  name?: string;
  data: object | string;
  /** A client that connects again sends the last id, to continue after it. */
  id?: number | string;
}

export function formatMessage({ name, data, id }: Message): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    `data: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
  ];
  return `${lines.join('\n').trimEnd()}\n\n`;
}

/**
 * Server-sent events for one client. Requests the next text only when the client can accept more, so that a slow client delays no
 * others and no texts are queued here.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #next: () => string | undefined;
  #isPaused = false;
  /** The last text before the stream ends. */
  #lastText: string | undefined;

  /** `next` returns the next text; undefined if nothing is to be sent at present. */
  constructor(response: ServerResponse, opening: string, next: () => string | undefined) {
    this.#response = response;
    this.#next = next;
    response.writeHead(200, { 'Content-Type': EVENT_STREAM_TYPE, 'Cache-Control': 'no-store' });
    response.flushHeaders();
    endWithClient(response, () => response.end());
    if (response.req.method === 'HEAD') {
      response.end();
    } else {
      response.write(opening);
      // In a later turn, because a fast client could otherwise keep this one busy.
      response.on('drain', () => afterThisTurn(() => this.#continue()));
    }
  }

  get hasEnded(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  /** Writes texts until the client accepts no more; the rest follows as it reads. Pauses in between, because there may be many. */
  send(): void {
    const pause = newTurnPause();
    while (!this.hasEnded && !this.#response.writableNeedDrain && !this.#isPaused) {
      const { text, pauseEnd } = this.#collect(pause);
      if (text === '') {
        return;
      }
      this.#response.write(text);
      if (pauseEnd) {
        this.#isPaused = true;
        void pauseEnd.then(() => {
          this.#isPaused = false;
          this.#continue();
        });
      }
    }
  }

  /** Ends the stream with a last text. Before it, sends the texts that the client can accept now, and drops the others. */
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

  #continue(): void {
    try {
      if (this.#lastText === undefined) {
        this.send();
      } else {
        this.end(this.#lastText);
      }
    } catch {
      // The client gets the error as an answer when it connects again.
      this.#response.destroy();
    }
  }

  #collect(pause: () => Promise<void> | undefined): { text: string; pauseEnd: Promise<void> | undefined } {
    let collected = '';
    let pauseEnd: Promise<void> | undefined;
    while (collected.length < WRITE_LENGTH && !pauseEnd) {
      const text = this.#next();
      if (text === undefined) {
        break;
      }
      collected += text;
      pauseEnd = pause();
    }
    return { text: collected, pauseEnd };
  }
}

/** Calls `end` once the client has closed its side, or soon if it already has. Otherwise its stream would stay open. */
export function endWithClient(response: ServerResponse, end: () => void): void {
  const { socket } = response.req;
  if (socket.readableEnded) {
    afterThisTurn(end);
    return;
  }
  socket.once('end', end);
  response.once('close', () => socket.off('end', end));
}
