import type { ComponentChildren } from 'preact';
import type { PaymentView, TimelineEntry } from '../../base/schema/generated/control.ts';
import { capitalize, lengthInWords } from '../../base/text/words.ts';
import { pathOf } from '../address.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { Moment } from '../components/parts.tsx';
import { type Tone, toneOfStatus } from '../components/state.tsx';
import { pathOfRecord } from '../path-of-record.ts';
import { toneOfEvent } from '../screens/traffic/event-tone.ts';
import { now } from '../session-facts.ts';
import type { RecordTimeline } from './fetch-timeline.ts';
import { isCall } from './timeline.tsx';

interface Station {
  name: string;
  icon: IconName;
  tone: Tone;
  words: ComponentChildren;
  at?: string;
  /** The instant of its planned step, and the word that introduces it. */
  planned?: { word: string; at: string } | undefined;
  isAhead?: boolean;
  /** Whether the step to the next station was taken, is planned, or is missing. */
  leg?: 'done' | 'planned' | 'missing';
}

/** The path of a payment: shop, sandbox, payer, the party that adjusted it, and the shop's endpoint. */
export function Stations({ timeline: { record, entries } }: { timeline: RecordTimeline<PaymentView> }) {
  const { adjustments = [] } = record;
  const created = entries.find(({ kind }) => kind === 'payment.created');
  const call = entries.find((entry) => isCall(entry) && entry.requestId === created?.requestId);
  const changes = entries.filter(({ cause, isAhead }) => cause !== undefined && !isAhead);
  // The last changes are the adjustments.
  const decision = changes.slice(0, changes.length - adjustments.length).findLast(({ title }) => DECISIONS.has(title));
  const adjustment = adjustments.length === 0 ? undefined : changes.at(-1);
  const change = adjustment ?? decision;
  const notifications = entries.filter(
    ({ title, at }) => title.startsWith(`Notification ${change?.kind}`) && at >= (change?.at ?? ''),
  );
  const isAttempted = notifications.some(({ isAhead }) => !isAhead);
  const notificationLeg = isAttempted ? 'done' : notifications.length > 0 ? 'planned' : 'missing';
  const stations: Station[] = [
    shopOf(record, call),
    sandboxOf(record, call),
    decision === undefined
      ? undecidedPayer(record, entries)
      : { ...decidedPayer(record, decision), leg: adjustment === undefined ? notificationLeg : 'done' },
    ...(adjustment === undefined ? [] : [{ ...adjusterOf(adjustment), leg: notificationLeg } as const]),
    webhookOf(change !== undefined, notifications),
  ];
  return (
    <div class="stations">
      <ol aria-label="The path of this payment" data-testid="stations">
        {stations.map((station, index) => (
          <StationItem key={index} {...station} />
        ))}
      </ol>
    </div>
  );
}

function StationItem({ name, icon, tone, words, at, planned, isAhead = false, leg }: Station) {
  return (
    <li class={`${tone} ${isAhead ? 'ahead' : ''}`}>
      <span class="station-disc">
        <Icon name={icon} />
      </span>
      <div class="station-words">
        <p class="station-name">{name}</p>
        <p>{words}</p>
        {at === undefined ? null : (
          <p>
            <Moment at={at} />
          </p>
        )}
        {planned === undefined ? null : (
          <p>
            {planned.word} <span class="timeline-in">in {lengthInWords(Date.parse(planned.at) - now.value)}</span>
          </p>
        )}
      </div>
      {leg === undefined ? null : <span class={`leg ${leg}`} />}
    </li>
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
    words: originOf(payment, call),
    at: payment.createdAt,
    leg: 'done',
  };
}

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
    words: call === undefined ? 'Created' : status === null ? 'No answer' : `Answered ${status}`,
    at: call?.at ?? payment.createdAt,
    leg: isPayerAsked(payment) ? 'done' : 'missing',
  };
}

function isPayerAsked({ origin, testMode }: PaymentView): boolean {
  return origin !== 'recurring' && !testMode;
}

/** The page, phone or code with which the payer decides. */
function payerMeans({ paymentCode, channel }: PaymentView): string {
  if (paymentCode !== null) {
    return 'by QR code';
  }
  return channel === 'mobile-money' ? 'on the phone' : "on the payer's page";
}

/** Titles of outcomes; other steps of a payment have other titles. */
const DECISIONS: ReadonlySet<string> = new Set(['Paid', 'Failed', 'Cancelled', 'Expired']);
const PAYER = { name: 'Payer', icon: 'payer' } as const;

function undecidedPayer(payment: PaymentView, entries: readonly TimelineEntry[]): Station {
  const next = entries.find(({ kind, isAhead }) => isAhead && kind.startsWith('payment.'));
  return {
    ...PAYER,
    tone: 'wait',
    words: isPayerAsked(payment) ? `Asked ${payerMeans(payment)}` : 'Not asked',
    planned: next && { word: 'Ends', at: next.at },
    isAhead: true,
    leg: 'planned',
  };
}

function decidedPayer(payment: PaymentView, { kind, title, cause, at }: TimelineEntry): Station {
  const how = cause?.kind === 'payer' ? payerMeans(payment) : cause?.words;
  return {
    ...PAYER,
    tone: toneOfEvent(kind),
    words: cause?.kind === 'clock' ? 'Did not decide' : `${title} ${how}`,
    at,
  };
}

/** Who changes a paid payment, by the type of the event; default: the provider. */
const ADJUSTERS: Readonly<Record<string, Pick<Station, 'name' | 'icon'>>> = {
  'payment.refunded': { name: 'Shop', icon: 'shop' },
  'payment.charged-back': { name: "Payer's bank", icon: 'bank' },
  'payment.chargeback-reversed': { name: "Payer's bank", icon: 'bank' },
};

function adjusterOf({ kind, title, at }: TimelineEntry): Station {
  return { ...(ADJUSTERS[kind] ?? { name: 'Provider', icon: 'sandbox' }), tone: toneOfEvent(kind), words: title, at };
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
    words: last === undefined ? placeholder : capitalize(last.words),
    ...(last === undefined ? {} : { at: last.at }),
    planned: next && { word: 'Next', at: next.at },
  };
}
