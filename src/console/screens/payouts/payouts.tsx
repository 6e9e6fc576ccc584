import type { PayoutView } from '../../../schema/control.ts';
import { ask } from '../../api.ts';
import { Empty, type Fact, Facts, listed, Moment, Section } from '../../components/parts.tsx';
import { Shape, StateWord, toneOf } from '../../components/state.tsx';
import { plural } from '../../format.ts';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { RecordHead } from '../../record/head.tsx';
import { Kinds } from '../../record/kinds.tsx';
import { Money } from '../../record/money.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { Settle } from '../../record/settle.tsx';
import { Timeline } from '../../record/timeline.tsx';
import { fetchWay, stepsOf, type Way } from '../../record/way.tsx';

const DEFINITION: ListDefinition<PayoutView> = {
  screen: 'payouts',
  title: 'Payouts',
  source: { path: 'payouts', collection: 'payouts' },
  filters: ['state', 'merchantId', 'environment', 'payerReference'],
  offered: ['Processing', 'Paid', 'Failed'],
  row: ({ state, payerReference, description, credits, total, currency, createdAt }) => ({
    shape: <Shape tone={toneOf(state)} />,
    title: payerReference,
    detail: (
      <>
        <StateWord state={state} /> · {plural(credits.length, 'credit')} · <bdi>{description}</bdi>
      </>
    ),
    value: <Money amount={total} currency={currency} />,
    at: createdAt,
  }),
  empty: (
    <Empty title="No payouts yet">
      <p>A payout debits a bank account and credits several others.</p>
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
      >
        {state === 'Processing' ? (
          <Settle
            path={`payouts/${payout.id}`}
            name={payerReference}
            channel={undefined}
            outcomes={['Paid', 'Failed']}
          />
        ) : null}
      </RecordHead>
      <Section title="Credits">
        <Credits payout={payout} />
      </Section>
      <Section title="Timeline" extra={<span class="quiet">UTC</span>}>
        <Timeline steps={stepsOf(way, payout.history)} />
      </Section>
      <Section title="Facts">
        <Facts facts={factsOf(payout)} />
      </Section>
    </>
  );
}

function Credits({ payout: { credits, currency } }: { payout: PayoutView }) {
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th>To</th>
            <th>Bank</th>
            <th>Account</th>
            <th class="number">Amount</th>
          </tr>
        </thead>
        <tbody>
          {credits.map((credit) => (
            <tr key={`${credit.accountNumber} ${credit.amount}`}>
              <td>
                <bdi>{credit.accountName}</bdi>
                {credit.merchantId === null ? null : ` (${credit.merchantId})`}
              </td>
              <td>
                <bdi>{credit.bankName}</bdi> <bdi>{credit.bankBICCode}</bdi>
              </td>
              <td>{credit.accountNumber}</td>
              <td class="number">
                <Money amount={credit.amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function factsOf({
  id,
  merchantId,
  payerName,
  debit,
  charges,
  currency,
  environment,
  createdAt,
  ...rest
}: PayoutView): Fact[] {
  return [
    ['Id', <code key="id">{id}</code>],
    ['Merchant', merchantId],
    ['Payer', payerName],
    ['Debited account', listed([debit.accountName, debit.accountNumber, debit.bankName])],
    ['Bank reference', rest.payerBankReference],
    ['Charges', <Money key="charges" amount={charges} currency={currency} />],
    ['Environment', environment],
    ['Created', <Moment key="created" at={createdAt} />],
    ['Problem', rest.failure?.reason],
  ];
}
