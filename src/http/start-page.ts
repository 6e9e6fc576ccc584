import type { Request, Response } from 'express';
import { VERSION } from '../base/package.ts';

const NAME = 'merchant-sandbox';
const ABOUT = 'A local stand-in for a merchant payments service. No money moves.';

/** Where to go from the base address, below it. */
const PLACES = {
  console: '/_sandbox/console/payments',
  docs: '/_sandbox/docs',
  openApi: '/_sandbox/openapi.json',
  requests: '/_sandbox/requests',
  payments: '/_sandbox/payments',
  phone: '/pay/phone',
  wallet: '/pay/approve',
} as const;

/** What somebody finds who opens the base address itself: for a browser the console, for others where to go from there, as JSON. */
export function sendStartPage(request: Request, response: Response, base: string): void {
  response.vary('Accept');
  if (request.accepts(['json', 'html']) === 'html') {
    // Relative, since a proxy may serve it below a path of its own.
    const { pathname } = new URL(request.originalUrl, 'http://localhost');
    response.redirect(
      303,
      `${pathname.endsWith('/') ? '' : `${pathname.slice(pathname.lastIndexOf('/') + 1)}/`}_sandbox/`,
    );
    return;
  }
  const links = Object.fromEntries(Object.entries(PLACES).map(([name, path]) => [name, `${base}${path}`]));
  response.json({ name: NAME, version: VERSION, about: ABOUT, links });
}
