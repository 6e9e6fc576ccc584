import { signToken } from '../access-tokens.ts';
import type { Flow } from './flow.ts';

/** A nine-digit code, also as a QR image of the approval address. Source: reference, section 10. */
export const qrCode: Flow = {
  needsMobile: false,
  async references(unit, order) {
    let paymentCode = unit.ids.digits(9);
    while ((await unit.find('payments', 'paymentCode', paymentCode)).length > 0) {
      paymentCode = unit.ids.digits(9);
    }
    const claims = { merchantId: order.merchantId, paymentCode, reference: order.payerReference };
    const paymentToken = await signToken(unit.seed, claims, unit.now, order.expiresAt);
    return { paymentId: unit.ids.upperHex(32), paymentCode, paymentToken };
  },
};
