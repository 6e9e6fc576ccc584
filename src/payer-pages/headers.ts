import type { PaymentLink } from '../schema/records.ts';

/** What a Content-Security-Policy can name: a bare host. Others (a host with `;`, an IPv6 address) would break or widen it. */
const NAMEABLE = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/**
 * No inline script or style, no frame, no address but our own. Forms may also lead to the addresses of those links whose
 * payments the page settles, since a browser holds the redirect after a form against the same rule.
 */
export function headersOf(links: readonly PaymentLink[]): Record<string, string> {
  const origins = links.flatMap(({ successUrl, failureUrl }) => [successUrl, failureUrl]).map(originOf);
  const targets = ["'self'", ...new Set(origins.filter((origin) => NAMEABLE.test(origin)))].join(' ');
  return {
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  };
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : '';
}
