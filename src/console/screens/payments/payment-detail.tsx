import type { PaymentView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { type Fact, Facts, Id, MerchantName, Section, shortDuration } from '../../components/parts.tsx';
import { ADJUSTMENT_WORDS } from '../../record/adjustment-words.ts';
import { Adjustments } from '../../record/adjustments.tsx';
import { channelName } from '../../record/channel-names.ts';
import { EntriesLink } from '../../record/entries-link.tsx';
import { fetchTimeline, type RecordTimeline } from '../../record/fetch-timeline.ts';
import { Money } from '../../record/money.tsx';
import { PayerPage } from '../../record/payer-page.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';
import { Settle } from '../../record/settle.tsx';
import { Stations } from '../../record/stations.tsx';
import { TimelineSection } from '../../record/timeline.tsx';
import { payerPageOf } from './payer-page-of.ts';

export function PaymentDetail({ id }: { id: string }) {
  return <RecordDetail id={id} collection="payments" load={fetchPayment} show={showPayment} />;
}

const fetchPayment = (id: string) => fetchTimeline<PaymentView>('payments', id);

function showPayment(recordTimeline: RecordTimeline<PaymentView>) {
  const { record: payment, sentence } = recordTimeline;
  const isOpen = payment.state === 'Processing';
  return (
    <>
      <RecordHead
        kind={`Payment · ${channelName(payment.channel)}`}
        name={payment.payerReference}
        amount={<Money amount={payment.amount} currency={payment.currency} />}
        state={payment.state}
        detail={payment.description}
        why={sentence}
      >
        {isOpen ? (
          <Settle
            path={`payments/${payment.id}`}
            name={payment.payerReference}
            channel={payment.channel}
            outcomes={['Paid', 'Failed', 'Cancelled', 'Expired']}
          />
        ) : null}
        <Adjustments payment={payment} />
      </RecordHead>
      {isOpen ? <PayerSection payment={payment} /> : null}
      <Stations timeline={recordTimeline} />
      <TimelineSection {...recordTimeline} />
      {isOpen ? null : <PayerSection payment={payment} />}
      <Section title="Facts" extra={<EntriesLink id={payment.id} />}>
        <Facts facts={factsOf(payment)} />
      </Section>
    </>
  );
}

function PayerSection({ payment }: { payment: PaymentView }) {
  const page = payerPageOf(payment);
  return (
    <Section title="What the payer sees">
      <PayerPage
        text={page.address}
        url={page.address}
        label={page.label}
        hasQrCode={payment.paymentCode !== null && payment.state === 'Processing'}
      />
    </Section>
  );
}

/** States without fees, because the payment was not paid, or failed late and its fees were returned. */
const UNPAID: ReadonlySet<string> = new Set(['Failed', 'Cancelled', 'Expired']);

function factsOf(payment: PaymentView): Fact[] {
  const { state, currency, charges } = payment;
  return [
    ['Id', <Id key="id" id={payment.id} />],
    ['Payment id', payment.paymentId === null ? null : <Id key="payment-id" id={payment.paymentId} />],
    ['Payment code', payment.paymentCode === null ? null : <Id key="code" id={payment.paymentCode} />],
    ['Merchant', <MerchantName key="merchant" id={payment.merchantId} />],
    ['Payer', payment.payerName],
    ['Mobile number', payment.payerMobile],
    ['Test card', payment.testCard],
    [
      "Payer's balance",
      payment.payerBalance === undefined ? null : (
        <Money key="balance" amount={payment.payerBalance} currency={payment.currency} />
      ),
    ],
    ['Wallet name', payment.walletName],
    ['Charges', UNPAID.has(state) ? null : <Money key="charges" amount={charges} currency={currency} />],
    ['Environment', payment.environment],
    ['Status for the merchant', payment.status === payment.state ? null : payment.status],
    ['Late outcome', lateOutcomeOf(payment)],
    ['Planned adjustments', plannedAdjustmentsOf(payment)],
    ['Wrong PINs', payment.failedTries === 0 ? null : String(payment.failedTries)],
    ['Notifications', payment.webhookBehaviour.mode === 'normal' ? null : inWords(payment.webhookBehaviour.mode)],
    ...payment.shares.map(
      (share): Fact => [
        `Share of ${share.merchantId}`,
        <>
          <Money amount={share.amount} currency={payment.currency} /> ({share.percentage} %)
        </>,
      ],
    ),
  ];
}

function lateOutcomeOf({ lateOutcome }: PaymentView): string | null {
  if (lateOutcome === undefined) {
    return null;
  }
  const { outcome, after } = lateOutcome;
  return `${outcome} ${shortDuration(after)} after it ${outcome === 'Paid' ? 'fails or expires' : 'is paid'}`;
}

function plannedAdjustmentsOf({ plannedAdjustments = [], currency }: PaymentView): string | null {
  const planned = plannedAdjustments.map(({ kind, amount, after }) => {
    const part = amount === null ? '' : ` of ${amount} ${currency}`;
    return `${ADJUSTMENT_WORDS[kind].choice.toLowerCase()}${part} ${shortDuration(after)} after it is paid`;
  });
  return planned.length === 0 ? null : planned.join(', ');
}
