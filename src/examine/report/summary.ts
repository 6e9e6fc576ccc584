import { plural } from '../../base/text/plural.ts';
import type { Examined } from '../examination.ts';
import type { Found } from '../findings.ts';
import { INVARIANTS, type Invariant } from '../invariants.ts';
import { VERDICTS, type Verdict } from '../verdicts.ts';

/** What every report begins with. */
export const NO_CERTIFICATE = 'Not a certificate of any provider.';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  handled: 'handled',
  'handled-after-reconcile': "handled after the shop's own job",
  violated: 'violated',
  'not-exercised': 'not exercised',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
};

/** The examination in words, for a terminal: what is violated first, each with its shortest story. */
export function summaryOf(examined: Examined): string {
  const { verdicts, cases, milliseconds, seed, counts, unseen } = examined;
  const violated = INVARIANTS.flatMap((invariant) => {
    const found = verdicts.filter((each) => each.verdict === 'violated' && each.invariant === invariant.id);
    return found.length === 0 ? [] : [textOfViolation(invariant, found)];
  });
  const counted = VERDICTS.filter((verdict) => counts[verdict] > 0).map(
    (verdict) => `${counts[verdict]} ${VERDICT_WORDS[verdict]}`,
  );
  return [
    NO_CERTIFICATE,
    ...unseen,
    `${plural(cases, 'order')} in ${(milliseconds / 1000).toFixed(1)} s, seed ${seed}`,
    ...violated.flatMap((text) => ['', text]),
    ...unknown(verdicts),
    '',
    counted.join(', '),
  ].join('\n');
}

function textOfViolation({ id, sentence, why, mend }: Invariant, found: readonly Found[]): string {
  const [shortest, ...others] = found.toSorted((one, other) => one.history.length - other.history.length);
  return [
    `VIOLATED ${id}: ${sentence}`,
    `  Why it matters: ${why}`,
    `  How to mend it: ${mend}`,
    ...(shortest ? storyOf(shortest) : []),
    ...(others.length > 0 ? [`  Also: ${others.map(placeOf).join(', ')}`] : []),
  ].join('\n');
}

function storyOf(found: Found): string[] {
  const replay = found.bundle === null ? [] : [`  Play it again: merchant-sandbox replay ${found.bundle}`];
  return [`  ${placeOf(found)}:`, ...found.history.map((line) => `    ${line}`), ...replay];
}

const placeOf = ({ situation, channel }: Found) => `${situation} by ${channel}`;

/** What could not be told, and why; the same reason once. */
function unknown(verdicts: readonly Found[]): string[] {
  const reasons = new Map<string, Found[]>();
  for (const found of verdicts.filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not-applicable')) {
    const reason = `${VERDICT_WORDS[found.verdict]}: ${found.note ?? ''}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), found]);
  }
  return [...reasons].flatMap(([reason, found]) => ['', `${found.map(({ id }) => id).join(', ')}: ${reason}`]);
}
