import type { TimedCase } from './cases/case-times.ts';
import type { Words } from './observation/observation.ts';
import type { Scope } from './scope.ts';
import type { CaseVerdict } from './verdicts/case-verdicts.ts';
import { REQUIREMENTS } from './verdicts/requirements.ts';
import type { SessionFinding } from './verdicts/session-findings.ts';
import type { Verdict } from './verdicts/verdicts.ts';

export interface ExaminationResult extends Pick<Scope, 'subject' | 'unseen'> {
  /** The set of requirements that verdicts count for. */
  requirements: string;
  verdicts: readonly CaseVerdict[];
  counts: Readonly<Record<Verdict, number>>;
  /** The sandbox's findings about the shop's calls and answers; they do not change the exit code. */
  findings: readonly SessionFinding[];
  words: ShopWords;
  isStopped: boolean;
  /** How often any case was tried, repetitions included; in a watch, the number of orders. */
  cases: number;
  combinations: number;
  /** The slowest first. */
  slowest: readonly TimedCase[];
  seed: number;
  milliseconds: number;
}

/** Default members for the result of a watch, and of a probe that ends before its first case. */
export const EMPTY_RESULT = {
  unseen: [],
  requirements: REQUIREMENTS,
  findings: [],
  words: { open: [], paid: [], givenUp: [] },
  isStopped: false,
  combinations: 0,
  slowest: [],
};

/** The shop's names for the states of orders, by their assumed meaning. */
export type ShopWords = Readonly<Record<Exclude<keyof Words, 'reopens'>, readonly string[]>>;

/** The result of a paid order on each channel, and the words that were learnt from it and from unpaid orders. */
export interface DryRun {
  tried: readonly {
    channel: string;
    lines: readonly string[];
    problem: string | undefined;
    /** Whether the shop requested another amount than was ordered. */
    hasOwnPrice: boolean;
  }[];
  words: ShopWords;
}

export function mergeWords(words: Iterable<Words>): ShopWords {
  const all = [...words];
  const union = (meaning: keyof ShopWords) => [...new Set(all.flatMap((each) => [...each[meaning]]))];
  return { open: union('open'), paid: union('paid'), givenUp: union('givenUp') };
}
