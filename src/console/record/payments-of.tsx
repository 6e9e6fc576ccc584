import type { PaymentView } from '../../base/schema/control.ts';
import { pathOf } from '../address.ts';
import { Moment } from '../components/parts.tsx';
import { State } from '../components/state.tsx';
import { Money } from './money.tsx';

/** The payments that a link, a recurring payment or a token made. */
export function PaymentsOf({ payments }: { payments: readonly PaymentView[] }) {
  if (payments.length === 0) {
    return <p class="hint">None yet.</p>;
  }
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th>Payment</th>
            <th>State</th>
            <th>Made</th>
            <th class="number">Amount</th>
          </tr>
        </thead>
        <tbody>
          {payments.map(({ id, payerReference, state, createdAt, amount, currency }) => (
            <tr key={id}>
              <td>
                <a href={pathOf('payments', id)}>{payerReference}</a>
              </td>
              <td>
                <State state={state} />
              </td>
              <td>
                <Moment at={createdAt} />
              </td>
              <td class="number">
                <Money amount={amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
