import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a person made a call in the console or the API reference. Browsers mark calls from a page to its own origin with
 * `Sec-Fetch-Site`. Without TLS they may not, but calls that change something then still have an `Origin`.
 */
export function isByHand({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'same-origin' || (origin !== undefined && [`http://${host}`, `https://${host}`].includes(origin));
}
