import { redactSentence } from '../../base/masking/redact.ts';
import { Refusal, refusalLabel } from '../../base/refusal.ts';
import { errorBody, statusOf } from '../domain/wire/envelopes.ts';
import type { EntryPoint, HttpCall } from '../http/entry-point.ts';
import type { CallWithoutSession } from '../http/log-lines.ts';
import type { Exchange } from './exchange.ts';
import { type PipelineParts, serve, serveUnmatched, type UnmatchedCall } from './pipeline.ts';
import { readForLog } from './request-body/request-body.ts';
import { type MerchantRoute, nearestRoute, routesOf } from './routes.ts';
import { sendAnswer } from './send-answer.ts';

export interface MerchantApiParts extends PipelineParts {
  /** Called before a call is served. */
  onCall(): void;
  /** Called after a call is refused before it gets a session. */
  onCallWithoutSession(call: CallWithoutSession): void;
}

/** ENTRY POINT for the merchant's integration. Serves the operations table; a refusal has the envelope of its operation. */
export function merchantApi({ onCall, onCallWithoutSession, ...parts }: MerchantApiParts): EntryPoint<MerchantRoute> {
  let routedFixtures = parts.fixtures();
  let routes = routesOf(routedFixtures);
  const currentRoutes = () => {
    if (routedFixtures !== parts.fixtures()) {
      routedFixtures = parts.fixtures();
      routes = routesOf(routedFixtures);
    }
    return routes;
  };
  return {
    prefix: '',
    middleware: [],
    routes: currentRoutes,
    serve(call, route) {
      onCall();
      return serve(exchangeOf(call), route, call.parameters, parts);
    },
    unmatched(call, allow) {
      onCall();
      const unmatchedCall = allow === null ? unknownPath(call, currentRoutes()) : methodNotAllowed(call, allow);
      return serveUnmatched(exchangeOf(call), unmatchedCall, parts);
    },
    async refuse(refusal, call) {
      onCallWithoutSession(await refuseSession(refusal, call, parts));
    },
  };
}

function exchangeOf({ openSession, request, response, address, path, query }: HttpCall): Exchange {
  const session = openSession();
  return { session, generation: session.generation, request, response, address, path, query };
}

function methodNotAllowed({ request, path, route }: HttpCall<MerchantRoute>, allow: string): UnmatchedCall {
  const message = `${request.method} is not served at ${quotePath(path)}; use ${allow}`;
  return { refusal: new Refusal('wrong-method', message, { headers: { Allow: allow } }), route, nearest: null };
}

function unknownPath({ request, path }: HttpCall, routes: readonly MerchantRoute[]): UnmatchedCall {
  const route = nearestRoute(routes, request.method ?? '', path);
  const nearest = route === undefined ? null : `${route.method} ${route.path}`;
  const hint =
    nearest === null ? 'there is no such operation; GET /_sandbox/docs lists all of them' : `did you mean ${nearest}?`;
  const message = `nothing is served at ${request.method} ${quotePath(path)}; ${hint}`;
  return { refusal: new Refusal('unknown-path', message), route: undefined, nearest };
}

function quotePath(path: string): string {
  return JSON.stringify(path.slice(0, 200));
}

/** Without a session there is no request log, only an answer and a line in the sandbox's log. */
async function refuseSession(
  refusal: Refusal,
  { request, response, route, path, sessionName }: HttpCall<MerchantRoute>,
  { fixtures, isNegotiated }: PipelineParts,
): Promise<CallWithoutSession> {
  // Reading fails if the client has left; then nobody receives the answer.
  await readForLog(request).catch(() => undefined);
  const currentFixtures = fixtures();
  const status = statusOf(refusal, currentFixtures);
  const body = errorBody(route?.operation.envelope ?? 'query', status, refusal.message, currentFixtures);
  const outcome = refusalLabel(refusal);
  const headers = { ...refusal.headers, 'X-Sandbox-Outcome': outcome };
  sendAnswer(response, { status, text: JSON.stringify(body), isNegotiated, headers });
  return {
    method: request.method ?? '',
    path: redactSentence(path),
    operation: route?.operation.name ?? null,
    session: redactSentence(sessionName),
    status,
    outcome,
    reason: refusal.message,
  };
}
