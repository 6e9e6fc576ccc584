import type { CoverageCell } from '../base/report/coverage-cells.ts';
import type { Selection } from './cases/selection.ts';
import type { Scope } from './scope.ts';
import type { CaseVerdict } from './verdicts/case-verdicts.ts';

export interface ExaminationOptions {
  selection: Selection;
  currency: string;
  /** The amount of every order; if undefined, that of the situation, or a random one. */
  amount?: string | undefined;
  scope: Scope;
  seed: number;
  /** Real milliseconds for combinations, which are tried only if no single situation violates a requirement. */
  budgetMs: number;
  /** The coverage of the shop's own tests: situations that they do not cover are tried first. */
  coverage?: readonly CoverageCell[] | undefined;
  /** Stops the examination once the current order is judged. */
  signal: AbortSignal;
  /** Writes the bundle of a violation; returns the name of the file. */
  writeBundle(id: string, text: string): string;
  onProgress(progress: Progress): void;
}

export interface Progress {
  /** The current activity in words, mostly the situation that is tried. */
  now: string;
  done: number;
  /** The number of cases that are planned so far; 0 before they are known, and during combinations. */
  total: number;
  violated: number;
  firstViolation?: CaseVerdict | undefined;
  /** Real milliseconds that the rest will probably take; undefined while that is unknown. */
  leftMs?: number | undefined;
}
