import type { Renamed, SideName } from './seen.ts';
import { isSameWord } from './states.ts';

/** The status words that each side told, and which ones were told in each other's place. */
export class Vocabulary {
  /** Every word that the sandbox has; none where nobody knows. */
  readonly #known: readonly string[];
  readonly #words = { recorded: new Set<string>(), sandbox: new Set<string>() };
  /** Recorded words that another one followed: no outcomes. */
  readonly #followed = new Set<string>();
  /** By recorded word: how often the sandbox told which one in its place. */
  readonly #pairs = new Map<string, Map<string, number>>();

  /** `known`: every word that the sandbox has, the one that payments begin with first; none where nobody knows. */
  constructor(known: readonly string[]) {
    this.#known = known;
    for (const word of known) {
      this.add('sandbox', word);
    }
  }

  add(side: SideName, word: string): void {
    this.#words[side].add(word);
  }

  /** The recorded words of a payment, in order. */
  follow(words: readonly string[]): void {
    for (const word of words.slice(0, -1)) {
      this.#followed.add(word);
    }
  }

  /** Both sides told something at the same point. */
  pair({ from, to }: Renamed): void {
    const counts = this.#pairs.get(from) ?? new Map<string, number>();
    counts.set(to, (counts.get(to) ?? 0) + 1);
    this.#pairs.set(from, counts);
  }

  /** Whether two words are two names of one status: neither is ever told by the other side, and one mostly stands for the other. */
  isRenamed({ from, to }: Renamed): boolean {
    const { recorded, sandbox } = this.#words;
    // A payment that goes on waiting in the sandbox may have ended in the recording.
    if (to === this.#known[0] && !this.#followed.has(from)) {
      return false;
    }
    return !sandbox.has(from) && !recorded.has(to) && this.#mostFor(from) === to && this.#mostOf(to) === from;
  }

  /** Whether the sandbox never tells a word, nor another one for it. */
  isBeyondSandbox(word: string): boolean {
    const { sandbox } = this.#words;
    return this.#known.length > 0 && ![...sandbox].some((other) => this.isSame(word, other));
  }

  isSame(recorded: string, sandbox: string): boolean {
    return isSameWord(recorded, sandbox) || this.isRenamed({ from: recorded, to: sandbox });
  }

  /** The recorded word for which another one was told most often; for the one that payments begin with, and may stay with, the first. */
  #mostOf(word: string): string | undefined {
    const told = [...this.#pairs].flatMap(([from, counts]) =>
      counts.has(word) ? [{ from, times: counts.get(word) ?? 0 }] : [],
    );
    const isBeginning = word === this.#known[0];
    return isBeginning ? told[0]?.from : told.sort((one, other) => other.times - one.times)[0]?.from;
  }

  #mostFor(word: string): string | undefined {
    const counts = [...(this.#pairs.get(word) ?? [])];
    return counts.sort(([, one], [, other]) => other - one)[0]?.[0];
  }
}
