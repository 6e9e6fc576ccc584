import { segment } from '../../../sessions/session-addresses.ts';

/** Where a payment code is typed in. */
export const CODE_FORM_PATH = '/pay/approve';

/** What a QR code opens. */
export function approvalPath(paymentCode: string): string {
  return `${CODE_FORM_PATH}/${segment(paymentCode)}`;
}
