import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../base/refusal.ts';
import { WORDS } from '../domain/pages/words.ts';

/**
 * Throws `forbidden-origin` for a form that another site sends. A browser says so by Sec-Fetch-Site, an older one by Origin,
 * which says nothing (`null`) for pages that give no referrer, as ours do; for those, the token has to do.
 */
export function checkFormOrigin({ 'sec-fetch-site': site, origin = 'null', host = '' }: IncomingHttpHeaders): void {
  const isOwn =
    site === undefined
      ? origin === 'null' || [`http://${host}`, `https://${host}`].includes(origin)
      : site === 'same-origin' || site === 'none';
  if (!isOwn) {
    throw new Refusal('forbidden-origin', WORDS.foreignForm);
  }
}
