import type { PaymentView } from './schema/generated/control.ts';

/** The page on which a payment's payer decides. A QR code contains the address with the code. */
export function payerPagePath({ id, paymentCode }: Pick<PaymentView, 'id' | 'paymentCode'>): string {
  return paymentCode === null
    ? `/pay/payments/${encodeURIComponent(id)}`
    : `/pay/approve/${encodeURIComponent(paymentCode)}`;
}
