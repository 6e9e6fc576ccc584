import type { DueCollection } from './store.ts';

/** The last number that is given out: as many records in one session are more than memory holds, and ids have room for nine digits. */
export const LAST_NUMBER = 999_999_999;

/** What the ids of records that can be due begin with; their number follows, as the schemas in `schemas/records/` say. */
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

/** payment-12 → 12. Throws for an id that no schema lets in. */
export function numberIn(collection: DueCollection, id: string): number {
  const prefix = PREFIXES[collection];
  const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
  if (!NUMBER.test(digits)) {
    throw new Error(`a record of ${collection} cannot have the id ${id}`);
  }
  return Number(digits);
}
