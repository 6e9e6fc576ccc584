import { readFile } from 'node:fs/promises';
import { BUILT_ASSETS } from '../../../base/package.ts';

/** No inline scripts or styles, and nothing from other servers. */
export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The page on which the OpenAPI document can be read, searched and tried. */
export function docsPage(): Promise<string> {
  return readFile(`${BUILT_ASSETS}reference.html`, 'utf8');
}
