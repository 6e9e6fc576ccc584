import type { Session } from '../../sessions/session.ts';
import { Addresses } from '../../sessions/session-addresses.ts';

/**
 * The addresses of a session's pages as paths, so that a page works under every name that leads here (localhost, 127.0.0.1,
 * the one of --public-url): its policy allows only the host that it was opened from.
 */
export function pathsOf(session: Session): Addresses {
  // The session's prefix is in its base already.
  return new Addresses(new URL(session.addresses.base).pathname.replace(/\/$/, ''));
}
