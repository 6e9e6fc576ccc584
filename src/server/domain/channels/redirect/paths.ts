import { encodeSegment } from '../../../sessions/session-addresses.ts';

/** The page of the card form, with the paymentId in the query. */
export function checkoutPath(paymentId: string): string {
  return `/pay/checkout?paymentCode=${encodeSegment(paymentId)}`;
}

export function challengePath(query: URLSearchParams): string {
  return `/pay/checkout/challenge?${query}`;
}
