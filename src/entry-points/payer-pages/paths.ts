import type { Payment } from '../../base/schema/records.ts';
import { Addresses } from '../../sessions/addresses.ts';
import type { Session } from '../../sessions/session.ts';

/** What the pages link to, as paths. */
export class Paths extends Addresses {
  challenge(query: URLSearchParams): string {
    return `${this.base}/pay/checkout/challenge?${query}`;
  }

  /** The stream that an open page follows. */
  versions(kind: string, key: string): string {
    return `${this.base}/pay/versions/${kind}/${encodeURIComponent(key)}`;
  }
}

/**
 * The addresses of a session's pages as paths, so that a page works under every name that leads here (localhost, 127.0.0.1,
 * the one of --public-url): its policy allows only the host that it was opened from.
 */
export function pathsOf(session: Session): Paths {
  // The session's prefix is in its base already.
  return new Paths(new URL(session.addresses.base).pathname.replace(/\/$/, ''));
}

/** The page on which a payment's payer decides, and sees how it ended. */
export function pageOf(session: Session, payment: Payment): string {
  const paths = pathsOf(session);
  switch (session.fixtures.channel(payment.channel)?.flow) {
    case 'qr-code':
      return paths.approval(payment.paymentCode ?? '');
    case 'pin-prompt':
      return paths.phone(payment.payerMobile ?? '');
    default:
      return paths.checkout(payment.paymentId ?? '');
  }
}
