import { encodeSegment } from '../../../sessions/session-addresses.ts';

/** The page on which a phone is chosen. */
export const PHONE_FORM_PATH = '/pay/phone';

export function phonePath(mobile: string): string {
  return `${PHONE_FORM_PATH}/${encodeSegment(mobile)}`;
}
