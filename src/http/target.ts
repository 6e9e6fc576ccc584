import type { IncomingMessage } from 'node:http';

/** Where a request goes: which session, and which path within it. */
export interface Target {
  session: string;
  /** Without the session's prefix and the query. */
  path: string;
  /** Query parameters; of a repeated one the last. */
  query: Readonly<Record<string, string>>;
  /** The path with its query, as the doors' routers see it. */
  url: string;
}

const PREFIX = /^\/s\/([^/?]+)(?=[/?]|$)/;
const NO_QUERY: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The session that a request names by its path (`/s/{name}/…`), else by its header X-Sandbox-Session, else `default`.
 * Source: design, "Everything that tests must not share lives in a session".
 */
export function targetOf(request: IncomingMessage): Target {
  const whole = request.url ?? '/';
  const prefix = whole.startsWith('/s/') ? PREFIX.exec(whole) : null;
  const url = prefix ? whole.slice(prefix[0].length) || '/' : whole;
  const header = request.headers['x-sandbox-session'];
  const session = prefix ? decode(prefix[1] ?? '') : typeof header === 'string' && header !== '' ? header : 'default';
  const mark = url.indexOf('?');
  return {
    session,
    url: url.startsWith('?') ? `/${url}` : url,
    path: mark === -1 ? url : url.slice(0, mark) || '/',
    query: mark === -1 ? NO_QUERY : Object.fromEntries(new URLSearchParams(url.slice(mark + 1))),
  };
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
