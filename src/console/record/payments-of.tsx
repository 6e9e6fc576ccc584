import type { PaymentView } from '../../base/schema/generated/control.ts';
import { pathOf } from '../address.ts';
import { Moment } from '../components/parts.tsx';
import { State } from '../components/state.tsx';
import { Table } from '../components/table.tsx';
import { Money } from './money.tsx';

const COLUMNS = [{ name: 'Payment' }, { name: 'State' }, { name: 'Created' }, { name: 'Amount', isNumber: true }];

export function PaymentsOf({ payments }: { payments: readonly PaymentView[] }) {
  if (payments.length === 0) {
    return <p class="hint">None yet.</p>;
  }
  return (
    <Table
      columns={COLUMNS}
      rows={payments.map(({ id, payerReference, state, createdAt, amount, currency }) => ({
        key: id,
        cells: [
          <a key="payment" href={pathOf('payments', id)}>
            {payerReference}
          </a>,
          <State key="state" state={state} />,
          <Moment key="created" at={createdAt} />,
          <Money key="amount" amount={amount} currency={currency} />,
        ],
      }))}
    />
  );
}
