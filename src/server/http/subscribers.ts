import { delay, endOfTurn, steadyNow } from '../../base/timers.ts';
import { coalesceCalls } from './coalesce-calls.ts';
import type { EventStream } from './event-stream.ts';

/** Milliseconds of writing to readers before other work can run. */
const TURN_MS = 1;
/** The pause after a round of writing, as a multiple of its duration. Thus readers take about a fifth of the time at most. */
const REST_FACTOR = 4;

export interface SubscribersOptions {
  /** Called before each round of writing. */
  prepare?: () => void;
  /** Minimum time before a round, in which texts are collected, because one write for several of them is cheaper. */
  minDelayMs?: number;
}

/** The readers of the same messages, each with its own stream. A text that arrives during a round may have to wait for the next one. */
export class Subscribers {
  readonly #streams = new Set<EventStream>();
  readonly #onEmpty: () => void;
  readonly #options: SubscribersOptions;
  /** The serialized items of the current round; undefined between rounds. */
  #serialized: Map<object, unknown> | undefined;
  #restMs = 0;
  /** Writes new texts to all readers, once the answers of this turn have been sent. */
  readonly wake: () => void;

  /** `onEmpty` is called when the last reader has left. */
  constructor(onEmpty: () => void, options: SubscribersOptions = {}) {
    this.#onEmpty = onEmpty;
    this.#options = options;
    this.wake = coalesceCalls(
      () => this.#send(),
      () => this.end(),
    );
  }

  add(stream: EventStream): void {
    this.#streams.add(stream);
    stream.onClose(() => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) {
        this.#onEmpty();
      }
    });
    stream.send();
  }

  /** Serializes an item, once for all readers of a round. */
  serializeOnce<Serialized>(item: object, serialize: () => Serialized): Serialized {
    const serialized = (this.#serialized?.get(item) as Serialized | undefined) ?? serialize();
    this.#serialized?.set(item, serialized);
    return serialized;
  }

  end(text = ''): void {
    for (const stream of this.#streams) {
      stream.end(text);
    }
  }

  async #send(): Promise<void> {
    const { prepare, minDelayMs = 0 } = this.#options;
    const restMs = Math.max(this.#restMs, minDelayMs);
    await (restMs > 1 ? delay(restMs) : endOfTurn());
    let busyMs = 0;
    let turnStart = steadyNow();
    this.#serialized = new Map();
    prepare?.();
    for (const stream of this.#streams) {
      stream.send();
      const turnMs = steadyNow() - turnStart;
      if (turnMs > TURN_MS) {
        busyMs += turnMs;
        await endOfTurn();
        turnStart = steadyNow();
      }
    }
    this.#restMs = (busyMs + steadyNow() - turnStart) * REST_FACTOR;
    this.#serialized = undefined;
  }
}
