import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../base/addresses.ts';
import { Refusal } from '../../base/refusal.ts';
import { hostOf, parseUrl } from '../../base/text/url.ts';
import { HTML_TYPE, redirect, sendContent } from '../http/answers.ts';
import type { HttpCall } from '../http/entry-point.ts';

export interface GuardSettings {
  /** Required if the sandbox listens beyond loopback; otherwise undefined. */
  token: string | undefined;
  /** Allowed host names besides those of loopback: that of the public address, and those of `--tls-host`. */
  hosts: readonly string[];
}

/**
 * Allows tools and refuses pages of other origins: such a page either sends its origin or, after DNS rebinding, another host
 * name. Throws `forbidden-origin`, or `bad-bearer` if a token is required.
 */
export function checkCaller(request: IncomingMessage, { token, hosts }: GuardSettings): void {
  if (token !== undefined) {
    checkToken(request, token);
    return;
  }
  checkHost(request, hosts);
  checkOrigin(request);
}

const RELOAD_HEADERS = { 'Cache-Control': 'no-store', 'Content-Security-Policy': "default-src 'none'" };

/** Name of the cookie that a browser gets for the token. */
const COOKIE = 'sandbox-control-token';

/**
 * Gives a browser a cookie for the token in the address (`…/_sandbox/docs?token=…`), and redirects it to the same address
 * without the token. False if the address has no token, and for any method but GET. Throws `bad-bearer` for a wrong token.
 */
export function exchangeTokenForCookie(call: HttpCall, { token }: GuardSettings): boolean {
  const { request, response } = call;
  const address = new URL(call.address, 'http://localhost');
  const sentToken = address.searchParams.get('token');
  if (request.method !== 'GET' || sentToken === null) {
    return false;
  }
  if (token !== undefined && !isSameToken(sentToken, token)) {
    throw new Refusal('bad-bearer', 'the token in the address is not the token of this sandbox');
  }
  address.searchParams.delete('token');
  const cookie = `${COOKIE}=${encodeURIComponent(token ?? '')}; HttpOnly; SameSite=Strict; Path=/`;
  // Relative, because a proxy may serve it below another path.
  redirect(response, relativeToItself(address), token === undefined ? {} : { 'Set-Cookie': cookie });
  return true;
}

/**
 * Handles a browser that followed a link from another site, and therefore does not send the cookie (SameSite=Strict), not even
 * after the redirect above. It gets a page that redirects to the same address, so that it sends the cookie. False for other calls.
 */
export function reloadWithCookie({ request, response, address }: HttpCall, { token }: GuardSettings): boolean {
  const { method, headers } = request;
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  const isFromOtherOrigin = /^(cross|same)-site$/.test(String(headers['sec-fetch-site']));
  if (token === undefined || method !== 'GET' || !isLink || !isFromOtherOrigin || headers.cookie?.includes(COOKIE)) {
    return false;
  }
  // A parsed address has neither double quotes nor angle brackets.
  const safeAddress = relativeToItself(new URL(address, 'http://localhost')).replaceAll('&', '&amp;');
  const page = `<!doctype html><title>merchant-sandbox</title><meta http-equiv="refresh" content="0; url=${safeAddress}">`;
  sendContent(response, HTML_TYPE, page, { headers: RELOAD_HEADERS });
  return true;
}

function relativeToItself({ pathname, search }: URL): string {
  return `./${pathname.slice(pathname.lastIndexOf('/') + 1)}${search}`;
}

function checkHost(request: IncomingMessage, hosts: readonly string[]): void {
  const url = parseUrl(`http://${request.headers.host ?? ''}`);
  const host = url && hostOf(url);
  if (host === undefined || !(isLoopback(host) || hosts.includes(host))) {
    throw new Refusal(
      'forbidden-origin',
      `the control API does not answer under the host name ${JSON.stringify(request.headers.host ?? '')}; use 127.0.0.1 or localhost`,
    );
  }
}

/** A request with an origin is from a page. Only pages that the sandbox served are allowed. */
function checkOrigin(request: IncomingMessage): void {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
  // Pages at other ports of this machine are of the same site, so `same-site` is refused, too. Pages that navigate cannot read the answer.
  if (/^(cross|same)-site$/.test(String(site)) && !(request.method === 'GET' && mode === 'navigate')) {
    throw new Refusal('forbidden-origin', `a page of another origin (${site}) cannot use the control API`);
  }
  if (
    origin !== undefined &&
    origin !== `http://${request.headers.host}` &&
    origin !== `https://${request.headers.host}`
  ) {
    throw new Refusal('forbidden-origin', `a page of ${JSON.stringify(origin)} cannot use the control API`);
  }
}

/** A change with only a cookie must come from a page of the sandbox. Browsers send the headers that prove it. */
function requireOrigin({ method = 'GET', headers }: IncomingMessage): void {
  const hasOrigin = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (!hasOrigin && !['GET', 'HEAD'].includes(method)) {
    throw new Refusal(
      'forbidden-origin',
      'a call with the cookie must have an Origin header; tools send the control token as a header',
    );
  }
}

function checkToken(request: IncomingMessage, token: string): void {
  const header = request.headers['x-sandbox-control-token'];
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const sentToken = typeof header === 'string' ? header : bearer;
  if (sentToken === undefined && isSameToken(cookieOf(request) ?? '', token)) {
    // A browser also sends the cookie with requests of pages at other ports, because they are of the same site.
    checkOrigin(request);
    requireOrigin(request);
    return;
  }
  if (!isSameToken(sentToken ?? '', token)) {
    throw new Refusal('bad-bearer', tokenProblem(request, sentToken));
  }
}

/** A browser gets another hint, because its user cannot make it send a header. */
function tokenProblem({ headers }: IncomingMessage, sentToken: string | undefined): string {
  const hint = '(it was printed at the start, or set by --control-token)';
  if (sentToken !== undefined) {
    return `the control token is wrong: send the one of this sandbox ${hint}`;
  }
  return headers.accept?.includes('text/html')
    ? 'the sandbox listens beyond loopback: open the address of the console that was printed at the start, or append ?token=… with the control token to this one'
    : `the sandbox listens beyond loopback: send its control token as X-Sandbox-Control-Token, or as Authorization: Bearer <token> ${hint}`;
}

function cookieOf({ headers }: IncomingMessage): string | undefined {
  const value = new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(headers.cookie ?? '')?.[1];
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** An empty token is never valid, because a call without a token would match it. */
function isSameToken(sentToken: string, token: string): boolean {
  const [actual, expected] = [Buffer.from(sentToken), Buffer.from(token)];
  return expected.length > 0 && actual.length === expected.length && timingSafeEqual(actual, expected);
}
