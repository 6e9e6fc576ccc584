import type { LinkView } from '../../../base/schema/generated/control.ts';
import { pathOf } from '../../address.ts';
import { Icon } from '../../components/icon.tsx';
import { Empty, type Fact, Facts, Id, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { fetchWithPayments, type RecordWithPayments } from '../../record/fetch-with-payments.ts';
import { Money } from '../../record/money.tsx';
import { PayerPage } from '../../record/payer-page.tsx';
import { PaymentsOf } from '../../record/payments-of.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';

const TYPES = {
  ONCE_OFF_FIXED: { label: 'Single payment', words: 'one payment, of a fixed amount' },
  OPEN_FIXED_AMOUNT: { label: 'Fixed amount', words: 'any number of payments, of a fixed amount' },
  OPEN_DYNAMIC_AMOUNT: { label: 'Suggested amount', words: 'any number of payments; the payer can change the amount' },
} as const;

const DEFINITION: ListDefinition<LinkView> = {
  screen: 'links',
  title: 'Links',
  about: 'Payment links of merchants: each is a web page on which anyone can pay, once or any number of times.',
  source: { path: 'links', changes: 'links' },
  filters: ['type', 'merchantId', 'reference', 'environment'],
  filterButtons: Object.entries(TYPES).map(([value, { label }]) => ({ value, label })),
  row: ({ reference, name, type, paid, amount, currency, createdAt }) => ({
    shape: <Shape tone={type !== 'ONCE_OFF_FIXED' ? 'active' : paid ? 'good' : 'wait'} />,
    title: reference,
    detail: (
      <>
        {type === 'ONCE_OFF_FIXED' ? `${paid ? 1 : 0} of 1 payment` : TYPES[type].label} · <bdi>{name}</bdi>
      </>
    ),
    value: <Money amount={amount} currency={currency} />,
    at: createdAt,
  }),
  empty: <Empty title="No payment links yet" />,
  actions: (
    <a class="button" href={pathOf('try', 'saveFastCheckout')}>
      <Icon name="plus" />
      New link
    </a>
  ),
  detail: (id) => <RecordDetail id={id} collection="links" hasPayments load={fetchLink} show={showLink} />,
};

export function Links() {
  return <ListScreen definition={DEFINITION} />;
}

const fetchLink = fetchWithPayments<LinkView>('links', 'link');

function showLink({ record: link, payments }: RecordWithPayments<LinkView>) {
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
    ['Takes', TYPES[link.type].words],
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
