import type { ExaminationVerdict, ExaminationView } from '../base/schema/control.ts';
import { caseOf, titleOf } from './case.ts';
import type { Found } from './findings.ts';
import { INVARIANTS } from './invariants.ts';
import { VERDICT_WORDS } from './report/summary.ts';
import { SITUATIONS } from './situations.ts';
import { VERDICTS } from './verdicts.ts';

/** What was found, and the words for it, as the control API shows them. */
export function viewFound(found: readonly Found[]): Pick<ExaminationView, 'counts' | 'verdicts' | 'invariants'> {
  return {
    counts: VERDICTS.map((verdict) => ({
      verdict,
      words: VERDICT_WORDS[verdict],
      count: found.filter((each) => each.verdict === verdict).length,
    })),
    verdicts: found.map(viewVerdict),
    invariants: INVARIANTS.map(({ id, sentence, why, mend }) => ({ id, sentence, why, mend })),
  };
}

function viewVerdict({ id, invariant, situation, channel, verdict, note, history, bundle }: Found): ExaminationVerdict {
  const names = situation.split('+');
  return {
    id,
    invariant,
    situation,
    title: titleOf(caseOf(SITUATIONS.filter((each) => names.includes(each.id)))),
    channel,
    verdict,
    note: note ?? null,
    history: history.map(stepOf),
    bundle,
  };
}

type Step = ExaminationVerdict['history'][number];

/** A line of a history, which says by itself who did what. */
function stepOf(line: string | Step): Step {
  return typeof line === 'string' ? { at: '', side: 'provider', text: line } : line;
}
