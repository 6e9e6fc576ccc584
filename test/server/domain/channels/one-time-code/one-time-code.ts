import type { Flow, Visit } from '../../../../../src/server/domain/channels/flow.ts';

const page = () => import('./page.tsx');
const reference = ({ parameters }: Visit) => parameters['payment'];

/** The payer receives a code, and enters it on a page. */
export const oneTimeCode: Flow = {
  name: 'one-time-code',
  needsMobile: false,
  isScanned: false,
  createReferences({ ids }) {
    return { paymentId: ids.upperHex(32), paymentCode: ids.digits(6), paymentToken: null };
  },
  pathOf: ({ paymentId }) => `/pay/code/${paymentId}`,
  pages: [
    { method: 'GET', path: '/code/{payment}', reference, handle: async (visit) => (await page()).showCode(visit) },
    { method: 'POST', path: '/code/{payment}', reference, handle: async (visit) => (await page()).submitCode(visit) },
  ],
  wrongPageMessage: { text: 'Pay this with the code that was sent to you.', label: 'Type the code' },
  icon: 'M1.75 3.75h12.5v8.5H1.75zM4.75 8h.01M8 8h.01M11.25 8h.01',
};
