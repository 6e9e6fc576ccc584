import type { ServerResponse } from 'node:http';
import express from 'express';
import { hasUndeclaredBody, UNDECLARED_BODY } from '../../base/client-error.ts';
import { Refusal } from '../../base/refusal.ts';
import { REFUSAL_KINDS } from '../../base/refusal-kinds.ts';
import { checkQueryText } from '../../base/text/form-text.ts';
import { redirect, sendContent, sendNothing } from '../http/answers.ts';
import { onClosed } from '../http/connection.ts';
import type { EntryPoint, HttpCall } from '../http/entry-point.ts';
import { isByHand } from '../http/is-by-hand.ts';
import { sendJsonInTurns, sendTextInTurns } from '../http/long-answers.ts';
import { keepBody, recordCall } from '../http/recorded-calls.ts';
import { checkAnswer, checkBody, checkQuery } from './checks.ts';
import {
  AnswerWithStatus,
  type ControlOperation,
  type ControlParts,
  PlainText,
  StreamedAnswer,
} from './control-operation.ts';
import { problemOf } from './describe-control.ts';
import { checkCaller, exchangeTokenForCookie, type GuardSettings, reloadWithCookie } from './guard.ts';
import { GUIDE } from './guide.ts';
import { CONTROL_OPERATIONS } from './operations.ts';

/** Limit of an imported state, which may be large. Other bodies have a lower limit, because parsing large ones delays other calls. */
const MAX_STATE_SIZE = '256mb';
const MAX_BODY_SIZE = '4mb';

// JSON that is not an object is accepted here, because the checks report it.
const jsonUpTo = (limit: string) => express.json({ limit, inflate: false, strict: false, verify: keepBody });

const PREFIX = '/_sandbox';

/** Paths without access control: health checks have no token, and clients need the CA before they can make other calls. */
const OPEN_PATHS: ReadonlySet<string> = new Set(
  ['/health', '/health/live', '/health/ready', '/ca.pem'].map((path) => `${PREFIX}${path}`),
);

/** ENTRY POINT for developers and tests. Answers with JSON, texts or event streams; refusals are problem details (RFC 9457). */
export function controlApi(parts: ControlParts, guard: GuardSettings): EntryPoint<ControlOperation> {
  const table = [...CONTROL_OPERATIONS, ...parts.operations];
  // These rows require the access token of a merchant instead of the control token.
  const merchantPaths = table.filter(({ authentication }) => authentication === 'merchant').map(patternOf);
  return {
    prefix: PREFIX,
    intercept(call) {
      if (exchangeTokenForCookie(call, guard) || redirectToConsole(call)) {
        return true;
      }
      if (OPEN_PATHS.has(call.path) || merchantPaths.some((path) => path.test(call.path))) {
        return false;
      }
      if (reloadWithCookie(call, guard)) {
        return true;
      }
      checkCaller(call.request, guard);
      return false;
    },
    middleware: [...GUIDE, { path: '/state', handle: jsonUpTo(MAX_STATE_SIZE) }, { handle: jsonUpTo(MAX_BODY_SIZE) }],
    routes: () => table,
    serve: (call, operation) => answer(parts, call, operation),
    async unmatched({ request, path }, allow) {
      if (allow !== null) {
        throw new Refusal('wrong-method', `use ${allow} here`, { headers: { Allow: allow } });
      }
      const message = `there is no control call ${request.method} ${path}; GET /_sandbox/docs lists them`;
      throw new Refusal('unknown-path', message);
    },
    refuse,
  };
}

function patternOf({ path }: ControlOperation): RegExp {
  return new RegExp(`^${PREFIX}${path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** A screen of the console, or a record on it. */
const SCREEN = /^[a-z]+(\/[\w%-][\w%.~-]*)?$/;

/** Redirects a browser to the console, which explains a missing token. False for other calls. */
function redirectToConsole({ request, response, path, query, address }: HttpCall): boolean {
  const isRoot = request.method === 'GET' && (path === PREFIX || path === `${PREFIX}/`);
  if (isRoot) {
    const { pathname } = new URL(address, 'http://localhost');
    const { screen = '' } = query;
    const place = `console/${SCREEN.test(screen) ? screen : ''}`;
    redirect(response, pathname.endsWith('/') ? place : `_sandbox/${place}`);
  }
  return isRoot;
}

async function answer(parts: ControlParts, call: HttpCall, operation: ControlOperation): Promise<void> {
  const { request, response, parameters, sessionName, openSession } = call;
  checkQueryText(call.address);
  const query = await checkQuery(operation, call.query);
  if (hasUndeclaredBody(request)) {
    throw new Refusal('malformed-body', UNDECLARED_BODY);
  }
  const body = await checkBody(operation, call.body);
  const { 'last-event-id': lastEventId, authorization } = request.headers;
  const signal = abortSignalOf(response);
  const result = await operation.handle({
    parts,
    sessionName,
    openSession,
    parameters,
    query,
    body,
    authorization,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    isByHand: isByHand(request.headers),
    signal,
    record: (session) => recordCall(session, 'control', call),
  });
  if (result instanceof StreamedAnswer) {
    result.begin(response);
  } else if (result instanceof PlainText) {
    await sendTextInTurns(response, result.mediaType, result.text, { headers: result.headers });
  } else if (result === undefined) {
    sendNothing(response);
  } else {
    const { status, body: content } = result instanceof AnswerWithStatus ? result : { status: 200, body: result };
    if (parts.checkAnswers) {
      await checkAnswer(operation, content);
    }
    await sendJsonInTurns(response, content, { status });
  }
}

function abortSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  onClosed(response, () => {
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
  const status = REFUSAL_KINDS[kind].status;
  const problem = { ...problemOf(kind, message), findings, ...details };
  sendContent(response, 'application/problem+json; charset=utf-8', JSON.stringify(problem), { status, headers });
}
