import { computed, effect, signal } from '@preact/signals';
import type { DeliveryView, PaymentView, RecurringPaymentView, SettlementView } from '../../base/schema/control.ts';
import { ask } from '../api.ts';
import { clock } from '../session-facts.ts';
import { onNotice } from '../stream.ts';

const ENDS: Readonly<Record<string, string>> = {
  'settle-payment': 'ends',
  'settle-payout': 'is settled',
  'settle-merchant': 'is due',
  'charge-recurring-payment': 'is charged',
  'attempt-delivery': 'is sent',
};

interface Kind {
  name: string;
  path: string;
  /** The reference of such a record. */
  referenceOf(record: unknown): string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  payments: { name: 'payment', path: 'payments', referenceOf: (record) => (record as PaymentView).payerReference },
  payouts: { name: 'payout', path: 'payouts', referenceOf: (record) => (record as PaymentView).payerReference },
  settlements: {
    name: 'settlement',
    path: 'settlements',
    referenceOf: (record) => (record as SettlementView).businessDate,
  },
  recurringPayments: {
    name: 'recurring payment',
    path: 'recurring-payments',
    referenceOf: (record) => (record as RecurringPaymentView).reference,
  },
  deliveries: {
    name: 'notification',
    path: 'webhooks/deliveries',
    referenceOf: (record) => (record as DeliveryView).type,
  },
};

/** Number of resets seen, because ids are reused after a reset. */
const beginnings = signal(0);
/** The record that is due next, as the clock names it. */
const due = computed(() => {
  const next = clock.value?.next ?? null;
  return next === null ? '' : `${next.collection} ${next.recordId} ${beginnings.value}`;
});
const known = signal({ due: '', reference: '' });

/** Fetches the reference of the record that is due next. */
export function followNext(): void {
  const beginAnew = () => {
    beginnings.value += 1;
  };
  onNotice('over', beginAnew);
  onNotice('restarted', beginAnew);
  effect(() => {
    const asked = due.value;
    const [collection = '', id = ''] = asked.split(' ');
    const kind = KINDS[collection];
    if (kind !== undefined) {
      ask('GET', `${kind.path}/${encodeURIComponent(id)}`).then(
        (record) => {
          known.value = { due: asked, reference: kind.referenceOf(record) };
        },
        () => undefined,
      );
    }
  });
}

/** The next due job in words; `reference` is that of its record, once it is fetched. */
export function wordsOfNext(): { kind: string; reference: string; ends: string } {
  const next = clock.value?.next ?? null;
  if (next === null) {
    return { kind: 'something', reference: '', ends: 'is due' };
  }
  return {
    kind: KINDS[next.collection]?.name ?? '',
    reference: known.value.due === due.value ? known.value.reference : '',
    ends: ENDS[next.kind] ?? 'is due',
  };
}
