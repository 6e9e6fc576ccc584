import type { IncomingMessage } from 'node:http';

/** Where a request goes: which session, and which path within it. */
export interface Target {
  session: string;
  /** Without the session's prefix and the query. */
  path: string;
  /** Query parameters; for a repeated name, the last value. */
  query: Readonly<Record<string, string>>;
  /** The path with its query, and with the session's prefix. */
  address: string;
  /** The path with its query, as the entry points' routers see it. */
  url: string;
}

/** The part before the path if a request target is a whole address, as for a proxy (RFC 9112, 3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]*/i;
const UNROUTABLE = /[#\u00a0]/;
const PREFIX = /^\/s\/([^/]+)(?=\/|$)/;
const NO_QUERY: Readonly<Record<string, string>> = Object.freeze({});

/** The target of a request. Its path (`/s/{name}/…`) names the session, else its header X-Sandbox-Session, else it is `default`. */
export function targetOf(request: IncomingMessage): Target {
  const address = routableAddress(request.url);
  const queryStart = address.indexOf('?');
  const search = queryStart === -1 ? '' : address.slice(queryStart);
  const fullPath = decodablePath(queryStart === -1 ? address : address.slice(0, queryStart));
  const prefix = fullPath.startsWith('/s/') ? PREFIX.exec(fullPath) : null;
  const path = (prefix ? fullPath.slice(prefix[0].length) : fullPath) || '/';
  const header = request.headers['x-sandbox-session'];
  const sessionInHeader = typeof header === 'string' && header !== '' ? header : 'default';
  return {
    session: prefix ? decodeURIComponent(prefix[1] ?? '') : sessionInHeader,
    path,
    address,
    query: search === '' ? NO_QUERY : Object.fromEntries(new URLSearchParams(search)),
    // Express has no routes for paths without a leading slash, such as the `*` of OPTIONS.
    url: `${path.startsWith('/') ? '' : '/'}${path}${search}`,
  };
}

/**
 * The path and query of a request target, regardless of its host. Removes a fragment and encodes no-break spaces, because with them
 * Express may parse the address as a host without a path.
 */
export function routableAddress(address = '/'): string {
  const routable = UNROUTABLE.test(address) ? address.replace(/#.*$/s, '').replaceAll('\u00a0', '%C2%A0') : address;
  return routable.startsWith('/') ? routable : routable.replace(ORIGIN, '').replace(/^(?=\?|$)/, '/');
}

/** A path that can be decoded. If a `%` encodes nothing, each `%` is taken literally, so that later steps cannot fail on it. */
function decodablePath(path: string): string {
  if (!path.includes('%')) {
    return path;
  }
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}
