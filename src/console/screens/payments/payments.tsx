import type { PaymentView } from '../../../base/schema/generated/control.ts';
import { Shape, StateWord, toneOf } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { channelName } from '../../record/channel-names.ts';
import { Money } from '../../record/money.tsx';
import { Outcomes } from '../overview/outcomes.tsx';
import { OverviewSummary } from '../overview/summary.tsx';
import { VolumeOverTime } from '../overview/volume.tsx';
import { FirstRun } from './first-run.tsx';
import { PaymentDetail } from './payment-detail.tsx';

const DEFINITION: ListDefinition<PaymentView> = {
  screen: 'payments',
  title: 'Payments',
  source: { path: 'payments', changes: 'payments' },
  filters: ['state', 'channel', 'merchantId', 'environment', 'origin', 'payerReference'],
  filterButtons: ['Processing', 'Paid', 'Failed', 'Cancelled', 'Expired', 'Refunded', 'Reversed', 'ChargedBack'],
  row: ({ state, status, payerReference, description, channel, amount, currency, createdAt, history }) => {
    const { code, description: reason } = history.at(-1) ?? {};
    return {
      shape: <Shape tone={toneOf(state)} />,
      title: payerReference,
      detail: (
        <>
          <StateWord state={state}>
            {state === 'Failed' && code ? `: ${code} ${reason ?? ''}` : ''}
            {status === state ? '' : ` (${status})`}
          </StateWord>{' '}
          · {channelName(channel)} · <bdi>{description}</bdi>
        </>
      ),
      value: <Money amount={amount} currency={currency} />,
      at: createdAt,
    };
  },
  empty: <FirstRun />,
  detail: (id) => <PaymentDetail id={id} />,
  summary: (
    <OverviewSummary
      show={(overview) =>
        overview.payments.count === 0 ? null : (
          <>
            <Outcomes overview={overview} />
            <VolumeOverTime overview={overview} />
          </>
        )
      }
    />
  ),
};

export function Payments() {
  return <ListScreen definition={DEFINITION} />;
}
