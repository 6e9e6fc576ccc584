import type { Instant } from '../../base/time.ts';

/** However it is written: that is compared where it is told. */
export const isSameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A status that one side told of a payment. */
export interface State {
  word: string;
  /** Milliseconds after the payment began, between which it was reached; the same where a notification told it. */
  from: number;
  to: number;
  /** Between which queries it was told first; undefined where none told it. A service's queries may know less than it notifies. */
  asked?: { from: number; to: number };
  /** When a query told it last; undefined where none did. */
  queried?: number;
  /** When a notification told it first; undefined where none did. */
  notified?: number;
}

/** What one side told of a payment, in order. A status that is told again is not another one. */
export class States {
  readonly began: Instant;
  /** When a query told a status last. */
  #told = 0;
  readonly all: State[] = [];
  /** Whether a query was answered without a word for a status. */
  isUntold = false;

  constructor(began: Instant) {
    this.began = began;
  }

  /** A query was answered with a status. */
  query(word: string, at: Instant): void {
    const after = this.#after(at);
    const last = this.all.at(-1);
    const asked = { from: this.#told, to: after };
    if (last && isSameWord(last.word, word)) {
      last.queried = after;
    } else {
      this.all.push({ word, ...asked, asked, queried: after });
    }
    this.#told = after;
  }

  /** A notification told a status. It may be heard of after the queries that came later. */
  notified(word: string, at: Instant): void {
    const after = this.#after(at);
    const known = this.all.find((state) => isSameWord(state.word, word));
    if (!known) {
      this.all.push({ word, from: after, to: after, notified: after });
      this.#sort();
      return;
    }
    known.notified = Math.min(known.notified ?? after, after);
    if (known.to > after) {
      Object.assign(known, { from: after, to: after });
    }
    this.#sort();
  }

  /** When a query told a status last, whichever. */
  get askedUntil(): number {
    return this.#told;
  }

  #sort(): void {
    this.all.sort((one, other) => one.to - other.to);
  }

  get words(): string[] {
    return this.all.map(({ word }) => word);
  }

  #after(at: Instant): number {
    return Math.max(0, at - this.began);
  }
}
