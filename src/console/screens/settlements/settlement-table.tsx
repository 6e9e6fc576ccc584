import { plural } from '../../../base/text/plural.ts';
import { MerchantName } from '../../components/parts.tsx';
import { State } from '../../components/state.tsx';
import type { TableContext } from '../../list/list-screen.tsx';
import { Amount } from '../../record/amount.tsx';
import { PendingSum } from '../balances/balance-table.tsx';
import type { SettlementBook, SettlementRow } from './figures.ts';

const COLUMNS: readonly { name: keyof SettlementRow; label: string; isAlwaysShown: boolean }[] = [
  { name: 'gross', label: 'Gross', isAlwaysShown: true },
  { name: 'fee', label: 'Fees', isAlwaysShown: true },
  { name: 'net', label: 'Net', isAlwaysShown: true },
  { name: 'carried', label: 'Carried over', isAlwaysShown: false },
  { name: 'invoiced', label: 'Invoiced', isAlwaysShown: false },
  { name: 'returned', label: 'Returned', isAlwaysShown: false },
  { name: 'transferred', label: 'Sent to bank', isAlwaysShown: true },
];

export function SettlementTable({ book, hrefOf, isComplete }: { book: SettlementBook } & TableContext) {
  const { environment, currency, settlements, total } = book;
  const columns = COLUMNS.filter(
    ({ name, isAlwaysShown }) => isAlwaysShown || settlements.some(({ row }) => row !== undefined && row[name] !== 0),
  );
  const closedCount = settlements.filter(({ row }) => row !== undefined).length;
  return (
    <table class="books cards" data-testid="settlements">
      <caption>
        {currency}
        {environment === 'sandbox' ? '' : `, ${environment}`}
      </caption>
      <thead>
        <tr>
          <th>Day</th>
          <th>Merchant</th>
          <th>State</th>
          {columns.map(({ name, label }) => (
            <th key={name} class="number">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {settlements.map(({ settlement, settlement: { id, businessDate, merchantId, state }, row }) => (
          <tr key={id}>
            <td class="card-title">
              <a class="row-link" href={hrefOf(id)}>
                {businessDate}
              </a>
            </td>
            <td class="card-wide">
              <MerchantName id={merchantId} />
            </td>
            <td class="card-state">
              <State state={state} />
            </td>
            {row === undefined ? (
              <td class="quiet" colSpan={columns.length}>
                Not closed yet, so far <PendingSum book={settlement} />
              </td>
            ) : (
              columns.map(({ name, label }) => (
                <td key={name} class={`number ${row[name] ? '' : 'nothing'}`} data-label={label}>
                  <Amount units={row[name]} />
                </td>
              ))
            )}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr class="sum last">
          <th scope="row" colSpan={3}>
            {isComplete && closedCount === settlements.length
              ? 'Total'
              : `Total of the ${plural(closedCount, 'closed settlement')} above`}
          </th>
          {columns.map(({ name, label }) => (
            <td key={name} class="number" data-label={label}>
              <Amount units={total[name]} />
            </td>
          ))}
        </tr>
      </tfoot>
    </table>
  );
}
