import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { groupDigits } from '../../../base/text/group-digits.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf, pathOfList } from '../../address.ts';
import { Section } from '../../components/parts.tsx';
import { toneOf } from '../../components/state.tsx';
import { Bar } from './bar.tsx';

/** The order of states; others follow. */
const ORDER = ['Paid', 'Processing', 'Failed', 'Cancelled', 'Expired', 'Refunded', 'Reversed', 'ChargedBack'];

export function Outcomes({ overview: { payments } }: { overview: Pick<OverviewView, 'payments'> }) {
  const { count, states } = payments;
  const ordered = [...ORDER, ...Object.keys(states).filter((state) => !ORDER.includes(state))];
  return (
    <Section
      title="Outcomes"
      level={2}
      extra={<a href={pathOf('payments')}>{count === 1 ? '1 payment' : `${groupDigits(String(count))} payments`}</a>}
    >
      <Bar
        title="Payments by state"
        parts={ordered.map((state) => ({
          label: inWords(state),
          count: states[state] ?? 0,
          tone: toneOf(state),
          href: pathOfList('payments', `state:${state}`),
        }))}
      />
    </Section>
  );
}
