import { segment } from '../../../sessions/session-addresses.ts';

/** Card checkout; `<checkout base>?paymentCode=<paymentId>`. */
export function checkoutPath(paymentId: string): string {
  return `/pay/checkout?paymentCode=${segment(paymentId)}`;
}

export function challengePath(query: URLSearchParams): string {
  return `/pay/checkout/challenge?${query}`;
}
