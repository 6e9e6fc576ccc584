import type { Verdict } from '../verdicts/verdicts.ts';
import { VERDICT_WORDS } from './report.ts';

/** Drawn, since not every font has such characters. */
const MARKS: Readonly<Record<Verdict, string>> = {
  handled: 'M3 8.5 6.5 12 13 4.5',
  'handled-after-reconcile': 'M3 8.5 6.5 12 13 4.5',
  violated: 'M4 4 12 12 M12 4 4 12',
  'not-exercised': 'M8 3a5 5 0 1 0 .01 0Z',
  inconclusive: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2Q8 8.8 8 10 M8 12.5 8 13',
  'not-applicable': 'M4 8 12 8',
};

export function verdictMark(verdict: Verdict) {
  return (
    <span class="marked">
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={MARKS[verdict]} />
      </svg>
      {VERDICT_WORDS[verdict]}
    </span>
  );
}
