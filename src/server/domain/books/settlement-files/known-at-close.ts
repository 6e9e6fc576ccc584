import type { Settlement } from '../../../../base/schema/generated/records.ts';
import type { Reader } from '../../../sessions/reader.ts';
import { numberIn } from '../../../store/record-numbers.ts';
import type { ReferenceCheck } from './invent.ts';

const EVERYTHING = { payments: Number.POSITIVE_INFINITY, payouts: Number.POSITIVE_INFINITY };

/** Whether something that there was when a settlement was closed goes by a reference: a file stays as it is, whatever comes later. */
export function isKnownAtClose(reader: Reader, { mismatches }: Settlement): ReferenceCheck {
  const { payments, payouts } = mismatches?.through ?? EVERYTHING;
  return async (text) => {
    const named = await Promise.all(
      (['paymentId', 'payerReference', 'paymentCode'] as const).map((field) => reader.find('payments', field, text)),
    );
    const others = reader.find('payouts', 'payerReference', text);
    const isThere = named.flat().some(({ id }) => numberIn('payments', id) <= payments);
    return isThere || others.some(({ id }) => numberIn('payouts', id) <= payouts);
  };
}
