import { encodeSegment } from '../../../sessions/session-addresses.ts';

/** The page on which a payer enters a payment code. */
export const CODE_FORM_PATH = '/pay/approve';

/** The page that a QR code opens. */
export function approvalPath(paymentCode: string): string {
  return `${CODE_FORM_PATH}/${encodeSegment(paymentCode)}`;
}
