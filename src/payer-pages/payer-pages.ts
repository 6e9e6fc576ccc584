import { readFileSync } from 'node:fs';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Target } from '../http/target.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { REFUSAL_STATUS, Refusal } from '../refusal.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { headersOf } from './headers.ts';
import { sendVersions } from './live.ts';
import type { Form, Page, Redirect } from './page.tsx';

/** What the pages load from this server, and nothing from anywhere else. */
const ASSETS: Readonly<Record<string, string>> = { 'payer.css': 'text/css', 'payer.js': 'text/javascript' };

interface Visit {
  session: Session;
  parameters: Readonly<Record<string, string>>;
  /** A form's fields, or the query of a GET. */
  form: Form;
}

/** Rendering is loaded with the first page, not with the sandbox. */
const checkout = () => import('./checkout.tsx');
const challenge = () => import('./challenge.tsx');
const approval = () => import('./approval.tsx');
const link = () => import('./payment-link.tsx');
const payLink = () => import('./pay-link.ts');
const phone = () => import('./phone.tsx');
const frame = () => import('./page.tsx');

/** THE TABLE of pages, below /pay. */
const PAGES: readonly { method: 'get' | 'post'; path: string; show(visit: Visit): Promise<Page | Redirect> }[] = [
  {
    method: 'get',
    path: '/checkout',
    show: async ({ session, form }) => (await checkout()).showCheckout(session, form['paymentCode'] ?? ''),
  },
  {
    method: 'post',
    path: '/checkout',
    show: async ({ session, form }) => (await checkout()).takeCheckout(session, form),
  },
  {
    method: 'get',
    path: '/checkout/challenge',
    show: async ({ session, form }) => (await challenge()).showChallenge(session, form),
  },
  {
    method: 'post',
    path: '/checkout/challenge',
    show: async ({ session, form }) => (await challenge()).takeChallenge(session, form),
  },
  {
    method: 'get',
    path: '/approve',
    show: async ({ session, form }) => (await approval()).showCodeForm(session, form['paymentCode']),
  },
  {
    method: 'get',
    path: '/approve/:code',
    show: async ({ session, parameters }) => (await approval()).showApproval(session, parameters['code'] ?? ''),
  },
  {
    method: 'post',
    path: '/approve/:code',
    show: async ({ session, parameters, form }) =>
      (await approval()).takeApproval(session, parameters['code'] ?? '', form),
  },
  {
    method: 'get',
    path: '/link/:token',
    show: async ({ session, parameters }) => (await link()).showLink(session, parameters['token'] ?? ''),
  },
  {
    method: 'post',
    path: '/link/:token',
    show: async ({ session, parameters, form }) => (await payLink()).takeLink(session, parameters['token'] ?? '', form),
  },
  {
    method: 'get',
    path: '/phone',
    show: async ({ session, form }) => (await phone()).showPhoneForm(session, form['mobile']),
  },
  {
    method: 'get',
    path: '/phone/:mobile',
    show: async ({ session, parameters }) => (await phone()).showPhone(session, parameters['mobile'] ?? ''),
  },
  {
    method: 'post',
    path: '/phone/:mobile',
    show: async ({ session, parameters, form }) => (await phone()).takePin(session, parameters['mobile'] ?? '', form),
  },
];

/** The payer's pages: what the addresses in answers lead to. A GET changes nothing. */
export function payerPages(sessions: Sessions, onError: (error: unknown) => void): Router {
  const router = express.Router();
  const sessionOf = (response: Response) => sessions.open((response.locals['target'] as Target).session);
  router.use(express.urlencoded({ extended: false, limit: '64kb' }));
  router.get('/assets/:name', sendAsset);
  router.get('/images/:id', (request, response) =>
    sendImage(sessionOf(response), String(request.params['id']), response),
  );
  router.get('/versions/:kind/:key', (request, response) =>
    sendVersions(sessionOf(response), request.params.kind, request.params.key, response),
  );
  for (const { method, path, show } of PAGES) {
    router[method](path, async (request, response) => {
      const session = sessionOf(response);
      const parameters = request.params as Record<string, string>;
      const visit = { session, parameters, form: (request.body ?? request.query) as Form };
      await send(response, await (method === 'get' ? session.read(() => show(visit)) : show(visit)));
    });
  }
  router.use(() => {
    throw new Refusal('unknown-path', 'There is no such page.');
  });
  router.use(async (error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    await sendProblem(error, response, onError);
  });
  return router;
}

async function send(response: Response, answer: Page | Redirect): Promise<void> {
  if ('location' in answer) {
    response.redirect(303, answer.location);
    return;
  }
  const { documentOf } = await frame();
  const { path } = response.locals['target'] as Target;
  response
    .status(answer.status ?? 200)
    .set(headersOf(answer.links ?? []))
    .type('html')
    .send(documentOf(answer, path));
}

const PROBLEM_TITLES: Readonly<Record<number, string>> = { 404: 'Nothing here', 429: 'Too many sessions' };

/** Needs no session: there may be none, and no room for another. */
async function sendProblem(error: unknown, response: Response, onError: (error: unknown) => void): Promise<void> {
  const isOurs = error instanceof Refusal;
  if (!isOurs) {
    onError(error);
  }
  const { messagePage } = await frame();
  const status = isOurs ? REFUSAL_STATUS[error.kind] : 500;
  const text = isOurs ? error.message : 'The sandbox failed. Its log says why.';
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
  await send(response, messagePage(status, PROBLEM_TITLES[status] ?? 'This did not work', sentence));
}

function sendAsset(request: Request, response: Response): void {
  const name = String(request.params['name']);
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  if (type === undefined) {
    throw new Refusal('unknown-path', 'There is no such page.');
  }
  response
    .set('X-Content-Type-Options', 'nosniff')
    .type(type)
    .send(readFileSync(`${PACKAGE_ROOT}assets/${name}`, 'utf8'));
}

/** An image never changes under its id, and its kind was found out from its content. */
async function sendImage(session: Session, id: string, response: Response): Promise<void> {
  const image = await session.get('images', id);
  if (!image) {
    throw new Refusal('unknown-record', 'There is no such image.');
  }
  response.set({
    'Content-Type': image.mediaType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  response.end(Buffer.from(image.base64, 'base64'));
}
