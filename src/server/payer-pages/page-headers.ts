import type { PaymentLink } from '../../base/schema/records.ts';
import { parseUrl } from '../../base/text/url.ts';

/**
 * What a Content-Security-Policy can name: a host of letters, digits and dashes. Others would break it, widen it (`;`, `*`) or be
 * ignored by browsers (an underscore, an IPv6 address).
 */
const CSP_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/** The origin of an address as a Content-Security-Policy names it; undefined where it cannot. */
export function cspOrigin(address: string): string | undefined {
  const origin = parseUrl(address)?.origin ?? '';
  return CSP_ORIGIN.test(origin) ? origin : undefined;
}

/** Where a page's forms may lead besides this server: to the merchants of the links whose payments the page settles. */
export function formTargets(links: readonly PaymentLink[]): string[] {
  const origins = links.flatMap(({ successUrl, failureUrl }) => [successUrl, failureUrl]).map(cspOrigin);
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

/**
 * No inline script or style, no frame, no address but our own. Forms may also lead to some others, since a browser holds the
 * redirect after a form against the same rule.
 */
export function headersOf(links: readonly PaymentLink[]): Record<string, string> {
  const targets = ["'self'", ...formTargets(links)].join(' ');
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
}
