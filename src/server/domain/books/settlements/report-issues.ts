import type { Settlement } from '../../../../base/schema/generated/records.ts';
import { addDuration, type Instant } from '../../../../base/time.ts';

/** One publication of a settlement's report. */
export interface ReportIssue {
  version: number;
  at: Instant;
}

/** Delays of a repeated and of a corrected file after the first is issued and the settlement is complete. Source: ours. */
const AGAIN_DELAY = 'PT1H';
const CORRECTION_DELAY = 'P1D';

/** Types of lines that can have a mistake that is corrected later. */
const CORRECTED_TYPES = ['payment', 'share'];

/** States of a complete settlement: its transfer has arrived, or it has none. */
export const COMPLETE_STATES: ReadonlySet<Settlement['state']> = new Set(['Paid', 'CarriedOver', 'Invoiced']);

/** The issues of the report so far, in order. Without `issued`, at most the one at the close. */
export function issuesOf(settlement: Settlement): ReportIssue[] {
  return plannedIssues(settlement).slice(0, settlement.issued ?? 1);
}

/** The next issue; undefined if none is planned, or if it depends on a transfer that has not arrived yet. */
export function nextIssue(settlement: Settlement): ReportIssue | undefined {
  return plannedIssues(settlement)[settlement.issued ?? 1];
}

export function latestVersion(settlement: Settlement): number {
  return issuesOf(settlement).at(-1)?.version ?? 1;
}

/** All issues whose times are known. A late first issue and all later ones are only known once the settlement is complete. */
function plannedIssues({ history, reports, mismatches, totals }: Settlement): ReportIssue[] {
  const [closedStep] = history;
  const completedStep = history.find(({ to }) => COMPLETE_STATES.has(to));
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
    ...(base !== undefined && kinds.includes('file-again') ? [{ version: 1, at: addDuration(base, AGAIN_DELAY) }] : []),
    ...(base !== undefined && isCorrected ? [{ version: 2, at: addDuration(base, CORRECTION_DELAY) }] : []),
  ];
}
