import { signToken, toSeconds } from '../../merchants/access-tokens.ts';
import { WORDS } from '../../pages/words.ts';
import type { Flow, Visit } from '../flow.ts';
import { approvalPath } from './paths.ts';

const approval = () => import('./approval.tsx');
const qr = () => import('./qr.tsx');
const reference = ({ parameters }: Visit) => parameters['code'];

/** The payer scans or enters a nine-digit code; the QR image contains the approval address. Source: reference, section 10. */
export const qrCode: Flow = {
  name: 'qr-code',
  needsMobile: false,
  isScanned: true,
  createReferences(transaction, order) {
    let paymentCode = transaction.ids.digits(9);
    while (transaction.find('payments', 'paymentCode', paymentCode).length > 0) {
      paymentCode = transaction.ids.digits(9);
    }
    const { merchantId, payerReference: reference, expiresAt } = order;
    const claims = { merchantId, paymentCode, reference, iat: toSeconds(transaction.now), exp: toSeconds(expiresAt) };
    const paymentToken = signToken(transaction.seed, claims);
    return { paymentId: transaction.ids.upperHex(32), paymentCode, paymentToken };
  },
  pathOf: ({ paymentCode }) => approvalPath(paymentCode ?? ''),
  pages: [
    { method: 'GET', path: '/approve', handle: async (visit) => (await approval()).showCodeForm(visit) },
    {
      method: 'GET',
      path: '/approve/{code}',
      reference,
      handle: async (visit) => (await approval()).showApproval(visit),
    },
    {
      method: 'POST',
      path: '/approve/{code}',
      actions: ['cancel', 'approve'],
      reference,
      handle: async (visit) => (await approval()).submitApproval(visit),
    },
    { method: 'GET', path: '/qr/{code}', reference, handle: async (visit) => (await qr()).showQrCode(visit) },
  ],
  wrongPageMessage: WORDS.walletElsewhere,
  icon: 'M2 2h4.5v4.5H2zM9.5 2H14v4.5H9.5zM2 9.5h4.5V14H2zM9.5 9.5h2v2h-2zM14 9.5v1.25M9.5 14h.01M12.5 14H14v-1',
};
