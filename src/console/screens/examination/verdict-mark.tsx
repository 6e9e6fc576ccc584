import type { ExaminationVerdict, ExaminationView } from '../../../base/schema/generated/control.ts';
import { Icon } from '../../components/icon.tsx';
import { Shape } from '../../components/state.tsx';

type Verdict = ExaminationVerdict['verdict'];

/** The marks of verdicts, the worst first. Each has a shape as well as a colour. */
const MARKS = {
  violated: <Shape tone="bad" />,
  inconclusive: (
    <span class="mark-unsure">
      <Icon name="warning" />
    </span>
  ),
  'not-exercised': <Shape tone="none" />,
  'handled-after-reconcile': <Shape tone="late" />,
  handled: <Shape tone="good" />,
  'not-applicable': <span class="mark-none">–</span>,
} as const satisfies Readonly<Record<Verdict, unknown>>;

export const VERDICTS_WORST_FIRST = Object.keys(MARKS) as Verdict[];

export function VerdictMark({ verdict }: { verdict: Verdict }) {
  return MARKS[verdict];
}

export function countOf(counts: ExaminationView['counts'], wanted: Verdict): number {
  return counts.find(({ verdict }) => verdict === wanted)?.count ?? 0;
}
