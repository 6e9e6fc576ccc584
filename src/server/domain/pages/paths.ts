import type { Session } from '../../sessions/session.ts';
import { Addresses } from '../../sessions/session-addresses.ts';

/**
 * The addresses of a session's pages as paths, so that a page works on every host name of the sandbox (localhost, 127.0.0.1, the one of
 * --public-url): its content security policy allows only the host from which it was loaded.
 */
export function pathsOf(session: Session): Addresses {
  // The base already contains the session's prefix.
  return new Addresses(new URL(session.addresses.base).pathname.replace(/\/$/, ''));
}
