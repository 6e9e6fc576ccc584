import { WORDS } from '../../pages/words.ts';
import type { Flow, Visit } from '../flow.ts';
import { checkoutPath } from './paths.ts';

const checkout = () => import('./checkout.tsx');
const challenge = () => import('./challenge.tsx');
const reference = ({ form }: Visit) => form['paymentCode'];

/** The payer is sent to a checkout page; the paymentId is 32 upper hex digits and a node suffix. Source: reference, section 10. */
export const redirect: Flow = {
  name: 'redirect',
  needsMobile: false,
  isScanned: false,
  createReferences(transaction, order) {
    return { paymentId: `${transaction.ids.upperHex(32)}${order.nodeSuffix}`, paymentCode: null, paymentToken: null };
  },
  pathOf: ({ paymentId }) => checkoutPath(paymentId ?? ''),
  pages: [
    { method: 'GET', path: '/checkout', reference, handle: async (visit) => (await checkout()).showCheckout(visit) },
    {
      method: 'POST',
      path: '/checkout',
      actions: ['pay', 'cancel'],
      reference,
      handle: async (visit) => (await checkout()).submitCheckout(visit),
    },
    {
      method: 'GET',
      path: '/checkout/challenge',
      reference,
      handle: async (visit) => (await challenge()).openChallenge(visit),
    },
    {
      method: 'POST',
      path: '/checkout/challenge',
      actions: ['confirm', 'cancel'],
      reference,
      handle: async (visit) => (await challenge()).submitChallenge(visit),
    },
  ],
  wrongPageMessage: WORDS.cardElsewhere,
  icon: 'M3 3.25h10a1.25 1.25 0 0 1 1.25 1.25v7A1.25 1.25 0 0 1 13 12.75H3a1.25 1.25 0 0 1-1.25-1.25v-7A1.25 1.25 0 0 1 3 3.25M1.75 6.5h12.5M4 9.9h2.5',
};
