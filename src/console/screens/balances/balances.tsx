import { useLocation } from 'preact-iso/router';
import { pathOf } from '../../address.ts';
import { Page } from '../../components/page.tsx';
import { MerchantName, Section } from '../../components/parts.tsx';
import { type BalanceBook, BalanceTable } from './balance-table.tsx';
import { Days } from './days.tsx';

export function Balances() {
  const { merchantId, environment, currency } = useLocation().query;
  const isSingle = merchantId !== undefined && currency !== undefined;
  return (
    <Page screen="balances" title={merchantId ?? 'Balances'}>
      {isSingle ? (
        <Book book={{ merchantId, environment: environment === 'production' ? 'production' : 'sandbox', currency }} />
      ) : (
        <AllBalances />
      )}
    </Page>
  );
}

function AllBalances() {
  return (
    <>
      <header class="record-head">
        <h1>Balances</h1>
        <p class="record-detail">
          What each merchant is owed: pending until its settlement is closed, available until it is transferred, and in
          transit on the way to its bank. The balance is pending plus available.
        </p>
      </header>
      <BalanceTable />
    </>
  );
}

function Book({ book }: { book: BalanceBook }) {
  const { merchantId, environment, currency } = book;
  return (
    <>
      <a class="back-to-all" href={pathOf('balances')}>
        ‹ Balances
      </a>
      <header class="record-head">
        <p class="record-kind">
          Balance in {currency}
          {environment === 'sandbox' ? '' : `, ${environment}`}
        </p>
        <h1 data-testid="days-of">
          <MerchantName id={merchantId} />
        </h1>
      </header>
      <Section title="Days" level={2}>
        <Days book={book} />
      </Section>
    </>
  );
}
