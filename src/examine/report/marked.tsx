import type { Verdict } from '../verdicts.ts';
import { VERDICT_WORDS } from './report.ts';

const MARKS: Readonly<Record<Verdict, string>> = {
  handled: '✓',
  'handled-after-reconcile': '✓',
  violated: '✗',
  'not-exercised': '○',
  inconclusive: '?',
  'not-applicable': '–',
};

/** A verdict as a mark and in words. */
export function marked(verdict: Verdict) {
  return (
    <>
      <span class="mark" aria-hidden="true">
        {MARKS[verdict]}
      </span>
      {VERDICT_WORDS[verdict]}
    </>
  );
}
