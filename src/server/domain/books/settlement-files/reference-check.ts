import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { numberIn } from '../../../store/record-numbers.ts';
import type { ReferenceCheck } from './invent-reference.ts';

const NO_LIMIT = { payments: Number.POSITIVE_INFINITY, payouts: Number.POSITIVE_INFINITY };

/** A check against the records that existed when a settlement was closed, so that later records do not change its file. */
export function newReferenceCheck(reader: Reader, { mismatches }: Settlement): ReferenceCheck {
  const { payments, payouts } = mismatches?.through ?? NO_LIMIT;
  return async (text) => {
    const fields = ['paymentId', 'payerReference', 'paymentCode'] as const;
    const matchingPayments = fields.flatMap((field) => reader.find('payments', field, text));
    const matchingPayouts = reader.find('payouts', 'payerReference', text);
    const isOfPayment = matchingPayments.some(({ id }) => numberIn('payments', id) <= payments);
    return isOfPayment || matchingPayouts.some(({ id }) => numberIn('payouts', id) <= payouts);
  };
}
