import { membersOf } from '../base/members.ts';

/**
 * The data model at one glance: each collection with the fields that records are found by (besides their id), and those by
 * whose values they are counted. A field whose value is null or absent is not indexed; `shares.merchantId` is a field of each entry of a list; what is counted is always there.
 */
export const COLLECTIONS = {
  merchants: { indexes: [], counted: [] },
  payments: {
    indexes: [
      'paymentId',
      'payerReference',
      'paymentCode',
      'originId',
      'payerMobile',
      'formId',
      'payerKey',
      'merchantId',
      'shares.merchantId',
    ],
    counted: ['channel', 'state'],
  },
  payouts: { indexes: ['payerReference', 'merchantId'], counted: ['state'] },
  settlements: { indexes: ['latestOf', 'merchantId'], counted: ['state'] },
  links: { indexes: ['token', 'reference'], counted: [] },
  images: { indexes: [], counted: [] },
  recurringPayments: { indexes: ['reference'], counted: ['state'] },
  paymentTokens: { indexes: ['token', 'reference'], counted: [] },
  shopCodes: { indexes: ['reference'], counted: [] },
  endpoints: { indexes: [], counted: [] },
  deliveries: { indexes: ['subjectId'], counted: ['state'] },
  scenarios: { indexes: [], counted: [] },
  faultCounts: { indexes: [], counted: [] },
} as const;

/** The values that a record is found by in an indexed field, each once; what is no text is not indexed. */
export function valuesIn(record: object | undefined, field: string): readonly string[] {
  if (record === undefined) {
    return [];
  }
  const dot = field.indexOf('.');
  if (dot === -1) {
    const value: unknown = Reflect.get(record, field);
    return typeof value === 'string' ? [value] : [];
  }
  const list: unknown = Reflect.get(record, field.slice(0, dot));
  if (!Array.isArray(list) || list.length === 0) {
    return [];
  }
  const values = list.map((entry) => membersOf(entry)[field.slice(dot + 1)]);
  return [...new Set(values)].filter((each) => typeof each === 'string');
}
