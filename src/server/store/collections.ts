import { membersOf } from '../../base/members.ts';

/**
 * The data model: each collection with its indexed fields (besides the id), and the fields by whose values records are
 * counted. A field whose value is null or absent is not indexed; `shares.merchantId` is a field of each
 * entry of a list; counted fields are always present.
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
      'history.move',
    ],
    counted: ['channel', 'state'],
  },
  payouts: {
    indexes: [
      'payerReference',
      'merchantId',
      'debit.accountNumber',
      'credits.accountNumber',
      'history.move',
      'credits.history.move',
    ],
    counted: ['state'],
  },
  settlements: { indexes: ['latestOf', 'merchantId', 'bank.accountNumber', 'history.move'], counted: ['state'] },
  links: { indexes: ['token', 'reference'], counted: [] },
  images: { indexes: [], counted: [] },
  recurringPayments: { indexes: ['reference'], counted: ['state'] },
  paymentTokens: { indexes: ['token', 'reference'], counted: [] },
  shopCodes: { indexes: ['reference'], counted: [] },
  endpoints: { indexes: [], counted: [] },
  deliveries: { indexes: ['subjectId', 'queue'], counted: ['state'] },
  scenarios: { indexes: [], counted: [] },
  faultCounts: { indexes: [], counted: [] },
  webhookQueues: { indexes: [], counted: [] },
} as const;

/** The distinct values of a record in an indexed field: its texts, and its numbers as texts. */
export function valuesIn(record: object | undefined, field: string): ReadonlySet<string> {
  const values = new Set<string>();
  addValues(record, field.split('.'), 0, values);
  return values;
}

function addValues(value: unknown, names: readonly string[], depth: number, values: Set<string>): void {
  const name = names[depth];
  if (Array.isArray(value)) {
    for (const each of value) {
      addValues(each, names, depth, values);
    }
  } else if (name !== undefined) {
    addValues(membersOf(value)[name], names, depth + 1, values);
  } else if (typeof value === 'string' || typeof value === 'number') {
    values.add(String(value));
  }
}
