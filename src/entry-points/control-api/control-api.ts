import express from 'express';
import { REFUSAL_STATUS, Refusal } from '../../base/refusal.ts';
import type { EntryPoint, HttpCall } from '../../http/entry-point.ts';
import { DOCS_FOLDERS, DOCS_HEADERS, setFileHeaders } from '../../http/openapi/docs-page.ts';
import { checkAnswer, checkBody, checkQuery } from './checks.ts';
import { problemOf } from './describe.ts';
import { checkCaller, type GuardSettings, letBrowserIn, letLinkIn } from './guard.ts';
import {
  AnswerWithStatus,
  type ControlOperation,
  type ControlParts,
  HtmlPage,
  PlainText,
  StreamedAnswer,
} from './operation.ts';
import { CONTROL_OPERATIONS } from './operations.ts';

/** A whole state can be put back, so its body may be large; reading any other one holds up nobody for long. */
const MAX_STATE = '256mb';
const MAX_BODY = '4mb';

// What is JSON and yet no object is for the checks to name.
const jsonUpTo = (limit: string) => express.json({ limit, inflate: false, strict: false });

/** Whatever watches over processes may ask whether it is up, and a CA is needed before anything else can be asked. */
const OPEN_PATHS: ReadonlySet<string> = new Set(['/health', '/health/live', '/health/ready', '/ca.pem']);

/** ENTRY POINT: the developer and the test. JSON; refusals as problem details (RFC 9457). */
export function controlApi(parts: ControlParts, guard: GuardSettings): EntryPoint<ControlOperation> {
  const [readState, readBody] = [jsonUpTo(MAX_STATE), jsonUpTo(MAX_BODY)];
  return {
    prefix: '/_sandbox',
    before: [
      (request, response, next) => {
        if (letBrowserIn(request, response, guard) || leadsToConsole(request, response)) {
          return;
        }
        if (!OPEN_PATHS.has(request.path)) {
          if (letLinkIn(request, response, guard)) {
            return;
          }
          checkCaller(request, guard);
        }
        next();
      },
      ...DOCS_FOLDERS.map((folder) =>
        express
          .Router()
          .use('/docs', express.static(folder, { index: false, redirect: false, setHeaders: setFileHeaders })),
      ),
      (request, response, next) => (request.path === '/state' ? readState : readBody)(request, response, next),
    ],
    routes: () => CONTROL_OPERATIONS,
    serve: (call, operation) => answer(parts, call, operation),
    async unmatched({ request, path }, allow) {
      if (allow !== null) {
        throw new Refusal('wrong-method', `use ${allow} here`, { headers: { Allow: allow } });
      }
      const words = `there is no control call ${request.method} ${path}; GET /_sandbox/docs lists them`;
      throw new Refusal('unknown-path', words);
    },
    refuse,
  };
}

/** A screen of the console, or what is open on it. */
const SCREEN = /^[a-z]+(\/[\w%-][\w%.~-]*)?$/;

/** What a browser finds at the address of the control API itself: the console, which says what is missing where it is not let in. */
function leadsToConsole(request: express.Request, response: express.Response): boolean {
  const isLed = request.method === 'GET' && request.path === '/' && request.accepts(['json', 'html']) === 'html';
  if (isLed) {
    const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
    const screen = searchParams.get('screen') ?? '';
    const place = `console/${SCREEN.test(screen) ? screen : ''}`;
    response.vary('Accept').redirect(303, pathname.endsWith('/') ? place : `_sandbox/${place}`);
  }
  return isLed;
}

async function answer(parts: ControlParts, call: HttpCall, operation: ControlOperation): Promise<void> {
  const { request, response, parameters, sessionName, openSession } = call;
  const query = await checkQuery(operation, call.query);
  const body = await checkBody(operation, request.body);
  const lastEventId = request.get('last-event-id');
  const signal = signalOf(response);
  const result = await operation.handle({
    parts,
    sessionName,
    openSession,
    parameters,
    query,
    body,
    lastEventId,
    signal,
  });
  if (result instanceof StreamedAnswer) {
    result.begin(response);
  } else if (result instanceof HtmlPage) {
    response.set(DOCS_HEADERS).type('html').send(result.html);
  } else if (result instanceof PlainText) {
    // As bytes: what is no text has no charset.
    response.set('Content-Type', result.mediaType).send(Buffer.from(result.text));
  } else if (result === undefined) {
    response.status(204).end();
  } else {
    const { status, body: content } = result instanceof AnswerWithStatus ? result : { status: 200, body: result };
    if (parts.checkAnswers) {
      await checkAnswer(operation, content);
    }
    response.status(status).json(content);
  }
}

function signalOf(response: express.Response): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) {
      controller.abort();
    }
  });
  return controller.signal;
}

async function refuse(
  { kind, message, findings, details, headers }: Refusal,
  { response }: HttpCall<ControlOperation>,
): Promise<void> {
  const status = REFUSAL_STATUS[kind];
  const problem = { ...problemOf(kind, message), findings, ...details };
  response.status(status).set(headers).type('application/problem+json').send(JSON.stringify(problem));
}
