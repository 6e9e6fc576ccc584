import type { ServerResponse } from 'node:http';
import { afterMilliseconds } from '../timers.ts';
import { beginEventStream } from './event-stream.ts';

/** Milliseconds for which messages are gathered into one write: short beside what an eye notices. */
const GATHERED_MS = 25;
/** Messages that wait for a client at most. */
const MOST_MESSAGES = 3000;

/** One server-sent event. */
export interface Message {
  name: string;
  data: object;
  /** What a client that connects again asks to go on after. */
  id?: number;
}

const MISSED: Message = { name: 'missed', data: {} };

export interface PacedStreamOptions {
  /** Asked at each write for messages about facts of which only the present state counts. */
  present(): readonly Message[];
  mostMessages?: number;
}

/**
 * Server-sent events for a client that must not hold up anybody: they are gathered, and written while the client reads. For one
 * that does not, a bounded number waits; past that they are dropped, and a message `missed` says so once it reads again.
 */
export class PacedStream {
  readonly #response: ServerResponse;
  readonly #write: (text: string) => boolean;
  readonly #present: () => readonly Message[];
  readonly #mostMessages: number;
  #messages: Message[] = [];
  #isBehind = false;
  #cancelWrite: (() => void) | undefined;
  /** Whether the client must read before anything more is written. */
  #isFull = false;

  constructor(response: ServerResponse, { present, mostMessages = MOST_MESSAGES }: PacedStreamOptions) {
    this.#response = response;
    this.#present = present;
    this.#mostMessages = mostMessages;
    // What waits is bounded here: nothing is written to a client that does not read.
    this.#write = beginEventStream(response, Number.POSITIVE_INFINITY);
    response.on('drain', () => {
      this.#isFull = false;
      this.#send();
    });
    response.on('close', () => {
      this.#cancelWrite?.();
      this.#messages = [];
    });
  }

  /** Begins with these. False where it is over with that, as for HEAD. */
  begin(messages: readonly Message[]): boolean {
    return this.#write(`retry: 1000\n\n${messages.map(textOf).join('')}`);
  }

  push(message: Message): void {
    if (this.#isBehind) {
      return;
    }
    if (this.#messages.length < this.#mostMessages) {
      this.#messages.push(message);
    } else {
      this.#messages = [];
      this.#isBehind = true;
    }
    this.plan();
  }

  /** What `present` returns may have changed. */
  plan(): void {
    if (!this.#isFull && this.#cancelWrite === undefined) {
      this.#cancelWrite = afterMilliseconds(GATHERED_MS, () => this.#send());
    }
  }

  /** What waits is out of date: these come in its place. */
  replace(messages: readonly Message[]): void {
    this.#messages = [...messages];
    this.#isBehind = false;
    this.plan();
  }

  /** There will be no more. */
  end(messages: readonly Message[]): void {
    this.#response.end(messages.map(textOf).join(''));
  }

  #send(): void {
    this.#cancelWrite?.();
    this.#cancelWrite = undefined;
    const messages = [...(this.#isBehind ? [MISSED] : []), ...this.#messages, ...this.#present()];
    this.#messages = [];
    this.#isBehind = false;
    if (messages.length > 0) {
      this.#write(messages.map(textOf).join(''));
      this.#isFull = this.#response.writableNeedDrain;
    }
  }
}

function textOf({ name, data, id }: Message): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
