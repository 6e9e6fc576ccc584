import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { PACKAGE_ROOT } from '../../base/package.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Image } from '../../base/schema/generated/records.ts';
import { WORDS } from '../domain/pages/words.ts';
import { sendContent } from '../http/answers.ts';

/** Every page loads all of them, because an open page can be replaced by the content of another one. */
export const STYLES = [
  'payer-colours.css',
  'payer.css',
  'payer-forms.css',
  'payer-card.css',
  'payer-handset.css',
  'payer-phone.css',
  'payer-outcome.css',
  'payer-shop.css',
];

/** Files that pages load. The sandbox serves them, because the policy of pages allows nothing from other servers. */
const ASSETS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(STYLES.map((name) => [name, 'text/css; charset=utf-8'])),
  'payer.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml; charset=utf-8',
};

export function sendAsset(name: string, response: ServerResponse): void {
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (type === undefined) {
    throw new Refusal('unknown-path', WORDS.unknownPage);
  }
  sendContent(response, type, readFileSync(`${PACKAGE_ROOT}assets/${name}`), {
    headers: { 'X-Content-Type-Options': 'nosniff' },
  });
}

/** The image of an id never changes, and its media type was detected from its content, so browsers may cache and trust it. */
export function sendImage(image: Image | undefined, response: ServerResponse): void {
  if (!image) {
    throw new Refusal('unknown-record', WORDS.unknownImage);
  }
  sendContent(response, image.mediaType, Buffer.from(image.base64, 'base64'), {
    headers: {
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}
