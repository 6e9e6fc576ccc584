import { toMinorUnits } from '../../../base/money.ts';
import type { BalanceDayView } from '../../../base/schema/generated/control.ts';
import { pathOf } from '../../address.ts';
import { askForAll } from '../../api.ts';
import { LoadingOrProblem } from '../../components/parts.tsx';
import { State } from '../../components/state.tsx';
import { Amount } from '../../record/amount.tsx';
import { useFetched } from '../../record/use-fetched.ts';
import { movesMoney } from '../ledger/entries.tsx';
import { type BalanceBook, daysPath } from './balance-table.tsx';

/** Columns from opening to closing balance. The column of invoiced amounts is omitted if all are zero. */
const COLUMNS = [
  ['opening', 'Opening'],
  ['gross', 'Gross'],
  ['fee', 'Fees'],
  ['net', 'Net'],
  ['transferred', 'Transferred'],
  ['invoiced', 'Invoiced'],
  ['closing', 'Closing'],
] as const satisfies readonly [keyof BalanceDayView, string][];

export function Days({ book }: { book: BalanceBook }) {
  const { value, problem } = useFetched(
    () => askForAll<BalanceDayView>('balances/days', { ...book }),
    daysPath(book),
    (_id, collection) => movesMoney(collection),
  );
  if (value === undefined) {
    return <LoadingOrProblem problem={problem} />;
  }
  if (value.length === 0) {
    return <p class="hint">Nothing has moved on this account.</p>;
  }
  const hasInvoiced = value.some(({ invoiced }) => toMinorUnits(invoiced) !== 0);
  const columns = COLUMNS.filter(([name]) => name !== 'invoiced' || hasInvoiced);
  return (
    <>
      <table class="books cards" data-testid="days">
        <caption class="visually-hidden">Balance by business date, in {book.currency}</caption>
        <thead>
          <tr>
            <th>Day</th>
            <th>Settlement</th>
            <th>State</th>
            {columns.map(([name, label]) => (
              <th key={name} class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.toReversed().map((day) => (
            <tr key={day.businessDate}>
              <td class="card-title">{day.businessDate}</td>
              <td class="card-wide">
                {day.settlementIds.map((id, index) => (
                  <>
                    {index === 0 ? '' : ', '}
                    <a key={id} href={pathOf('settlements', id)}>
                      {id}
                    </a>
                  </>
                ))}
              </td>
              <td class="card-state">
                <State state={day.status === 'open' ? 'Open' : 'Closed'} />
              </td>
              {columns.map(([name, label]) => (
                <td key={name} class="number" data-label={label}>
                  <Amount units={toMinorUnits(day[name])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        Opening + net - transferred {hasInvoiced ? '- invoiced ' : ''}= closing. An open day shows the figures so far.
      </p>
    </>
  );
}
