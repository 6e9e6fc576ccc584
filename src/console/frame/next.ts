import type { ClockView } from '../../schema/control.ts';

const ENDS: Readonly<Record<string, string>> = {
  'settle-payment': 'ends',
  'settle-payout': 'is settled',
  'charge-recurring-payment': 'is charged',
  'attempt-delivery': 'is sent',
};

const NAMES: Readonly<Record<string, string>> = { recurringPayments: 'recurring payment ' };

/** What is due next, in words. */
export function wordsOfNext({ next }: ClockView): string {
  if (next === null) {
    return 'something';
  }
  const { kind, collection, recordId } = next;
  return `${NAMES[collection] ?? ''}${recordId} ${ENDS[kind] ?? 'is due'}`;
}
