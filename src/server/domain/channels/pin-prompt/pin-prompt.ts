import { WORDS } from '../../pages/words.ts';
import type { Flow } from '../flow.ts';
import { phonePath } from './paths.ts';

const phone = () => import('./phone.tsx');

/** The payer is asked for a PIN on their phone; the paymentId is the merchant's own reference. Source: reference, section 10. */
export const pinPrompt: Flow = {
  name: 'pin-prompt',
  needsMobile: true,
  isScanned: false,
  createReferences(_transaction, order) {
    return { paymentId: order.payerReference, paymentCode: null, paymentToken: null };
  },
  pathOf: ({ payerMobile }) => phonePath(payerMobile ?? ''),
  pages: [
    { method: 'GET', path: '/phone', handle: async (visit) => (await phone()).showPhoneForm(visit) },
    { method: 'GET', path: '/phone/{mobile}', handle: async (visit) => (await phone()).openPhone(visit) },
    {
      method: 'POST',
      path: '/phone/{mobile}',
      actions: ['confirm', 'cancel'],
      handle: async (visit) => (await phone()).submitPin(visit),
    },
  ],
  wrongPageMessage: WORDS.phoneElsewhere,
  icon: 'M5.5 1.5h5a1.25 1.25 0 0 1 1.25 1.25v10.5a1.25 1.25 0 0 1-1.25 1.25h-5a1.25 1.25 0 0 1-1.25-1.25V2.75A1.25 1.25 0 0 1 5.5 1.5M7 12.25h2',
};
