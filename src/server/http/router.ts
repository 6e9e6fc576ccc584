import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { Refusal, refusalForFailure } from '../../base/refusal.ts';
import { lowerCase } from '../../base/text/lower-case.ts';
import type { Session } from '../sessions/session.ts';
import { isSessionName } from '../sessions/sessions.ts';
import type { EntryPoint, HttpCall, Route } from './entry-point.ts';
import { sendStartPage } from './start-page.ts';
import { type Target, targetOf } from './target.ts';

export interface RouterParts {
  findSession(name: string): Session | undefined;
  openSession(name: string): Session;
  /** The base address of a session, which may not exist. */
  baseOf(name: string): string;
  onError(error: unknown): void;
}

/** Serves a request, or refuses it with `unavailable` if its session cannot be used or its body was already read. */
export type CallHandler = (request: IncomingMessage, response: ServerResponse, unavailable?: Refusal) => void;

/** Facts about a request that the router attaches to it. */
interface Arrival {
  target: Target;
  unavailable: Refusal | undefined;
  /** The matching route; for another method, the first one at its path. */
  route: Route | undefined;
  /** The methods that its path accepts, if the request has another one. */
  allow: Set<string> | undefined;
}

const ROUTER_OPTIONS = { caseSensitive: true, strict: true };

/**
 * Builds the router of all entry points. The first entry point whose prefix matches also answers requests that it has no route for. Not
 * an Express application, for the reason in application.ts.
 */
export function routerOf(entryPoints: readonly EntryPoint[], parts: RouterParts): CallHandler {
  const router = express.Router(ROUTER_OPTIONS);
  router.get('/', (request, response, next) => {
    const { address, session } = arrivalOf(request).target;
    return isSessionName(session) ? sendStartPage(request, response, address, parts.baseOf(session)) : next();
  });
  const prefixes = entryPoints.flatMap(({ prefix }) => prefix || []);
  let fallback: RequestHandler = router;
  for (const entryPoint of entryPoints) {
    const handle = handlerFor(entryPoint, parts);
    router.use(entryPoint.prefix || '/', handle);
    fallback = entryPoint.prefix === '' ? handle : fallback;
  }
  return (request, response, unavailable) => {
    const target = targetOf(request);
    // Most calls are to the merchant API, which has no prefix: they go to it directly.
    const handle = target.path === '/' || prefixes.some((prefix) => target.path.startsWith(prefix)) ? router : fallback;
    const expressRequest = request as Request & { [ARRIVAL]?: Arrival };
    expressRequest[ARRIVAL] = { target, unavailable, route: undefined, allow: undefined };
    // Express builds its own redirects from `originalUrl`.
    expressRequest.originalUrl = target.address;
    expressRequest.url = target.url;
    void handle(expressRequest, response as Response, (error: unknown) => {
      parts.onError(error);
      response.destroy();
    });
  };
}

/** A property of the request, because a WeakMap of requests would cost each call several look-ups. */
const ARRIVAL = Symbol('arrival');

function arrivalOf(request: IncomingMessage & { [ARRIVAL]?: Arrival }): Arrival {
  const arrival = request[ARRIVAL];
  if (!arrival) {
    throw new Error('a request reached a route without passing the router');
  }
  return arrival;
}

/** An entry point's router, built again when its table changes. */
function handlerFor(entryPoint: EntryPoint, parts: RouterParts): RequestHandler {
  let routes: readonly Route[] | undefined;
  let router: Router;
  return (request, response, next) => {
    if (entryPoint.routes() !== routes) {
      routes = entryPoint.routes();
      router = routerFor(entryPoint, routes, parts);
    }
    router(request, response, next);
  };
}

function routerFor(entryPoint: EntryPoint, table: readonly Route[], parts: RouterParts): Router {
  const router = express.Router(ROUTER_OPTIONS);
  if (entryPoint.intercept) {
    router.use((request, response, next) => {
      if (!entryPoint.intercept?.(callOf(request, response, parts))) {
        next();
      }
    });
  }
  for (const { path = '/', handle } of entryPoint.middleware) {
    router.use(path, handle);
  }
  for (const [path, routes] of routesByPath(table)) {
    const expressRoute = router.route(expressPath(path));
    for (const route of routes) {
      expressRoute[lowerCase(route.method)]((request, response) => {
        arrivalOf(request).route = route;
        assertAvailable(request);
        return entryPoint.serve(callOf(request, response, parts), route);
      });
    }
    expressRoute.all((request, _response, next) => {
      const arrival = arrivalOf(request);
      arrival.route ??= routes[0];
      arrival.allow = new Set([...(arrival.allow ?? []), ...routes.map(({ method }) => method)]);
      next();
    });
  }
  router.use((request: Request, response: Response) => {
    assertAvailable(request);
    const { allow } = arrivalOf(request);
    return entryPoint.unmatched(callOf(request, response, parts), allow ? [...allow].join(', ') : null);
  });
  router.use((error: unknown, request: Request, response: Response, _next: unknown) =>
    refuse(entryPoint, error, callOf(request, response, parts), parts),
  );
  return router;
}

/** Fixed paths come before those with a parameter, regardless of their order in the table. */
function routesByPath(table: readonly Route[]): [path: string, routes: readonly Route[]][] {
  const paths = [...new Set(table.map(({ path }) => path))];
  const [variable, fixed] = [paths.filter(hasParameter), paths.filter((path) => !hasParameter(path))];
  return [...fixed, ...variable].map((path) => [path, table.filter((route) => route.path === path)]);
}

function hasParameter(path: string): boolean {
  return path.includes('{');
}

async function refuse(entryPoint: EntryPoint, error: unknown, call: HttpCall, parts: RouterParts): Promise<void> {
  const { response } = call;
  try {
    const refusal = refusalOf(error, parts);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    await entryPoint.refuse(refusal, call);
  } catch (failure) {
    parts.onError(failure);
    response.destroy();
  }
}

function callOf(request: Request, response: Response, parts: RouterParts): HttpCall {
  const { target, route } = arrivalOf(request);
  const { session, path, query, address } = target;
  return {
    request,
    response,
    address,
    route,
    // A request that matches a path has a value for each of its parameters.
    parameters: request.params as Record<string, string>,
    path,
    query,
    body: request.body,
    sessionName: session,
    findSession: () => parts.findSession(session),
    openSession: () => parts.findSession(session) ?? createSession(request, session, parts),
  };
}

/** Any page can make a browser send requests, which must not fill the sandbox with sessions. */
function createSession(request: IncomingMessage, name: string, parts: RouterParts): Session {
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    throw new Refusal('forbidden-origin', 'a page of another site cannot create a session');
  }
  return parts.openSession(name);
}

function assertAvailable(request: IncomingMessage): void {
  const { unavailable } = arrivalOf(request);
  if (unavailable) {
    throw unavailable;
  }
}

function refusalOf(error: unknown, { onError }: RouterParts): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  // Errors of Express's body parsers have their own status.
  const { status = 500, message, limit } = error as { status?: number; message?: string; limit?: number };
  if (status === 413) {
    const reason = limit === undefined ? message : `it is larger than ${limit} bytes, the limit here`;
    return new Refusal('body-too-large', `the body is refused: ${reason}`);
  }
  if (status === 415) {
    return new Refusal('wrong-media-type', `the body cannot be read: ${message}`);
  }
  if (status < 500) {
    return new Refusal('malformed-body', `the body cannot be read: ${message}`);
  }
  return refusalForFailure(error, onError);
}

/** `/a/{id}` → `/a/:id`. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
