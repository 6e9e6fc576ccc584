import type { PayoutView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { Empty, type Fact, Facts, Id, joinTexts, MerchantName, Section } from '../../components/parts.tsx';
import { Shape, StateWord, toneOf } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { EntriesLink } from '../../record/entries-link.tsx';
import { fetchTimeline, type RecordTimeline } from '../../record/fetch-timeline.ts';
import { Money } from '../../record/money.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';
import { Settle } from '../../record/settle.tsx';
import { TimelineSection } from '../../record/timeline.tsx';
import { Credits, CreditTotals } from './credits.tsx';

const DEFINITION: ListDefinition<PayoutView> = {
  screen: 'payouts',
  title: 'Payouts',
  about: 'A payout debits a bank account of the merchant and credits one or more others.',
  source: { path: 'payouts', changes: 'payouts' },
  filters: ['state', 'merchantId', 'environment', 'payerReference'],
  filterButtons: ['Processing', 'Paid', 'PartlyPaid', 'Failed'],
  row: ({ state, payerReference, description, credits, totals, total, currency, createdAt }) => ({
    shape: <Shape tone={toneOf(state)} />,
    title: payerReference,
    detail: (
      <>
        <StateWord state={state} /> · {state === 'PartlyPaid' ? `${totals.Paid.credits} of ` : ''}
        {plural(credits.length, 'credit')} · <bdi>{description}</bdi>
      </>
    ),
    value: <Money amount={total} currency={currency} />,
    at: createdAt,
  }),
  empty: <Empty title="No payouts yet" />,
  detail: (id) => <RecordDetail id={id} collection="payouts" load={fetchPayout} show={showPayout} />,
};

export function Payouts() {
  return <ListScreen definition={DEFINITION} />;
}

const fetchPayout = (id: string) => fetchTimeline<PayoutView>('payouts', id);

function showPayout({ record: payout, sentence, ...timeline }: RecordTimeline<PayoutView>) {
  const { total, currency, state, payerReference, description } = payout;
  return (
    <>
      <RecordHead
        kind="Payout"
        name={payerReference}
        amount={<Money amount={total} currency={currency} />}
        state={state}
        detail={description}
        why={sentence}
      >
        {state === 'Processing' ? (
          <Settle
            path={`payouts/${payout.id}`}
            name={payerReference}
            channel={undefined}
            outcomes={['Paid', 'Failed']}
            part="all open credits"
          />
        ) : null}
      </RecordHead>
      <Section title="Credits" extra={<CreditTotals payout={payout} />}>
        <Credits payout={payout} />
      </Section>
      <TimelineSection {...timeline} />
      <Section title="Facts" extra={<EntriesLink id={payout.id} />}>
        <Facts facts={factsOf(payout)} />
      </Section>
    </>
  );
}

function factsOf({ id, merchantId, payerName, debit, charges, currency, environment, ...rest }: PayoutView): Fact[] {
  return [
    ['Id', <Id key="id" id={id} />],
    ['Merchant', <MerchantName key="merchant" id={merchantId} />],
    ['Payer', payerName],
    ['Debited account', joinTexts([debit.accountName, debit.accountNumber, debit.bankName])],
    ['Bank reference', rest.payerBankReference],
    ['Charges', rest.unfunded ? null : <Money key="charges" amount={charges} currency={currency} />],
    ['Environment', environment],
  ];
}
