import type { Request, Response } from 'express';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { VERSION } from '../package.ts';

const NAME = 'merchant-sandbox';
const ABOUT = 'A local stand-in for a merchant payments service. No money moves.';

/** Where to go from the base address, below it. */
const PLACES = [
  { name: 'docs', path: '/_sandbox/docs', what: 'every call, for people' },
  { name: 'openApi', path: '/_sandbox/openapi.json', what: 'every call, as an OpenAPI document' },
  {
    name: 'requests',
    path: '/_sandbox/requests',
    what: 'what came, what was wrong with it, and what it was answered with',
  },
  { name: 'payments', path: '/_sandbox/payments', what: 'the payments, newest first' },
  { name: 'phone', path: '/pay/phone', what: "the pretend phone, for a payer's PIN" },
  { name: 'wallet', path: '/pay/approve', what: 'the pretend wallet, for a payment code' },
] as const;

/** What somebody finds who opens the base address itself: where to go from there, as a page or as JSON. */
export function sendStartPage(request: Request, response: Response, base: string): void {
  response.vary('Accept');
  if (request.accepts(['json', 'html']) === 'html') {
    response.set('Content-Security-Policy', "default-src 'none'");
    response.type('html').send(pageOf(base));
    return;
  }
  const links = Object.fromEntries(PLACES.map(({ name, path }) => [name, `${base}${path}`]));
  response.json({ name: NAME, version: VERSION, about: ABOUT, links });
}

function pageOf(base: string): string {
  const places = PLACES.map(({ path, what }) => h('li', null, h('a', { href: `${base}${path}` }, path), ` – ${what}`));
  const head = h('head', null, h('meta', { charSet: 'utf-8' }), h('title', null, NAME));
  const body = h('body', null, h('h1', null, `${NAME} ${VERSION}`), h('p', null, ABOUT), h('ul', null, places));
  return `<!doctype html>${render(h('html', { lang: 'en' }, head, body))}`;
}
