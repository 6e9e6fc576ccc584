import type { Flow } from './flow.ts';

/** The payer is sent to a checkout page; the paymentId is 32 upper hex digits and a node suffix. Source: reference, section 10. */
export const redirect: Flow = {
  needsMobile: false,
  async references(transaction, order) {
    return { paymentId: `${transaction.ids.upperHex(32)}${order.nodeSuffix}`, paymentCode: null, paymentToken: null };
  },
};
