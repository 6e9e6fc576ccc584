import type { PaymentView } from './schema/generated/control.ts';

/** The path of the page on which a payment's payer decides. It contains the payment code, if there is one. */
export function payerPagePath({ id, paymentCode }: Pick<PaymentView, 'id' | 'paymentCode'>): string {
  return paymentCode === null
    ? `/pay/payments/${encodeURIComponent(id)}`
    : `/pay/approve/${encodeURIComponent(paymentCode)}`;
}
