import { afterMilliseconds } from '../../base/timers.ts';
import type { LastCalls } from '../sessions/history-entry.ts';
import type { Pace } from '../sessions/pace.ts';

/** Real milliseconds that a step is waited for which must come, before it is said that it does not. */
const PATIENCE_MS = 5000;

/** A step that was recorded does not come. */
export class StepMissing extends Error {
  /** Steps that wait for their turn instead. */
  readonly instead: readonly string[];

  constructor(instead: readonly string[]) {
    super('a step that was recorded does not come');
    this.instead = instead;
  }
}

/** Holds each step of a session back until it is its turn in the history that is played. */
export class Playback implements Pace {
  readonly lastCalls: LastCalls;
  readonly from: Pace['from'];
  /** Who waits for a turn, by step, in the order in which they came. */
  readonly #held = new Map<string, (() => void)[]>();
  /** How often something happened that nobody has waited for yet. */
  readonly #happened = new Map<string, number>();
  readonly #awaited = new Map<string, () => void>();
  readonly #outcomes = new Map<string, (outcome: unknown) => void>();
  readonly #early = new Map<string, unknown>();
  #isOver = false;
  #isClosed = false;

  constructor(lastCalls: LastCalls, from: Pace['from']) {
    this.lastCalls = lastCalls;
    this.from = from;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the sandbox is closing: nothing is sent any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  begun(id: string): void {
    this.#note(`call ${id}`);
  }

  turn(step: 'turn' | 'sending' | 'answer', of: string): Promise<void> | undefined {
    if (this.#isOver) {
      return undefined;
    }
    const key = `${step} ${of}`;
    return new Promise((resolve) => {
      this.#held.set(key, [...(this.#held.get(key) ?? []), resolve]);
      this.#note(`held ${key}`);
    });
  }

  done(step: 'turn' | 'sending' | 'answer' | 'sent', of: string): void {
    this.#note(`${step} ${of}`);
  }

  /** Lets the step have its turn. Resolves when it had it; rejects with StepMissing where it does not come. */
  async letGo(step: 'turn' | 'sending' | 'answer', of: string): Promise<void> {
    const key = `${step} ${of}`;
    await this.happened(`held ${key}`);
    const [first, ...others] = this.#held.get(key) ?? [];
    if (others.length > 0) {
      this.#held.set(key, others);
    } else {
      this.#held.delete(key);
    }
    first?.();
    await this.happened(key);
  }

  /** Resolves when something has happened once more than was waited for; rejects with StepMissing where it does not. */
  happened(what: string): Promise<void> {
    const count = this.#happened.get(what) ?? 0;
    if (count > 0) {
      this.#happened.set(what, count - 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const stopWaiting = afterMilliseconds(PATIENCE_MS, () => {
        this.#awaited.delete(what);
        reject(new StepMissing([...this.#held.keys()]));
      });
      this.#awaited.set(what, () => {
        stopWaiting();
        resolve();
      });
    });
  }

  /** What a receiver answered to a job's message, once it is known; undefined where the history ends before. */
  outcomeOf(of: string): Promise<unknown> {
    if (this.#early.has(of)) {
      const outcome = this.#early.get(of);
      this.#early.delete(of);
      return Promise.resolve(outcome);
    }
    return new Promise((resolve) => this.#outcomes.set(of, resolve));
  }

  giveOutcome(of: string, outcome: unknown): void {
    const give = this.#outcomes.get(of);
    this.#outcomes.delete(of);
    if (give) {
      give(outcome);
    } else {
      this.#early.set(of, outcome);
    }
  }

  /** Whatever is held back goes on, and nothing is any more. `isClosed`: the sandbox closes with that. */
  end({ isClosed }: { isClosed: boolean }): void {
    this.#isOver = true;
    this.#isClosed = isClosed;
    for (const give of this.#outcomes.values()) {
      give(undefined);
    }
    this.#outcomes.clear();
    for (const resolve of [...this.#held.values()].flat()) {
      resolve();
    }
    this.#held.clear();
  }

  #note(what: string): void {
    const tell = this.#awaited.get(what);
    if (tell) {
      this.#awaited.delete(what);
      tell();
    } else if (!this.#isOver) {
      this.#happened.set(what, (this.#happened.get(what) ?? 0) + 1);
    }
  }
}
