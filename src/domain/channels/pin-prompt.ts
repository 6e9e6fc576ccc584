import type { Flow } from './flow.ts';

/** The payer is asked for a PIN on their phone; the paymentId is the merchant's own reference. Source: reference, section 10. */
export const pinPrompt: Flow = {
  needsMobile: true,
  async references(_unit, order) {
    return { paymentId: order.payerReference, paymentCode: null, paymentToken: null };
  },
};
