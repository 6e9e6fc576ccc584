import type { IncomingMessage, ServerResponse } from 'node:http';
import { VERSION } from '../../base/package.ts';
import { prefersHtml, redirect, sendJson } from './answers.ts';

const NAME = 'merchant-sandbox';
const ABOUT = 'A local stand-in for a merchant payments service. No money moves.';

const LINKS = {
  console: '/_sandbox/console/overview',
  guide: '/_sandbox/guide/',
  docs: '/_sandbox/docs',
  openApi: '/_sandbox/openapi.json',
  requests: '/_sandbox/requests',
  payments: '/_sandbox/payments',
  phone: '/pay/phone',
  wallet: '/pay/approve',
} as const;

/** Answers the base address: redirects browsers to the console, and returns the main addresses to others as JSON. */
export function sendStartPage(request: IncomingMessage, response: ServerResponse, address: string, base: string): void {
  const headers = { Vary: 'Accept' };
  if (prefersHtml(request)) {
    // Relative, because a proxy may serve it below another path. With the query, because the control token may be in it.
    const { pathname, search } = new URL(address, 'http://localhost');
    const location = `${pathname.endsWith('/') ? '' : `${pathname.slice(pathname.lastIndexOf('/') + 1)}/`}_sandbox/${search}`;
    redirect(response, location, headers);
    return;
  }
  const links = Object.fromEntries(Object.entries(LINKS).map(([name, path]) => [name, `${base}${path}`]));
  sendJson(response, { name: NAME, version: VERSION, about: ABOUT, links }, { headers });
}
