import type { ExaminationVerdict, ExaminationView } from '../base/schema/generated/control.ts';
import { describeUncounted, situationTitleOf, VERDICT_WORDS } from './report/report.ts';
import type { CaseVerdict } from './verdicts/case-verdicts.ts';
import { INVARIANTS } from './verdicts/invariants.ts';
import { VERDICTS } from './verdicts/verdicts.ts';

export function viewVerdicts(
  found: readonly CaseVerdict[],
): Pick<ExaminationView, 'counts' | 'uncounted' | 'verdicts' | 'invariants'> {
  const uncounted = describeUncounted(found.filter(({ verdict, isScored }) => verdict === 'violated' && !isScored));
  return {
    ...(uncounted ? { uncounted: uncounted.note } : {}),
    counts: VERDICTS.map((verdict) => ({
      verdict,
      words: VERDICT_WORDS[verdict],
      count: found.filter((each) => each.verdict === verdict).length,
    })),
    verdicts: found.map(toView),
    invariants: INVARIANTS.map(({ id, sentence, why, mend }) => ({ id, sentence, why, mend })),
  };
}

function toView(found: CaseVerdict): ExaminationVerdict {
  const { id, invariant, situation, channel, verdict, note, history, bundle } = found;
  return {
    id,
    invariant,
    situation,
    title: situationTitleOf(situation),
    channel,
    verdict,
    note: note ?? null,
    history: history.map(({ at, side, text }) => ({ at: at ?? '', side, text })),
    bundle,
  };
}
