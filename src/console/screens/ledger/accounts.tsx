import type { LedgerAccountView } from '../../../base/schema/generated/control.ts';
import { askForAll } from '../../api.ts';
import { LoadingOrProblem } from '../../components/parts.tsx';
import { Amount } from '../../record/amount.tsx';
import { entriesPath } from '../../record/entries-link.tsx';
import { useFetched } from '../../record/use-fetched.ts';
import { movesMoney } from './entries.tsx';
import { type LedgerBook, ledgerBooksOf, meaningOf } from './ledger-book.ts';

export function Accounts() {
  const { value, problem } = useFetched(
    () => askForAll<LedgerAccountView>('ledger/accounts', {}),
    'accounts',
    (_id, collection) => movesMoney(collection),
  );
  if (value === undefined) {
    return <LoadingOrProblem problem={problem} />;
  }
  return value.length === 0 ? (
    <p class="hint">No entries yet. The first payment that is paid creates the first entry.</p>
  ) : (
    <>
      <p class="hint">
        The balance is credits less debits, so money received from payers is below 0. All balances add up to 0.
      </p>
      {ledgerBooksOf(value).map((book) => (
        <AccountTable key={`${book.environment} ${book.currency}`} book={book} />
      ))}
    </>
  );
}

function AccountTable({ book: { environment, currency, accounts, total } }: { book: LedgerBook }) {
  return (
    <table class="books figures" data-testid="accounts">
      <caption>
        {currency}
        {environment === 'sandbox' ? '' : `, ${environment}`}
      </caption>
      <thead>
        <tr>
          <th>Account</th>
          <th class="number">Debits</th>
          <th class="number">Credits</th>
          <th class="number">Balance</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ account, ...figures }) => (
          <tr key={account}>
            <td class="id">
              <a href={entriesPath({ account })}>{account}</a> <span class="quiet">{meaningOf(account)}</span>
            </td>
            <Figures {...figures} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr class="sum last">
          <th scope="row">Total</th>
          <Figures {...total} />
        </tr>
      </tfoot>
    </table>
  );
}

function Figures({ debits, credits, balance }: LedgerBook['total']) {
  return [debits, credits, balance].map((units, index) => (
    <td key={index} class="number">
      <Amount units={units} />
    </td>
  ));
}
