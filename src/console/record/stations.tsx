import type { ComponentChildren } from 'preact';
import type { PaymentView, RequestView } from '../../base/schema/control.ts';
import { pathOf } from '../address.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { Moment } from '../components/parts.tsx';
import { type Tone, toneOf, toneOfStatus } from '../components/state.tsx';
import { now } from '../facts.ts';
import { inWords, lengthOf } from '../format.ts';
import { pathOfRecord } from '../records.ts';
import { ADJUSTMENTS } from './adjustment-words.ts';
import { CAUSES } from './causes.ts';
import type { Told } from './told.ts';
import { type Known, settlementOf, toldOfPayment } from './why.ts';

interface Leg {
  label: ComponentChildren;
  isAhead: boolean;
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
  const stations: Station[] = [
    shopOf(payment, call),
    sandboxOf(payment, call),
    payerOf(payment),
    webhookOf(toldOfPayment(known)),
  ];
  return (
    <div class="stations">
      <ol aria-label="The way of this payment" data-testid="stations">
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
              <p class={`leg ${leg.isAhead ? 'ahead' : ''}`}>
                <span>{leg.label}</span>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function shopOf({ origin, originId, createdAt }: PaymentView, call: RequestView | undefined): Station {
  const collection = {
    link: 'links',
    recurring: 'recurringPayments',
    token: 'paymentTokens',
    'shop-code': 'shopCodes',
  };
  const made = origin === 'merchant' ? undefined : pathOfRecord(collection[origin], originId);
  return {
    name: 'Shop',
    icon: 'shop',
    tone: 'good',
    words: (
      <p>
        {made === undefined ? null : <a href={made}>{inWords(origin)}</a>}
        {made === undefined && call !== undefined ? (
          <a href={pathOf('requests', call.id)}>{inWords(call.operation ?? call.path)}</a>
        ) : null}
      </p>
    ),
    leg: { label: <Moment at={createdAt} />, isAhead: false },
  };
}

function sandboxOf(payment: PaymentView, call: RequestView | undefined): Station {
  const status = call?.answer?.status ?? null;
  return {
    name: 'Sandbox',
    icon: 'sandbox',
    tone: call === undefined ? 'good' : toneOfStatus(status),
    words: <p>{call === undefined ? 'Created' : status === null ? 'No answer' : `Answered ${status}`}</p>,
    leg: { label: meansOf(payment), isAhead: false },
  };
}

/** What leads a payer to the decision. */
function meansOf({ origin, testMode, paymentCode, channel }: PaymentView): string {
  if (origin === 'recurring' || testMode) {
    return 'Not asked';
  }
  if (paymentCode !== null) {
    return 'QR code';
  }
  return channel === 'mobile-money' ? 'Phone' : "Payer's page";
}

function payerOf(payment: PaymentView): Station {
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
      leg: { label: next === undefined ? '' : <Ahead at={next} />, isAhead: true },
    };
  }
  const after = adjustments.at(-1);
  return {
    name: 'Payer',
    icon: 'payer',
    tone: after === undefined ? toneOf(settled.to) : ADJUSTMENTS[after.kind].tone,
    words: (
      <>
        <p>
          {settled.to} {CAUSES[settled.cause] ?? settled.cause}
        </p>
        {after === undefined ? null : <p>{ADJUSTMENTS[after.kind].done}</p>}
      </>
    ),
    leg: { label: <Moment at={after?.at ?? settled.at} />, isAhead: false },
  };
}

function webhookOf(told: Told | undefined): Station {
  const [name, icon] = ['Webhook', 'deliveries'] as const;
  if (told === undefined) {
    return { name, icon, tone: 'none', words: <p>To come</p>, isAhead: true };
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
