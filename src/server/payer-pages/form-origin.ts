import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../base/refusal.ts';
import { WORDS } from '../domain/pages/words.ts';

/**
 * Throws `forbidden-origin` for a form of another origin. Browsers send Sec-Fetch-Site; older ones send Origin, which is `null` on
 * pages without a referrer, such as ours. With `null`, or with neither header, only the form's token prevents forged forms.
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
