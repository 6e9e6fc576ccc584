import type { SettlementView } from '../../../base/schema/generated/control.ts';
import { Moment, ZoneName } from '../../components/parts.tsx';

/** The movements that a settlement contains. Its day can begin on the evening before, because the cut-off ends each day. */
export function Period({ settlement: { createdAt, cutOff, history, businessDate } }: { settlement: SettlementView }) {
  const closedAt = history[0]?.at ?? cutOff;
  return (
    <p class="quiet" data-testid="period">
      Contains what was booked from <Moment at={createdAt} /> until{' '}
      {closedAt < cutOff ? <>it was closed at {<Moment at={closedAt} />}, before</> : null} the cut-off at{' '}
      <Moment at={cutOff} /> <ZoneName />. The cut-off ends the business day {businessDate}: anything later, even on the
      same calendar day, is in the next settlement.
    </p>
  );
}
