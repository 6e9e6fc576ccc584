import type { Settlement } from '../../../../base/schema/generated/records.ts';
import { addDuration, type Instant } from '../../../../base/time.ts';

/** One issue of a settlement's report. */
export interface Issue {
  version: number;
  at: Instant;
}

/** Delays of a repeated and of a corrected file, counted from when the first one was issued and its close was complete. Source: ours. */
const AGAIN_AFTER = 'PT1H';
const CORRECTED_AFTER = 'P1D';

/** Types of lines that can have a mistake that is corrected later. */
const CORRECTED_TYPES = ['payment', 'share'];

/** States in which the close of a settlement is complete: the delays of later issues count from then. */
export const CLOSING_STATES: ReadonlySet<Settlement['state']> = new Set(['Paid', 'CarriedOver', 'Invoiced']);

/** The issues of the report so far, in order. */
export function issuesOf(settlement: Settlement): Issue[] {
  return planOf(settlement).slice(0, settlement.issued ?? 1);
}

/** The next issue; undefined if none is planned, or if it depends on a transfer that has not arrived yet. */
export function nextIssue(settlement: Settlement): Issue | undefined {
  return planOf(settlement)[settlement.issued ?? 1];
}

/** The latest version of the file that was issued; 1 if none was issued yet. */
export function latestVersion(settlement: Settlement): number {
  return issuesOf(settlement).at(-1)?.version ?? 1;
}

/** All issues whose times are known. Those after the first are only known once the close is complete. */
function planOf({ history, reports, mismatches, totals }: Settlement): Issue[] {
  const [closedStep] = history;
  const completedStep = history.find(({ to }) => CLOSING_STATES.has(to));
  const lateDelay = reports?.late;
  const first = lateDelay === undefined ? closedStep?.at : completedStep && addDuration(completedStep.at, lateDelay);
  if (first === undefined) {
    return [];
  }
  const kinds = mismatches?.kinds ?? [];
  const isCorrected = kinds.includes('corrected-file') && CORRECTED_TYPES.some((type) => totals?.types[type]);
  const base = completedStep && Math.max(first, completedStep.at);
  return [
    { version: 1, at: first },
    ...(base !== undefined && kinds.includes('file-again') ? [{ version: 1, at: addDuration(base, AGAIN_AFTER) }] : []),
    ...(base !== undefined && isCorrected ? [{ version: 2, at: addDuration(base, CORRECTED_AFTER) }] : []),
  ];
}
