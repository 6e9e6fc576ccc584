import type { Examined } from '../../examine/examined.ts';
import { linesOf } from '../../examine/observation/story.ts';
import { adviceFor } from '../../examine/report/advice.ts';
import { nameOf, prefaceOf } from '../../examine/report/report.ts';
import { causesIn } from '../../examine/verdicts/causes.ts';
import type { Found } from '../../examine/verdicts/findings.ts';
import { INVARIANTS } from '../../examine/verdicts/invariants.ts';
import { VERDICTS } from '../../examine/verdicts/verdicts.ts';

/** What an agent reads: lines of a story, characters of one, places of a violation, and reasons. */
const MOST_LINES = 40;
const LONGEST_LINE = 300;
const MOST_IDS = 20;
const MOST_REASONS = 20;

/** An examination for an agent, who reads every word: what is violated in full, the rest counted. */
export function digestOf(examined: Examined) {
  const { verdicts, counts, cases, seed, milliseconds } = examined;
  return {
    about: prefaceOf(examined),
    counts,
    byInvariant: Object.fromEntries(
      INVARIANTS.map(({ id }) => [id, countsOf(verdicts.filter(({ invariant }) => invariant === id))] as const).filter(
        ([, counted]) => Object.keys(counted).length > 0,
      ),
    ),
    violated: causesIn(verdicts).map((cause) => {
      const {
        invariant: { id, sentence, why },
        found,
      } = cause;
      const [shown] = found;
      const mend = adviceFor(cause).join(' ');
      return {
        id,
        sentence,
        why,
        mend,
        ...places(found),
        shortest: shown.id,
        story: storyOf(shown),
        bundle: shown.bundle,
      };
    }),
    untold: untold(verdicts),
    orders: cases,
    seed,
    milliseconds,
  };
}

function countsOf(found: readonly Found[]): Record<string, number> {
  const counted = VERDICTS.map((each) => [each, found.filter(({ verdict }) => verdict === each).length] as const);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}

function places(found: readonly Found[]) {
  return { times: found.length, ids: found.slice(0, MOST_IDS).map(nameOf) };
}

function storyOf({ history }: Found): string[] {
  const more = history.length > MOST_LINES ? [`… ${history.length - MOST_LINES} lines more`] : [];
  return [...linesOf(history.slice(0, MOST_LINES)).map(cut), ...more];
}

const cut = (line: string) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);

const reasonOf = ({ verdict, note }: Found) => `${verdict} ${note}`;

/** What could not be told, the same reason once. */
function untold(verdicts: readonly Found[]) {
  const unknown = verdicts.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not-exercised');
  const reasons = [...new Set(unknown.map(reasonOf))];
  return reasons
    .map((reason) => unknown.filter((each) => reasonOf(each) === reason))
    .slice(0, MOST_REASONS)
    .map((found) => ({
      verdict: found[0]?.verdict,
      why: cut(found[0]?.note ?? ''),
      ...places(found),
    }));
}
