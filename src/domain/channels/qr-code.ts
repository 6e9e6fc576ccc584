import { signToken } from '../merchants/access-tokens.ts';
import type { Flow } from './flow.ts';

/** A nine-digit code, also as a QR image of the approval address. Source: reference, section 10. */
export const qrCode: Flow = {
  needsMobile: false,
  async references(transaction, order) {
    let paymentCode = transaction.ids.digits(9);
    while ((await transaction.find('payments', 'paymentCode', paymentCode)).length > 0) {
      paymentCode = transaction.ids.digits(9);
    }
    const claims = { merchantId: order.merchantId, paymentCode, reference: order.payerReference };
    const paymentToken = await signToken(transaction.seed, claims, transaction.now, order.expiresAt);
    return { paymentId: transaction.ids.upperHex(32), paymentCode, paymentToken };
  },
};
