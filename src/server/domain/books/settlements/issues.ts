import type { Settlement } from '../../../../base/schema/generated/records.ts';
import { addDuration, type Instant } from '../../../../base/time.ts';

/** One time that the report of a settlement is issued. */
export interface Issue {
  version: number;
  at: Instant;
}

/** After the report was announced, or came late: the same file comes again, and a corrected one. Source: ours. */
const AGAIN_AFTER = 'PT1H';
const CORRECTED_AFTER = 'P1D';

/** Types of lines that can have a mistake that is corrected later. */
const CORRECTED_TYPES = ['payment', 'share'];

/** States that end the close of a settlement: delays of later steps count from then. */
export const COMPLETES: ReadonlySet<Settlement['state']> = new Set(['Paid', 'CarriedOver', 'Invoiced']);

/** The issues of the report with time and version, in order. */
export function issuesOf(settlement: Settlement): Issue[] {
  return planOf(settlement).slice(0, settlement.issued ?? 1);
}

/** The next issue; undefined if none is planned, or if it depends on a transfer that is under way. */
export function nextIssue(settlement: Settlement): Issue | undefined {
  return planOf(settlement)[settlement.issued ?? 1];
}

/** The version of the file that merchants have: the first one, too, while it is held back. */
export function latestVersion(settlement: Settlement): number {
  return issuesOf(settlement).at(-1)?.version ?? 1;
}

/** All issues as far as they are known: those after the first count from when the settlement was paid, carried over or invoiced. */
function planOf({ history, reports, mismatches, totals }: Settlement): Issue[] {
  const [closed] = history;
  const done = history.find(({ to }) => COMPLETES.has(to));
  const late = reports?.late;
  const first = late === undefined ? closed?.at : done && addDuration(done.at, late);
  if (first === undefined) {
    return [];
  }
  const kinds = mismatches?.kinds ?? [];
  const isCorrected = kinds.includes('corrected-file') && CORRECTED_TYPES.some((type) => totals?.types[type]);
  const from = done && Math.max(first, done.at);
  return [
    { version: 1, at: first },
    ...(from !== undefined && kinds.includes('file-again') ? [{ version: 1, at: addDuration(from, AGAIN_AFTER) }] : []),
    ...(from !== undefined && isCorrected ? [{ version: 2, at: addDuration(from, CORRECTED_AFTER) }] : []),
  ];
}
