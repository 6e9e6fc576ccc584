import type { PaymentTokenView } from '../../../base/schema/generated/control.ts';
import { Copy, Empty, type Fact, Facts, Id, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { channelName } from '../../record/channel-names.ts';
import { fetchWithPayments, type RecordWithPayments } from '../../record/fetch-with-payments.ts';
import { PaymentsOf } from '../../record/payments-of.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';
import { merchants, now } from '../../session-facts.ts';

const DEFINITION: ListDefinition<PaymentTokenView> = {
  screen: 'tokens',
  title: 'Tokens',
  about: 'A token is a stored payment method of a payer, which your code and recurring payments can charge again.',
  source: { path: 'payment-tokens', changes: 'paymentTokens' },
  filters: ['merchantId', 'reference'],
  filterButtons: [],
  row: ({ reference, channel, merchantId, createdAt, expiresAt }) => {
    // Not `value`, which would render every row again each second.
    const isExpired = Date.parse(expiresAt) <= now.peek();
    return {
      shape: <Shape tone={isExpired ? 'late' : 'active'} />,
      title: reference,
      detail: (
        <>
          {isExpired ? 'Expired' : 'Expires'} {expiresAt.slice(0, 10)} ·{' '}
          {channel === null ? 'token request' : channelName(channel)} · <MerchantName id={merchantId} />
        </>
      ),
      at: createdAt,
    };
  },
  empty: <Empty title="No payment tokens yet" />,
  detail: (id) => <RecordDetail id={id} collection="paymentTokens" hasPayments load={fetchToken} show={showToken} />,
};

export function Tokens() {
  const filterButtons = merchants.value.map(({ id, name }) => ({ value: id, label: name }));
  return <ListScreen definition={{ ...DEFINITION, filterButtons }} />;
}

const fetchToken = fetchWithPayments<PaymentTokenView>('payment-tokens', 'token');

function showToken({ record: token, payments }: RecordWithPayments<PaymentTokenView>) {
  return (
    <>
      <RecordHead
        kind="Payment token"
        name={token.reference}
        state={Date.parse(token.expiresAt) <= now.value ? 'Expired' : undefined}
        detail={token.channel === null ? 'Created without a payment' : channelName(token.channel)}
      />
      <Section title="Token">
        <p class="address">
          <span>{token.token}</span>
          <Copy text={token.token} label="Copy the token" />
        </p>
      </Section>
      <Section title="Payments">
        <PaymentsOf payments={payments} />
      </Section>
      <Section title="Facts">
        <Facts facts={factsOf(token)} />
      </Section>
    </>
  );
}

function factsOf(token: PaymentTokenView): Fact[] {
  return [
    ['Id', <Id key="id" id={token.id} />],
    ['Merchant', <MerchantName key="merchant" id={token.merchantId} />],
    ['Wallet name', token.walletName],
    ['Environment', token.environment],
    ['Created', <Moment key="created" at={token.createdAt} />],
    ['Expires', <Moment key="expires" at={token.expiresAt} />],
  ];
}
