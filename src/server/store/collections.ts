import { membersOf } from '../../base/members.ts';

/**
 * The data model: each collection with its indexed fields (besides the id), and the fields by whose values records are
 * counted. Null and absent values are not indexed; `shares.merchantId` is that member of each entry of the list `shares`.
 * A field without a dot is indexed only if it is a string. Counted fields are always present.
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

const NO_VALUES: ReadonlySet<string> = new Set();

/** The distinct strings and numbers of a record at a path of member names, such as `['shares', 'merchantId']`; numbers as strings. */
export function valuesIn(record: object | undefined, names: readonly string[]): ReadonlySet<string> {
  return collectValues(record, names, 0, undefined) ?? NO_VALUES;
}

/** The set is not created before a value is found, because most lists of a record are empty. */
function collectValues(
  value: unknown,
  names: readonly string[],
  depth: number,
  found: Set<string> | undefined,
): Set<string> | undefined {
  const name = names[depth];
  if (Array.isArray(value)) {
    let values = found;
    for (const each of value) {
      values = collectValues(each, names, depth, values);
    }
    return values;
  }
  if (name !== undefined) {
    return collectValues(membersOf(value)[name], names, depth + 1, found);
  }
  return typeof value === 'string' || typeof value === 'number' ? (found ?? new Set()).add(String(value)) : found;
}
