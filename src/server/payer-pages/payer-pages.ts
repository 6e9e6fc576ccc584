import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { membersOf } from '../../base/members.ts';
import { Refusal } from '../../base/refusal.ts';
import { REFUSAL_KINDS } from '../../base/refusal-kinds.ts';
import { checkFormText, checkQueryText } from '../../base/text/form-text.ts';
import { allFlows } from '../domain/channels/channels.ts';
import type { Flow, FlowPage, Visit } from '../domain/channels/flow.ts';
import type { PageForm, PayerPage, Redirect } from '../domain/pages/payer-page.tsx';
import { WORDS } from '../domain/pages/words.ts';
import { HTML_TYPE, redirect, sendContent } from '../http/answers.ts';
import type { EntryPoint, HttpCall, Route } from '../http/entry-point.ts';
import { keepBody, recordCall } from '../http/recorded-calls.ts';
import { checkFormOrigin } from './form-origin.ts';
import { openPayment } from './open-payment.ts';
import { sendAsset, sendImage } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';
import { sendVersions } from './send-versions.ts';

type PageVisit = Omit<Visit, 'flow'>;

/** The result of a visit. A function sends other content, such as an image. */
type PageResult = PayerPage | Redirect | ((response: ServerResponse) => void | Promise<void>);

interface PageRow extends Route, Pick<FlowPage, 'actions'> {
  method: 'GET' | 'POST';
  /** The flow whose page it is. */
  flow?: string;
  handle(visit: PageVisit): Promise<PageResult>;
}

/** Loaded on demand, because loading the renderer would slow down the start of the sandbox. */
const loadFlowPages = () => import('./flow-pages.tsx');
const loadLinkPage = () => import('./link-page.tsx');
const loadLinkForm = () => import('./submit-link-form.ts');
const loadShopCodePages = () => import('./shop-code-pages.tsx');
const loadScanForm = () => import('./submit-scan-form.ts');
const loadPageParts = () => import('../domain/pages/payer-page.tsx');
const loadPageDocument = () => import('./page-document.tsx');

/** THE TABLE of pages below /pay, besides the pages of flows. */
const PAGES: readonly PageRow[] = [
  {
    method: 'GET',
    path: '/payments/{id}',
    handle: async ({ session, parameters }) => openPayment(session, parameters['id'] ?? ''),
  },
  {
    method: 'GET',
    path: '/link/{token}',
    handle: async ({ session, parameters }) => (await loadLinkPage()).showLink(session, parameters['token'] ?? ''),
  },
  {
    method: 'POST',
    path: '/link/{token}',
    actions: ['pay'],
    handle: async ({ session, parameters, form }) =>
      (await loadLinkForm()).submitLinkForm(session, parameters['token'] ?? '', form),
  },
  {
    method: 'GET',
    path: '/shop/{code}',
    handle: async ({ session, parameters }) =>
      (await loadShopCodePages()).showShopCodeOrImage(session, parameters['code'] ?? ''),
  },
  {
    method: 'GET',
    path: '/scan/{code}',
    handle: async ({ session, parameters }) => (await loadShopCodePages()).showScan(session, parameters['code'] ?? ''),
  },
  {
    method: 'POST',
    path: '/scan/{code}',
    actions: ['approve'],
    handle: async ({ session, parameters, form }) =>
      (await loadScanForm()).submitScanForm(session, parameters['code'] ?? '', form),
  },
  {
    method: 'GET',
    path: '/images/{id}',
    handle: async ({ session, parameters }) => {
      const image = session.reader.get('images', parameters['id'] ?? '');
      return (response) => sendImage(image, response);
    },
  },
  {
    method: 'GET',
    path: '/versions/{kind}/{key}',
    handle: async ({ session, parameters }) => {
      const { kind = '', key = '' } = parameters;
      return (response) => sendVersions(session, kind, key, response);
    },
  },
];

function rowOf(flow: Flow, page: FlowPage): PageRow {
  const handle = async (visit: PageVisit) => (await loadFlowPages()).handleFlowVisit(page, { ...visit, flow });
  const { method, path, actions = [] } = page;
  return { method, path, actions, flow: flow.name, handle };
}

/** A page that a payer can act on. */
export interface ActionPage extends Pick<PageRow, 'path' | 'flow'> {
  actions: readonly string[];
}

export function actionPages(): ActionPage[] {
  return allRows().flatMap(({ path, flow, actions = [] }) =>
    actions.length === 0 ? [] : { path, actions, ...(flow === undefined ? {} : { flow }) },
  );
}

function allRows(): PageRow[] {
  return [...allFlows().flatMap((flow) => flow.pages.map((page) => rowOf(flow, page))), ...PAGES];
}

type OnAction = (page: Pick<PageRow, 'path'>, action: string) => void;

interface PageRoute extends Route {
  answer(call: HttpCall): Promise<void>;
}

/** Pages load these files without a session. */
const ASSETS: PageRoute = {
  method: 'GET',
  path: '/assets/{name}',
  answer: async ({ parameters, response }) => sendAsset(parameters['name'] ?? '', response),
};

/** ENTRY POINT for payers. Serves the pages to which answers link. A GET changes no records. `onAction` is called for a form that redirects. */
export function payerPages(onAction: OnAction): EntryPoint<PageRoute> {
  const pages = allRows().map((page) => ({ ...page, answer: (call: HttpCall) => answerVisit(page, call, onAction) }));
  const routes = [ASSETS, ...pages];
  return {
    prefix: '/pay',
    middleware: [{ handle: express.urlencoded({ extended: false, limit: '64kb', inflate: false, verify: keepForm }) }],
    routes: () => routes,
    serve: (call, route) => route.answer(call),
    async unmatched(_call, allow) {
      if (allow !== null) {
        throw new Refusal('wrong-method', WORDS.wrongMethod, { headers: { Allow: allow } });
      }
      throw new Refusal('unknown-path', WORDS.unknownPage);
    },
    /** Must work without a session, because it may not exist, or there may be too many. */
    async refuse({ kind, message, headers }, { path, response }) {
      const { messagePage } = await loadPageParts();
      const status = REFUSAL_KINDS[kind].status;
      const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
      await sendPage(messagePage(status, WORDS.titles[status] ?? WORDS.otherTitle, sentence), path, response, headers);
    },
  };
}

function keepForm(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  checkFormText(bytes.toString('latin1'));
  keepBody(request, response, bytes);
}

async function answerVisit(row: PageRow, call: HttpCall, onAction: OnAction): Promise<void> {
  const { method, handle, actions } = row;
  const { sessionName, openSession, findSession, parameters, request, response, query, path, body } = call;
  checkQueryText(call.address);
  if (method === 'POST') {
    checkFormOrigin(request.headers);
  }
  // Page addresses come from existing sessions, except those of the default session, which may not be in use yet.
  const session = sessionName === 'default' ? openSession() : findSession();
  if (!session) {
    throw new Refusal('unknown-record', WORDS.unknownSession);
  }
  if (method === 'POST') {
    recordCall(session, 'page', call);
  }
  // A form that is not URL-encoded has no fields here, so it is refused for its missing token.
  const pageVisit = { session, parameters, form: parseForm(method === 'GET' ? query : body) };
  // Changes must be stored before a page shows them.
  const result = await (method === 'GET'
    ? session.read(() => handle(pageVisit))
    : session.callOutcomes.run(() => handle(pageVisit)));
  if (typeof result === 'function') {
    await result(response);
  } else if ('location' in result) {
    const [defaultAction] = actions ?? [];
    const action = actions?.find((each) => each === pageVisit.form['action']) ?? defaultAction;
    if (action !== undefined) {
      onAction(row, action);
    }
    redirect(response, result.location);
  } else {
    await sendPage(result, path, response);
  }
}

/** The fields of a form. The last one counts if a field is repeated. */
function parseForm(fields: unknown): PageForm {
  return Object.fromEntries(
    Object.entries(membersOf(fields)).map(([name, value]) => [name, String([value].flat().at(-1) ?? '')]),
  );
}

async function sendPage(
  page: PayerPage,
  path: string,
  response: ServerResponse,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { renderPage } = await loadPageDocument();
  const headers = { ...pageHeaders(page.links ?? []), ...extraHeaders };
  sendContent(response, HTML_TYPE, renderPage(page, path), { status: page.status ?? 200, headers });
}
