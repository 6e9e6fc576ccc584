import type { PayoutView } from '../../../base/schema/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { ask } from '../../api.ts';
import { Empty, type Fact, Facts, Id, listed, MerchantName, Section, ZoneName } from '../../components/parts.tsx';
import { Shape, StateWord, toneOf } from '../../components/state.tsx';
import { now } from '../../facts.ts';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { EntriesLink } from '../../record/entries-link.tsx';
import { RecordHead } from '../../record/head.tsx';
import { Kinds } from '../../record/kinds.tsx';
import { Money } from '../../record/money.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { Settle } from '../../record/settle.tsx';
import { Timeline } from '../../record/timeline.tsx';
import { type Change, fetchWay, stepsOf, type Way } from '../../record/way.tsx';
import { whyOfPayout } from '../../record/why-payout.ts';
import { Credits, Totals } from './credits.tsx';

const DEFINITION: ListDefinition<PayoutView> = {
  screen: 'payouts',
  title: 'Payouts',
  one: 'a payout',
  source: { path: 'payouts', collection: 'payouts' },
  filters: ['state', 'merchantId', 'environment', 'payerReference'],
  offered: ['Processing', 'Paid', 'PartlyPaid', 'Failed'],
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
  empty: (
    <Empty title="No payouts yet">
      <p>A payout debits a bank account and credits one or more others.</p>
    </Empty>
  ),
  detail: (id) => <RecordDetail id={id} collection="payouts" load={fetchPayout} show={showPayout} />,
  above: <Kinds screen="payouts" />,
};

export function Payouts() {
  return <ListScreen definition={DEFINITION} />;
}

interface Shown {
  payout: PayoutView;
  way: Way;
}

async function fetchPayout(id: string): Promise<Shown> {
  const payout = await ask<PayoutView>('GET', `payouts/${encodeURIComponent(id)}`);
  return { payout, way: await fetchWay(payout.id, payout.payerReference) };
}

function showPayout({ payout, way }: Shown) {
  const { total, currency, state, payerReference, description } = payout;
  return (
    <>
      <RecordHead
        kind="Payout"
        name={payerReference}
        amount={<Money amount={total} currency={currency} />}
        state={state}
        detail={description}
        why={whyOfPayout({ ...way, payout, now: now.value })}
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
      <Section title="Credits" extra={<Totals payout={payout} />}>
        <Credits payout={payout} />
      </Section>
      <Section title="Timeline" extra={<ZoneName />}>
        <Timeline steps={stepsOf(way, changesOf(payout))} />
      </Section>
      <Section title="Facts" extra={<EntriesLink id={payout.id} />}>
        <Facts facts={factsOf(payout)} />
      </Section>
    </>
  );
}

/** A long timeline shows the payout's own changes alone: the credits say what became of each. */
const MOST_CREDITS = 20;

function changesOf({ history, credits }: PayoutView): Change[] {
  const ofCredits = credits.flatMap((credit, index) => credit.history.map((step) => ({ ...step, credit: index + 1 })));
  return credits.length > MOST_CREDITS ? history : [...ofCredits, ...history];
}

function factsOf({ id, merchantId, payerName, debit, charges, currency, environment, ...rest }: PayoutView): Fact[] {
  return [
    ['Id', <Id key="id" id={id} />],
    ['Merchant', <MerchantName key="merchant" id={merchantId} />],
    ['Payer', payerName],
    ['Debited account', listed([debit.accountName, debit.accountNumber, debit.bankName])],
    ['Bank reference', rest.payerBankReference],
    ['Charges', rest.unfunded ? null : <Money key="charges" amount={charges} currency={currency} />],
    ['Environment', environment],
  ];
}
