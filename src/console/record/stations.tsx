import type { ComponentChildren } from 'preact';
import type { PaymentView, RequestView } from '../../base/schema/control.ts';
import { inWords, lengthOf } from '../../base/text/words.ts';
import { pathOf } from '../address.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { Moment } from '../components/parts.tsx';
import { type Tone, toneOf, toneOfStatus } from '../components/state.tsx';
import { now } from '../facts.ts';
import { pathOfRecord } from '../records.ts';
import { ADJUSTMENTS } from './adjustment-words.ts';
import { causeInWords } from './causes.ts';
import type { Told } from './told.ts';
import { type Known, settlementOf, toldOfPayment } from './why.ts';

interface Leg {
  label: ComponentChildren;
  /** Gone, or still to come, or never gone. */
  kind: 'gone' | 'ahead' | 'never';
}

interface Station {
  name: string;
  icon: IconName;
  tone: Tone;
  words: ComponentChildren;
  isAhead?: boolean;
  /** To the next one. */
  leg?: Leg;
}

/** The way of a payment at one glance: from the shop by the sandbox and the payer to the shop's endpoint; what is to come is dashed. */
export function Stations({ known }: { known: Known }) {
  const { payment, call } = known;
  const told = toldOfPayment(known);
  const stations: Station[] = [
    shopOf(payment, call),
    sandboxOf(payment, call),
    payerOf(payment, told),
    webhookOf(told),
  ];
  return (
    <div class="stations">
      <ol aria-label="The path of this payment" data-testid="stations">
        {stations.map(({ name, icon, tone, words, isAhead = false, leg }) => (
          <li key={name} class={`${tone} ${isAhead ? 'ahead' : ''}`}>
            <span class="station-disc">
              <Icon name={icon} />
            </span>
            <div class="station-words">
              <p class="station-name">{name}</p>
              {words}
            </div>
            {leg === undefined ? null : (
              <p class={`leg ${leg.kind}`}>
                <span>{leg.label}</span>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What of a merchant's makes payments, and what its ids are read after. */
const ORIGINS = {
  link: { collection: 'links', name: 'Link ' },
  recurring: { collection: 'recurringPayments', name: 'Recurring payment ' },
  token: { collection: 'paymentTokens', name: 'Token ' },
  'shop-code': { collection: 'shopCodes', name: '' },
} as const;

function shopOf(payment: PaymentView, call: RequestView | undefined): Station {
  return {
    name: 'Shop',
    icon: 'shop',
    tone: 'good',
    words: <p>{originOf(payment, call)}</p>,
    leg: { label: <Moment at={payment.createdAt} />, kind: 'gone' },
  };
}

/** What made it: something of the merchant's, or a call, while that is in the log. */
function originOf({ origin, originId, merchantId }: PaymentView, call: RequestView | undefined): ComponentChildren {
  if (origin !== 'merchant' && originId !== null) {
    const { collection, name } = ORIGINS[origin];
    return <a href={pathOfRecord(collection, originId)}>{`${name}${originId}`}</a>;
  }
  return call === undefined ? (
    merchantId
  ) : (
    <a href={pathOf('requests', call.id)}>{inWords(call.operation ?? call.path)}</a>
  );
}

function sandboxOf(payment: PaymentView, call: RequestView | undefined): Station {
  const status = call?.answer?.status ?? null;
  return {
    name: 'Sandbox',
    icon: 'sandbox',
    tone: call === undefined ? 'good' : toneOfStatus(status),
    words: <p>{call === undefined ? 'Created' : status === null ? 'No answer' : `Answered ${status}`}</p>,
    leg: meansOf(payment),
  };
}

/** What leads a payer to the decision. */
function meansOf({ origin, testMode, paymentCode, channel }: PaymentView): Leg {
  if (origin === 'recurring' || testMode) {
    return { label: 'Not asked', kind: 'never' };
  }
  const page = channel === 'mobile-money' ? 'Phone' : "Payer's page";
  return { label: paymentCode === null ? page : 'QR code', kind: 'gone' };
}

function payerOf(payment: PaymentView, told: Told | undefined): Station {
  const { state, plannedOutcome, expiresAt, adjustments = [] } = payment;
  const settled = settlementOf(payment);
  if (state === 'Processing' || settled === undefined) {
    const next = [plannedOutcome?.at ?? null, expiresAt].filter((at) => at !== null).sort()[0];
    return {
      name: 'Payer',
      icon: 'payer',
      tone: 'wait',
      words: <p>Not decided</p>,
      isAhead: true,
      leg: { label: next === undefined ? '' : <Ahead at={next} />, kind: 'ahead' },
    };
  }
  const after = adjustments.at(-1);
  return {
    name: 'Payer',
    icon: 'payer',
    tone: after === undefined ? toneOf(settled.to) : ADJUSTMENTS[after.kind].tone,
    words: (
      <>
        <p>{decisionOf(settled)}</p>
        {after === undefined ? null : <p>{ADJUSTMENTS[after.kind].done}</p>}
      </>
    ),
    leg: { label: <Moment at={after?.at ?? settled.at} />, kind: told?.leg ?? 'gone' },
  };
}

function decisionOf(change: PaymentView['history'][number]): string {
  if (change.cause === 'clock') {
    return 'Did not decide';
  }
  return change.cause === 'payer' ? change.to : `${change.to} ${causeInWords(change)}`;
}

function webhookOf(told: Told | undefined): Station {
  const [name, icon] = ['Notification', 'deliveries'] as const;
  if (told === undefined) {
    return { name, icon, tone: 'none', words: <p>Not yet sent</p>, isAhead: true };
  }
  const { tone, brief, lastAt, nextAt } = told;
  return {
    name,
    icon,
    tone,
    isAhead: nextAt !== null,
    words: (
      <>
        <p>{brief}</p>
        {lastAt === null ? null : (
          <p>
            <Moment at={lastAt} />
          </p>
        )}
        {nextAt === null ? null : (
          <p>
            Next <Ahead at={nextAt} />
          </p>
        )}
      </>
    ),
  };
}

function Ahead({ at }: { at: string }) {
  return <span class="timeline-in">in {lengthOf(Date.parse(at) - now.value)}</span>;
}
