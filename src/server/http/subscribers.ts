import { delay, endOfTurn, steadyNow } from '../../base/timers.ts';
import type { EventStream } from './event-stream.ts';
import { coalesceCalls } from './in-turn.ts';

/** Milliseconds of writing to readers before other work can run. */
const TURN_MS = 1;
/** The pause after a round of writing, as a multiple of its duration. Thus readers take at most a fifth of the time. */
const REST_FACTOR = 4;

export interface SubscribersOptions {
  /** Called before each round of writing. */
  prepare?: () => void;
  /** The least time in milliseconds for which texts are collected. */
  gatheredMs?: number;
}

/** The readers of one stream. Texts that arrive during a round are written in the next one; each is serialized once for all readers. */
export class Subscribers {
  readonly #streams = new Set<EventStream>();
  readonly #onEmpty: () => void;
  readonly #options: SubscribersOptions;
  /** There while readers are written to together. */
  #words: Map<object, unknown> | undefined;
  #restMs = 0;
  /** There is something new: it is written to all readers, once this turn's answers have left. */
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
  share<Made>(item: object, make: () => Made): Made {
    const made = (this.#words?.get(item) as Made | undefined) ?? make();
    this.#words?.set(item, made);
    return made;
  }

  /** There will be no more than this. */
  end(text = ''): void {
    for (const stream of this.#streams) {
      stream.end(text);
    }
  }

  async #send(): Promise<void> {
    const { prepare, gatheredMs = 0 } = this.#options;
    const restMs = Math.max(this.#restMs, gatheredMs);
    await (restMs > 1 ? delay(restMs) : endOfTurn());
    let took = 0;
    let turnBegan = steadyNow();
    this.#words = new Map();
    prepare?.();
    for (const stream of this.#streams) {
      stream.send();
      const turnTook = steadyNow() - turnBegan;
      if (turnTook > TURN_MS) {
        took += turnTook;
        await endOfTurn();
        turnBegan = steadyNow();
      }
    }
    this.#restMs = (took + steadyNow() - turnBegan) * REST_FACTOR;
    this.#words = undefined;
  }
}
