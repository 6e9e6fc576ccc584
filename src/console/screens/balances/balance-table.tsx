import { toMinorUnits } from '../../../base/money.ts';
import type { BalanceView } from '../../../base/schema/generated/control.ts';
import { pathOf } from '../../address.ts';
import { askForAll } from '../../api.ts';
import { LoadingOrProblem, MerchantName } from '../../components/parts.tsx';
import { Amount } from '../../record/amount.tsx';
import { Money } from '../../record/money.tsx';
import { useFetched } from '../../record/use-fetched.ts';
import { movesMoney } from '../ledger/entries.tsx';

const COLUMNS = [
  ['pending', 'Pending'],
  ['available', 'Available'],
  ['balance', 'Balance'],
  ['inTransit', 'In transit'],
] as const satisfies readonly [keyof BalanceView, string][];

/** A merchant's account in one environment and currency. */
export type BalanceBook = Pick<BalanceView, 'merchantId' | 'environment' | 'currency'>;

export function daysPath({ merchantId, environment, currency }: BalanceBook): string {
  return `${pathOf('balances')}?${new URLSearchParams({ merchantId, environment, currency })}`;
}

function useBalances() {
  const load = () => askForAll<BalanceView>('balances', {});
  return useFetched(load, 'balances', (_id, collection) => movesMoney(collection));
}

/** The amount of the open settlement so far. */
export function PendingSum({ book }: { book: BalanceBook }) {
  const bookBalance = useBalances().value?.find((balance) => daysPath(balance) === daysPath(book));
  return bookBalance && <Money amount={bookBalance.pending} currency={bookBalance.currency} />;
}

export function BalanceTable() {
  const { value, problem } = useBalances();
  if (value === undefined) {
    return <LoadingOrProblem problem={problem} />;
  }
  return value.length === 0 ? (
    <p class="hint">No balances yet. The first payment that is paid creates the first balance.</p>
  ) : (
    <table class="books cards" data-testid="balances">
      <caption class="visually-hidden">Balances</caption>
      <thead>
        <tr>
          <th>Merchant</th>
          <th>Currency</th>
          {COLUMNS.map(([name, label]) => (
            <th key={name} class="number">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {value.map((balance) => (
          <BalanceRow key={daysPath(balance)} balance={balance} />
        ))}
      </tbody>
    </table>
  );
}

function BalanceRow({ balance }: { balance: BalanceView }) {
  const { merchantId, environment, currency } = balance;
  return (
    <tr>
      <td class="card-title">
        <a href={daysPath(balance)}>
          <MerchantName id={merchantId} />
        </a>
      </td>
      <td class="card-state">
        {currency}
        {environment === 'sandbox' ? '' : `, ${environment}`}
      </td>
      {COLUMNS.map(([name, label]) => (
        <td
          key={name}
          class={`number ${name !== 'balance' && toMinorUnits(balance[name]) === 0 ? 'nothing' : ''}`}
          data-label={label}
        >
          <Amount units={toMinorUnits(balance[name])} />
        </td>
      ))}
    </tr>
  );
}
