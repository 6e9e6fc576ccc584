import type { ComponentChildren } from 'preact';
import type { PaymentView, TimelineEntry } from '../../base/schema/generated/control.ts';
import { capitalize, lengthInWords } from '../../base/text/words.ts';
import { pathOf } from '../address.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { Moment } from '../components/parts.tsx';
import { type Tone, toneOfStatus } from '../components/state.tsx';
import { pathOfRecord } from '../record-paths.ts';
import { toneOfEvent } from '../screens/traffic/event-tone.ts';
import { now } from '../session-facts.ts';
import type { RecordTimeline } from './fetch-timeline.ts';
import { isCall } from './timeline.tsx';

interface Leg {
  label: ComponentChildren;
  /** Whether the step was made, is planned, or will never be made. */
  kind: 'gone' | 'ahead' | 'never';
}

interface Station {
  name: string;
  icon: IconName;
  tone: Tone;
  words: ComponentChildren;
  isAhead?: boolean;
  /** The step to the next station. */
  leg?: Leg;
}

type Payment = RecordTimeline<PaymentView>;

/** The path of a payment: shop, sandbox, payer, and the shop's endpoint. Planned steps are dashed. */
export function Stations({ payment }: { payment: Payment }) {
  const { record, entries } = payment;
  const created = entries.find(({ kind }) => kind === 'payment.created');
  const call = entries.find((entry) => isCall(entry) && entry.requestId === created?.requestId);
  const changes = entries.filter(({ cause, isAhead }) => cause !== undefined && !isAhead);
  const change = record.state === 'Processing' ? undefined : changes.at(-1);
  const notifications = entries.filter(
    ({ title, at }) => title.startsWith(`Notification ${change?.kind}`) && at >= (change?.at ?? ''),
  );
  const stations: Station[] = [
    shopOf(record, call),
    sandboxOf(record, call),
    payerOf(entries, changes, notifications.length > 0),
    webhookOf(change !== undefined, notifications),
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

/** Records that create payments, with the words before their ids. */
const ORIGINS = {
  link: { collection: 'links', name: 'Link ' },
  recurring: { collection: 'recurringPayments', name: 'Recurring payment ' },
  token: { collection: 'paymentTokens', name: 'Token ' },
  'shop-code': { collection: 'shopCodes', name: '' },
} as const;

function shopOf(payment: PaymentView, call: TimelineEntry | undefined): Station {
  return {
    name: 'Shop',
    icon: 'shop',
    tone: 'good',
    words: <p>{originOf(payment, call)}</p>,
    leg: { label: <Moment at={payment.createdAt} />, kind: 'gone' },
  };
}

/** The origin of the payment: another record of the merchant, or a call that is still in the log. */
function originOf({ origin, originId, merchantId }: PaymentView, call: TimelineEntry | undefined): ComponentChildren {
  if (origin !== 'merchant' && originId !== null) {
    const { collection, name } = ORIGINS[origin];
    return <a href={pathOfRecord(collection, originId)}>{`${name}${originId}`}</a>;
  }
  return call === undefined ? merchantId : <a href={pathOf('traffic', call.requestId)}>{call.title}</a>;
}

function sandboxOf(payment: PaymentView, call: TimelineEntry | undefined): Station {
  const status = call?.status ?? null;
  return {
    name: 'Sandbox',
    icon: 'sandbox',
    tone: call === undefined ? 'good' : toneOfStatus(status),
    words: <p>{call === undefined ? 'Created' : status === null ? 'No answer' : `Answered ${status}`}</p>,
    leg: payerLegOf(payment),
  };
}

/** The page or code that leads a payer to the decision. */
function payerLegOf({ origin, testMode, paymentCode, channel }: PaymentView): Leg {
  if (origin === 'recurring' || testMode) {
    return { label: 'Not asked', kind: 'never' };
  }
  const page = channel === 'mobile-money' ? 'Phone' : "Payer's page";
  return { label: paymentCode === null ? page : 'QR code', kind: 'gone' };
}

/** Titles of outcomes; adjustments have other titles. */
const DECISIONS: ReadonlySet<string> = new Set(['Paid', 'Failed', 'Cancelled', 'Expired']);

function payerOf(entries: readonly TimelineEntry[], changes: readonly TimelineEntry[], isSent: boolean): Station {
  const place = changes.findLastIndex(({ title }) => DECISIONS.has(title));
  const [decided, after] = [changes[place], changes.slice(place + 1).at(-1)];
  if (decided === undefined) {
    const next = entries.find(({ kind, isAhead }) => isAhead && kind.startsWith('payment.'));
    return {
      name: 'Payer',
      icon: 'payer',
      tone: 'wait',
      words: <p>Not decided</p>,
      isAhead: true,
      leg: { label: next === undefined ? '' : <PlannedTime at={next.at} />, kind: 'ahead' },
    };
  }
  const last = after ?? decided;
  return {
    name: 'Payer',
    icon: 'payer',
    tone: toneOfEvent(last.kind),
    words: (
      <>
        <p>{decisionOf(decided)}</p>
        {after === undefined ? null : <p>{after.title}</p>}
      </>
    ),
    leg: { label: <Moment at={last.at} />, kind: isSent ? 'gone' : 'never' },
  };
}

function decisionOf({ title, cause }: TimelineEntry): string {
  if (cause?.kind === 'clock') {
    return 'Did not decide';
  }
  return cause?.kind === 'payer' ? title : `${title} ${cause?.words}`;
}

/** The notification of the last change: its last attempt and the next one. */
function webhookOf(isDecided: boolean, notifications: readonly TimelineEntry[]): Station {
  const last = notifications.findLast(({ isAhead }) => !isAhead);
  const next = notifications.find(({ isAhead }) => isAhead);
  const placeholder = isDecided && next === undefined ? 'No endpoint' : 'Not yet sent';
  return {
    name: 'Notification',
    icon: 'deliveries',
    tone: last === undefined ? (next === undefined ? 'none' : 'wait') : toneOfEvent(last.kind),
    isAhead: !isDecided || next !== undefined,
    words: (
      <>
        <p>{last === undefined ? placeholder : capitalize(last.words)}</p>
        {last === undefined ? null : (
          <p>
            <Moment at={last.at} />
          </p>
        )}
        {next === undefined ? null : (
          <p>
            Next <PlannedTime at={next.at} />
          </p>
        )}
      </>
    ),
  };
}

function PlannedTime({ at }: { at: string }) {
  return <span class="timeline-in">in {lengthInWords(Date.parse(at) - now.value)}</span>;
}
