import type { LinkView, PaymentView } from '../../../base/schema/generated/control.ts';
import { capitalize } from '../../../base/text/words.ts';
import { ask, type ListPage } from '../../api.ts';
import { Empty, type Fact, Facts, Id, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { RecordHead } from '../../record/head.tsx';
import { Money } from '../../record/money.tsx';
import { PayerPage } from '../../record/payer-page.tsx';
import { PaymentsOf } from '../../record/payments-of.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';

const TYPES = {
  ONCE_OFF_FIXED: 'paid once',
  OPEN_FIXED_AMOUNT: 'fixed amount',
  OPEN_DYNAMIC_AMOUNT: 'any amount',
} as const;

const DEFINITION: ListDefinition<LinkView> = {
  screen: 'links',
  title: 'Links',
  source: { path: 'links', changes: 'links' },
  filters: ['type', 'merchantId', 'reference', 'environment'],
  offered: Object.entries(TYPES).map(([value, words]) => ({ value, label: capitalize(words) })),
  row: ({ reference, name, type, paid, amount, currency, createdAt }) => ({
    shape: <Shape tone={paid ? 'good' : 'wait'} />,
    title: reference,
    detail: (
      <>
        {paid ? 'Paid' : TYPES[type]} · <bdi>{name}</bdi>
      </>
    ),
    value: <Money amount={amount} currency={currency} />,
    at: createdAt,
  }),
  empty: (
    <Empty title="No payment links yet">
      <p>A payment link is a page that anyone can pay on.</p>
    </Empty>
  ),
  detail: (id) => <RecordDetail id={id} collection="links" hasPayments load={fetchLink} show={showLink} />,
};

export function Links() {
  return <ListScreen definition={DEFINITION} />;
}

interface LinkAndPayments {
  link: LinkView;
  payments: readonly PaymentView[];
}

async function fetchLink(id: string): Promise<LinkAndPayments> {
  const link = await ask<LinkView>('GET', `links/${encodeURIComponent(id)}`);
  const page = await ask<ListPage<PaymentView>>('GET', 'payments', { query: { origin: 'link', originId: link.id } });
  return { link, payments: page.items };
}

function showLink({ link, payments }: LinkAndPayments) {
  return (
    <>
      <RecordHead
        kind="Payment link"
        name={link.reference}
        amount={<Money amount={link.amount} currency={link.currency} />}
        state={link.paid ? 'Paid' : undefined}
        detail={link.name}
      />
      <Section title="What the payer sees">
        <PayerPage text={link.url} url={link.url} label="Open the page" />
      </Section>
      <Section title="Payments">
        <PaymentsOf payments={payments} />
      </Section>
      <Section title="Facts">
        <Facts facts={factsOf(link)} />
      </Section>
    </>
  );
}

function factsOf(link: LinkView): Fact[] {
  return [
    ['Id', <Id key="id" id={link.id} />],
    ['Merchant', <MerchantName key="merchant" id={link.merchantId} />],
    ['Type', TYPES[link.type]],
    ['Description', link.description],
    ['Valid', `${link.startDate} to ${link.endDate}`],
    ['Other currencies', link.otherCurrencies ? 'yes' : 'no'],
    ['Redirect when paid', link.successUrl],
    ['Redirect when failed', link.failureUrl],
    ['E-mail', link.email],
    ['Payer', link.payer.fullNames],
    ['Environment', link.environment],
    ['Created', <Moment key="created" at={link.createdAt} />],
    ['Changed', link.updatedAt === link.createdAt ? null : <Moment key="changed" at={link.updatedAt} />],
  ];
}
