import type { SettlementView } from '../../../base/schema/generated/control.ts';
import { Empty } from '../../components/parts.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { settlementBooksOf } from './figures.ts';
import { fetchSettlement, showSettlement } from './settlement-detail.tsx';
import { SettlementTable } from './settlement-table.tsx';

const DEFINITION: ListDefinition<SettlementView> = {
  screen: 'settlements',
  title: 'Settlements',
  about:
    "A settlement is the bank transfer of a merchant's day: payments less refunds (gross), less the fees of each payment, payout and chargeback (net). The net is sent to the bank once the day is closed.",
  source: { path: 'settlements', changes: 'settlements' },
  filters: ['state', 'merchantId', 'environment', 'currency', 'businessDate'],
  filterButtons: ['Open', 'InTransit', 'Paid', 'Returned', 'CarriedOver', 'Invoiced'],
  table: (settlements, context) =>
    settlementBooksOf(settlements).map((book) => (
      <SettlementTable key={`${book.environment} ${book.currency}`} book={book} {...context} />
    )),
  empty: (
    <Empty title="No settlements yet">
      <p>The first payment of a merchant's day opens a settlement. It is closed at the day's cut-off.</p>
    </Empty>
  ),
  detail: (id) => <RecordDetail id={id} collection="settlements" load={fetchSettlement} show={showSettlement} />,
};

export function Settlements() {
  return <ListScreen definition={DEFINITION} />;
}
