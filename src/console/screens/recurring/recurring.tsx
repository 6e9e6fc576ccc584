import type { RecurringPaymentView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { lengthInWords } from '../../../base/text/words.ts';
import { Empty, type Fact, Facts, Id, joinTexts, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { Shape, toneOf } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { fetchWithPayments, type RecordWithPayments } from '../../record/fetch-with-payments.ts';
import { Money } from '../../record/money.tsx';
import { PaymentsOf } from '../../record/payments-of.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';
import { now } from '../../session-facts.ts';

const DEFINITION: ListDefinition<RecurringPaymentView> = {
  screen: 'recurring',
  title: 'Recurring payments',
  about: 'A recurring payment charges a stored token at intervals. Advance the clock to see its charges.',
  source: { path: 'recurring-payments', changes: 'recurringPayments' },
  filters: ['state', 'merchantId', 'reference', 'environment'],
  filterButtons: ['Active', 'Cancelled', 'Completed', 'Failed'],
  row: ({ state, reference, intervalName, intervalDays, charges, nextChargeAt, amount, currency, createdAt }) => ({
    shape: <Shape tone={toneOf(state)} />,
    title: reference,
    detail: joinTexts(
      [
        state,
        nextChargeAt && `next charge ${nextChargeAt.slice(0, 10)}`,
        `${intervalName} (${plural(intervalDays, 'day')})`,
        plural(charges, 'charge'),
      ],
      ' · ',
    ),
    value: <Money amount={amount} currency={currency} />,
    at: createdAt,
  }),
  empty: <Empty title="No recurring payments yet" />,
  detail: (id) => (
    <RecordDetail id={id} collection="recurringPayments" hasPayments load={fetchRecurring} show={showRecurring} />
  ),
};

export function Recurring() {
  return <ListScreen definition={DEFINITION} />;
}

const fetchRecurring = fetchWithPayments<RecurringPaymentView>('recurring-payments', 'recurring');

function showRecurring({ record: recurring, payments }: RecordWithPayments<RecurringPaymentView>) {
  return (
    <>
      <RecordHead
        kind={`Recurring payment · ${recurring.intervalName} (${plural(recurring.intervalDays, 'day')})`}
        name={recurring.reference}
        amount={<Money amount={recurring.amount} currency={recurring.currency} />}
        state={recurring.state}
        detail={recurring.description}
      />
      <Section title="Next charge">
        {recurring.nextChargeAt === null ? (
          <p class="hint">No further charge.</p>
        ) : (
          <p data-testid="next-charge">
            <Moment at={recurring.nextChargeAt} />{' '}
            <span class="timeline-in">in {lengthInWords(Date.parse(recurring.nextChargeAt) - now.value)}</span>
          </p>
        )}
      </Section>
      <Section title={`Charges (${recurring.charges})`}>
        <PaymentsOf payments={payments} />
      </Section>
      <Section title="Facts">
        <Facts facts={factsOf(recurring)} />
      </Section>
    </>
  );
}

function factsOf(recurring: RecurringPaymentView): Fact[] {
  return [
    ['Id', <Id key="id" id={recurring.id} />],
    ['Merchant', <MerchantName key="merchant" id={recurring.merchantId} />],
    ['Payment token', <Id key="token" id={recurring.paymentToken} />],
    ['From', recurring.startDate],
    ['To', recurring.expiryDate],
    ['Environment', recurring.environment],
    ['Created', <Moment key="created" at={recurring.createdAt} />],
    ['Cancelled', recurring.cancelledAt === null ? null : <Moment key="cancelled" at={recurring.cancelledAt} />],
    ['Problem', recurring.failure?.reason],
  ];
}
