import type { Renamed, SideName } from './seen.ts';
import { isSameWord } from './states.ts';

/** The status words that each side told, and which ones were told in each other's place. */
export class Vocabulary {
  readonly #words = { recorded: new Set<string>(), sandbox: new Set<string>() };
  /** By recorded word: how often the sandbox told which one in its place. */
  readonly #pairs = new Map<string, Map<string, number>>();

  add(side: SideName, word: string): void {
    this.#words[side].add(word);
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
    return !sandbox.has(from) && !recorded.has(to) && this.#mostFor(from) === to;
  }

  isSame(recorded: string, sandbox: string): boolean {
    return isSameWord(recorded, sandbox) || this.isRenamed({ from: recorded, to: sandbox });
  }

  #mostFor(word: string): string | undefined {
    const counts = [...(this.#pairs.get(word) ?? [])];
    return counts.sort(([, one], [, other]) => other - one)[0]?.[0];
  }
}
