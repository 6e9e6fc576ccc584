import { computed, effect, signal } from '@preact/signals';
import type { PaymentView } from '../../base/schema/generated/control.ts';
import { ask } from '../api.ts';
import { RECORD_KINDS } from '../record-kinds.ts';
import { clock } from '../session-facts.ts';
import { onNotice } from '../stream.ts';

const EFFECTS: Readonly<Record<string, string>> = {
  'settle-payment': 'ends',
  'settle-payout': 'is decided',
  'settle-merchant': 'is due',
  'charge-recurring-payment': 'is charged',
  'attempt-delivery': 'is attempted',
};

/** Number of resets and restarts seen, because ids are reused after them. */
const resetCount = signal(0);
/** Identifies the record that is due next. */
const dueKey = computed(() => {
  const next = clock.value?.next ?? null;
  return next === null ? '' : `${next.collection} ${next.recordId} ${clock.value?.nextDue} ${resetCount.value}`;
});
const dueRecord = signal<{ key: string; reference: string; record?: unknown }>({ key: '', reference: '' });

/** Fetches the record of the next due job, and again when another record is next or after a reset, but not when this one changes. */
export function followNextJob(): void {
  const countReset = () => {
    resetCount.value += 1;
  };
  onNotice('over', countReset);
  onNotice('restarted', countReset);
  effect(() => {
    const requested = dueKey.value;
    const [collection = '', id = ''] = requested.split(' ');
    const kind = RECORD_KINDS[collection];
    if (kind !== undefined) {
      ask('GET', `${kind.path}/${encodeURIComponent(id)}`).then(
        (record) => {
          dueRecord.value = { key: requested, reference: kind.referenceOf(record), record };
        },
        () => undefined,
      );
    }
  });
}

const OUTCOMES: Readonly<Record<string, string>> = {
  Paid: 'is paid',
  Failed: 'fails',
  Cancelled: 'is cancelled',
  Expired: 'expires',
};

export interface NextJob {
  recordKind: string;
  /** The reference of its record; empty until the record is fetched, or if it cannot be. */
  reference: string;
  effect: string;
  /** Whether it expires a payment that its payer could still decide; assumed until the payment is fetched. */
  isExpiry: boolean;
}

export function describeNextJob(): NextJob {
  const next = clock.value?.next ?? null;
  if (next === null) {
    return { recordKind: 'something', reference: '', effect: 'is due', isExpiry: false };
  }
  const { reference, record } = dueRecord.value.key === dueKey.value ? dueRecord.value : { reference: '' };
  const isPayment = next.kind === 'settle-payment';
  const payment = isPayment ? (record as PaymentView | undefined) : undefined;
  const planned = payment && dueOutcomeOf(payment, clock.value?.nextDue ?? '');
  const isExpiry = isPayment && planned === undefined && (payment === undefined || payment.state === 'Processing');
  const outcome = planned ?? (isExpiry ? 'Expired' : undefined);
  const effect = payment ? (outcome === undefined ? 'is adjusted' : OUTCOMES[outcome]) : EFFECTS[next.kind];
  return { recordKind: RECORD_KINDS[next.collection]?.name ?? '', reference, effect: effect ?? 'is due', isExpiry };
}

/** The planned outcome that is due by this time; undefined if the payment expires without one, or is adjusted. */
function dueOutcomeOf({ plannedOutcome }: PaymentView, due: string): string | undefined {
  const isDue = plannedOutcome !== null && Date.parse(plannedOutcome.at) <= Date.parse(due);
  return isDue ? plannedOutcome.outcome : undefined;
}
