import type { DueCollection } from './store.ts';

/** Ids have at most nine digits, because memory cannot hold more records of one session. */
export const MAX_RECORD_NUMBER = 999_999_999;

/** Prefixes of the ids of records that can be due, as in `schemas/records/`. */
const PREFIXES: Readonly<Record<DueCollection, string>> = {
  payments: 'payment-',
  payouts: 'payout-',
  settlements: 'settlement-',
  recurringPayments: '',
  deliveries: 'delivery-',
};

const NUMBER = /^[1-9]\d{0,8}$/;

/** 12 → payment-12. */
export function idOf(collection: DueCollection, number: number): string {
  return `${PREFIXES[collection]}${number}`;
}

/** payment-12 → 12. Throws for an id that the schemas do not allow. */
export function numberIn(collection: DueCollection, id: string): number {
  const prefix = PREFIXES[collection];
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  if (!NUMBER.test(digits)) {
    throw new Error(`a record of ${collection} cannot have the id ${id}`);
  }
  return Number(digits);
}
