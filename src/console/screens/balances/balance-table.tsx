import { toMinorUnits } from '../../../base/money.ts';
import type { BalanceView } from '../../../base/schema/generated/control.ts';
import { pathOf } from '../../address.ts';
import { ask, askForAll, type ListPage } from '../../api.ts';
import { Empty, MerchantName } from '../../components/parts.tsx';
import { Amount } from '../../record/amount.tsx';
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

/** The merchants' balances: all on the page of balances, or the first few on another page. */
export function BalanceTable({ limit }: { limit?: number }) {
  const { value, problem } = useFetched(
    () => fetchBalances(limit),
    'balances',
    (_id, collection) => movesMoney(collection),
  );
  if (problem !== undefined) {
    return <Empty title="This cannot be shown">{<p>{problem}</p>}</Empty>;
  }
  if (value === undefined) {
    return <div aria-busy="true" />;
  }
  return value.items.length === 0 ? (
    <p class="hint">No balances yet. The first payment that is paid creates the first balance.</p>
  ) : (
    <>
      <table class="books cards" data-testid="balances">
        <caption class={limit === undefined ? 'unseen' : ''}>Balances</caption>
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
          {value.items.map((balance) => (
            <BalanceRow key={daysPath(balance)} balance={balance} />
          ))}
        </tbody>
      </table>
      {value.isCut ? <a href={pathOf('balances')}>All balances</a> : null}
    </>
  );
}

async function fetchBalances(limit: number | undefined): Promise<{ items: readonly BalanceView[]; isCut: boolean }> {
  if (limit === undefined) {
    return { items: await askForAll<BalanceView>('balances', {}), isCut: false };
  }
  const { items, nextCursor } = await ask<ListPage<BalanceView>>('GET', 'balances', { query: { limit } });
  return { items, isCut: nextCursor !== null };
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
