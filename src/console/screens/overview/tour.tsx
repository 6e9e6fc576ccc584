import type { ComponentChildren } from 'preact';
import type { DeliveryView, OverviewView, PaymentView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { ask, type ListPage } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Shape } from '../../components/state.tsx';
import { AddEndpointButtons } from '../../record/add-endpoint-buttons.tsx';
import { BeThePayer } from '../../record/be-the-payer.tsx';
import { channelName } from '../../record/channel-names.ts';
import { Money } from '../../record/money.tsx';
import { merchants } from '../../session-facts.ts';
import { attempt } from '../../toasts.ts';
import { useSessionData } from '../../use-session-data.ts';
import { addCatchEndpoint } from '../../webhook-endpoints.ts';
import { EXAMPLE_CREDENTIALS, sendExample } from './example-call.ts';
import { fetchOverview } from './fetch-overview.ts';
import { PayFromYourCode } from './pay-from-your-code.tsx';

/** The newest records of each kind, which the tour uses. */
interface TourRecords {
  payment: PaymentView | undefined;
  /** A payment that waits for its payer. */
  waiting: PaymentView | undefined;
  delivery: DeliveryView | undefined;
}

async function fetchRecords(): Promise<TourRecords> {
  const newest = async <Item,>(path: string, filter = {}) =>
    (await ask<ListPage<Item>>('GET', path, { query: { limit: 1, ...filter } })).items[0];
  const [payment, waiting, delivery] = await Promise.all([
    newest<PaymentView>('payments'),
    newest<PaymentView>('payments', { state: 'Processing' }),
    newest<DeliveryView>('webhooks/deliveries', { state: 'delivered' }),
  ]);
  return { payment, waiting, delivery };
}

/** Three steps to the first notification. A step is ticked once it was done in the session, here or elsewhere. */
export function Tour({ overview, onClose }: { overview: OverviewView; onClose(): void }) {
  const { value: records } = useSessionData(fetchRecords);
  if (records === undefined) {
    return <section class="tour" aria-busy="true" aria-label="Tour" />;
  }
  const { payment, waiting, delivery } = records;
  const done = [payment !== undefined, payment !== undefined && waiting === undefined, delivery !== undefined];
  const isComplete = !done.includes(false);
  const current = done.indexOf(false);
  const stepOf = (index: number) => ({ number: index + 1, isDone: done[index] ?? false, isCurrent: index === current });
  return (
    <section class="tour" aria-label="Tour" data-testid="tour">
      <header>
        <h2>{isComplete ? 'That is a payment from start to finish' : 'A payment in three steps'}</h2>
        <button type="button" class={isComplete ? 'button' : 'bare'} aria-label="Close the tour" onClick={onClose}>
          {isComplete ? 'Close the tour' : <Icon name="cross" />}
        </button>
      </header>
      <ol class="tour-steps">
        <Step {...stepOf(0)} title="Make a payment">
          <PaymentStep payment={payment} overview={overview} />
        </Step>
        <Step {...stepOf(1)} title="Be the payer">
          <PayerStep payment={payment} waiting={waiting} />
        </Step>
        <Step {...stepOf(2)} title="See the notification">
          <NotificationStep records={records} overview={overview} />
        </Step>
      </ol>
      {payment === undefined ? <PayFromYourCode hasExample={hasExampleMerchant()} /> : null}
    </section>
  );
}

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  isCurrent: boolean;
  children: ComponentChildren;
}

function Step({ number, title, isDone, isCurrent, children }: StepProps) {
  return (
    <li class={`tour-step ${isDone ? 'done' : ''}`} aria-current={isCurrent ? 'step' : undefined}>
      <p class="tour-number">
        {isDone ? <Shape tone="good" /> : <span aria-hidden="true">{number}</span>}
        {isDone ? <span class="visually-hidden">Done: </span> : null}
      </p>
      <h3>{title}</h3>
      {children}
    </li>
  );
}

/** Whether the example payment works: a user's fixtures may lack the merchant whose credentials it uses. */
function hasExampleMerchant(): boolean {
  return merchants.value.some(({ id }) => id === EXAMPLE_CREDENTIALS.merchantId);
}

function PaymentStep({ payment, overview }: { payment: PaymentView | undefined; overview: OverviewView }) {
  if (payment !== undefined) {
    return (
      <p>
        <a href={pathOf('payments', payment.id)}>{payment.payerReference}</a>:{' '}
        <Money amount={payment.amount} currency={payment.currency} /> on {channelName(payment.channel)}.
      </p>
    );
  }
  const { payments, deliveries } = overview;
  return hasExampleMerchant() ? (
    <>
      <p>
        Your shop calls the sandbox as it would call the provider. Send such a call from here
        {deliveries.endpoints === 0 ? '. Its notification is caught here.' : '.'}
      </p>
      <SendButton paymentCount={payments.count}>Send a payment</SendButton>
    </>
  ) : (
    <>
      <p>Your shop calls the sandbox as it would call the provider. Send such a call from here.</p>
      <a class="button primary large" href={pathOf('try')}>
        Send a call
      </a>
    </>
  );
}

/** Sends a payment. Adds an endpoint first if the session has none, because its notification could not be sent otherwise. */
function SendButton({ paymentCount, children }: { paymentCount: number; children: string }) {
  const send = () =>
    attempt(async () => {
      const { deliveries } = await fetchOverview();
      if (deliveries.endpoints === 0) {
        await addCatchEndpoint();
      }
      await sendExample(paymentCount);
    });
  return (
    <button type="button" class="button primary large" onClick={send}>
      <Icon name="send" />
      {children}
    </button>
  );
}

function PayerStep({ payment, waiting }: Pick<TourRecords, 'payment' | 'waiting'>) {
  if (waiting !== undefined) {
    return (
      <>
        <p>
          <bdi>{waiting.payerReference}</bdi> is waiting for its payer. Open what the payer sees, and approve or cancel
          it.
        </p>
        <BeThePayer payment={waiting} />
      </>
    );
  }
  return payment === undefined ? (
    <p>Approve or cancel it on the payer's page or phone.</p>
  ) : (
    <p>
      <a href={pathOf('payments', payment.id)}>{payment.payerReference}</a> is {inWords(payment.state).toLowerCase()}.
    </p>
  );
}

function NotificationStep({ records, overview }: { records: TourRecords; overview: OverviewView }) {
  const { payment, waiting, delivery } = records;
  const { endpoints } = overview.deliveries;
  if (delivery !== undefined) {
    return (
      <p>
        <a href={pathOf('traffic', delivery.id)}>{delivery.type}</a> of {delivery.subjectId}: what was sent, how it was
        signed, and how it was answered.
      </p>
    );
  }
  if (endpoints === 0) {
    return (
      <>
        <p>There is no endpoint to notify. Catch notifications here, or set an endpoint of your own.</p>
        <div class="button-row">
          <AddEndpointButtons />
        </div>
      </>
    );
  }
  return payment !== undefined && waiting === undefined && overview.deliveries.count === 0 ? (
    <>
      <p>The payment was decided before there was an endpoint. The next one will be notified.</p>
      <SendButton paymentCount={overview.payments.count}>Send another payment</SendButton>
    </>
  ) : (
    <p>When the payment is paid or cancelled, its notification appears here.</p>
  );
}
