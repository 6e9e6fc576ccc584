import type { PaymentLink } from '../../base/schema/generated/records.ts';
import { parseUrl } from '../../base/text/url.ts';

/**
 * An origin that a Content-Security-Policy can contain: its host has only letters, digits, dots and dashes. Others would break the policy,
 * widen it (`;`, `*`) or be ignored by browsers (an underscore, an IPv6 address).
 */
const CSP_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/** The origin of an address for a Content-Security-Policy; undefined if a policy cannot contain it. */
export function cspOrigin(address: string): string | undefined {
  const origin = parseUrl(address)?.origin ?? '';
  return CSP_ORIGIN.test(origin) ? origin : undefined;
}

/** Origins, besides this server, to which forms may redirect: those of the merchants' addresses in the page's links. */
export function formTargets(links: readonly PaymentLink[]): string[] {
  const origins = links.flatMap(({ successUrl, failureUrl }) => [successUrl, failureUrl]).map(cspOrigin);
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

/**
 * No inline script or style, no frame, and no other server, except for forms: browsers apply `form-action` to the redirect after a
 * form, too, which leads to a merchant.
 */
export function pageHeaders(links: readonly PaymentLink[]): Record<string, string> {
  const targets = ["'self'", ...formTargets(links)].join(' ');
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
}
