import type { ExaminationResult } from '../../examine/examination-result.ts';
import { linesOf } from '../../examine/observation/story.ts';
import { adviceFor } from '../../examine/report/advice.ts';
import { findingNameOf, prefaceOf } from '../../examine/report/report.ts';
import type { CaseVerdict } from '../../examine/verdicts/case-verdicts.ts';
import { causesIn } from '../../examine/verdicts/causes.ts';
import { INVARIANTS } from '../../examine/verdicts/invariants.ts';
import { VERDICTS } from '../../examine/verdicts/verdicts.ts';

/** Limits of a digest: lines of a story, characters of a line, ids of a violation or reason, and reasons. */
const MAX_LINES = 40;
const MAX_LINE_LENGTH = 300;
const MAX_IDS = 20;
const MAX_REASONS = 20;

/** The result of an examination for an agent: violations with a story, and the other verdicts by number or reason. */
export function digestOf(result: ExaminationResult) {
  const { verdicts, counts, cases, seed, milliseconds } = result;
  return {
    about: prefaceOf(result),
    counts,
    byInvariant: Object.fromEntries(
      INVARIANTS.map(({ id }) => [id, countsOf(verdicts.filter(({ invariant }) => invariant === id))] as const).filter(
        ([, counted]) => Object.keys(counted).length > 0,
      ),
    ),
    violated: causesIn(verdicts).map((cause) => {
      const { id, sentence, why } = cause.invariant;
      const [shown] = cause.verdicts;
      return {
        id,
        sentence,
        why,
        mend: adviceFor(cause).join(' '),
        ...timesAndIds(cause.verdicts),
        shortest: shown.id,
        story: historyLines(shown),
        bundle: shown.bundle,
      };
    }),
    untold: undecidedCasesIn(verdicts),
    orders: cases,
    seed,
    milliseconds,
  };
}

function countsOf(results: readonly CaseVerdict[]): Record<string, number> {
  const counted = VERDICTS.map((each) => [each, results.filter(({ verdict }) => verdict === each).length] as const);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

function timesAndIds(results: readonly CaseVerdict[]) {
  return { times: results.length, ids: results.slice(0, MAX_IDS).map(findingNameOf) };
}

function historyLines({ history }: CaseVerdict): string[] {
  const omitted = history.length > MAX_LINES ? [`… ${history.length - MAX_LINES} lines more`] : [];
  return [...linesOf(history.slice(0, MAX_LINES)).map(cut), ...omitted];
}

const cut = (line: string) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line);

const reasonOf = ({ verdict, note }: CaseVerdict) => `${verdict} ${note}`;

/** The cases without a conclusive verdict, by reason. */
function undecidedCasesIn(verdicts: readonly CaseVerdict[]) {
  const undecided = verdicts.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not-exercised');
  const reasons = [...new Set(undecided.map(reasonOf))];
  return reasons
    .map((reason) => undecided.filter((each) => reasonOf(each) === reason))
    .slice(0, MAX_REASONS)
    .map((results) => ({ verdict: results[0]?.verdict, why: cut(results[0]?.note ?? ''), ...timesAndIds(results) }));
}
