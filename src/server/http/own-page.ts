import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a person made a call in the console or the API reference: browsers say so of pages at the address that they call. Where
 * they trust it too little to say so, as without TLS in a network, those that change something still name their origin.
 */
export function isByHand({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'same-origin' || (origin !== undefined && [`http://${host}`, `https://${host}`].includes(origin));
}
