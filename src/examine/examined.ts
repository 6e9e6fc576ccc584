import type { Found } from './findings.ts';
import type { Words } from './observation.ts';
import type { Scope } from './scope.ts';
import type { Verdict } from './verdicts.ts';

/** What came of an examination. */
export interface Examined extends Pick<Scope, 'subject' | 'unseen'> {
  /** The set of requirements that verdicts count for. */
  requirements: string;
  verdicts: readonly Found[];
  counts: Readonly<Record<Verdict, number>>;
  /** What the shop's words were taken to mean. */
  words: LearntWords;
  /** Whether it was ended before all was tried. */
  isStopped: boolean;
  /** Orders that were placed, and how many of them were met by several situations at once. */
  cases: number;
  combinations: number;
  seed: number;
  milliseconds: number;
}

/** The shop's words for orders that wait for money, that are paid, and that are given up. */
export type LearntWords = Readonly<Record<keyof Words, readonly string[]>>;

/** What came of one order on each channel. */
export interface Trial {
  tried: readonly { channel: string; lines: readonly string[]; problem: string | undefined }[];
  words: LearntWords;
}

export function listed({ open, paid, givenUp }: Words): LearntWords {
  return { open: [...open], paid: [...paid], givenUp: [...givenUp] };
}
