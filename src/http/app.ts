import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express';
import { Refusal } from '../refusal.ts';
import type { Session } from '../sessions/session.ts';
import type { EntryPoint, HttpCall, Route } from './entry-point.ts';
import { sendStartPage } from './start-page.ts';
import { type Target, targetOf } from './target.ts';

/** What the adapter needs of the sandbox around it. */
export interface AppParts {
  findSession(name: string): Session | undefined;
  openSession(name: string): Session;
  /** The base address of the session of that name, which there may not be. */
  baseOf(name: string): string;
  onError(error: unknown): void;
}

interface Locals {
  target: Target;
  route?: Route;
  /** Methods that are taken at the request's path, where its own is not. */
  allow?: Set<string>;
}

/**
 * The one way in: every route of every entry point is an Express route made from its table. The first entry point whose
 * prefix fits takes a request, and answers it whatever happens.
 */
export function createApp(entryPoints: readonly EntryPoint[], parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    const target = targetOf(request);
    response.locals['target'] = target;
    request.url = target.url;
    next();
  });
  app.get('/', (request, response) =>
    sendStartPage(request, response, parts.baseOf(localsOf(response).target.session)),
  );
  for (const entryPoint of entryPoints) {
    app.use(entryPoint.prefix, mount(entryPoint, parts));
  }
  return app;
}

/** An entry point's router, made anew when its table changes. */
function mount(entryPoint: EntryPoint, parts: AppParts): RequestHandler {
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

/** Express's matching costs a payment about 2 % (3 µs in some 60 routes): too little for a lookup of our own. */
function routerFor(entryPoint: EntryPoint, table: readonly Route[], parts: AppParts): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const handler of entryPoint.before) {
    router.use(handler);
  }
  // A fixed path goes before one with a parameter, wherever they stand in the table.
  const routes = [...table].sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
  for (const route of routes) {
    router[lowerCase(route.method)](expressPath(route.path), (request, response) => {
      localsOf(response).route = route;
      return entryPoint.serve(callOf(request, response, parts), route);
    });
  }
  for (const route of routes) {
    router.all(expressPath(route.path), (_request, response, next) => {
      const locals = localsOf(response);
      locals.route ??= route;
      locals.allow = new Set(locals.allow).add(route.method);
      next();
    });
  }
  router.use((request: Request, response: Response) => {
    const { allow } = localsOf(response);
    return entryPoint.unmatched(callOf(request, response, parts), allow ? [...allow].join(', ') : null);
  });
  router.use(async (error: unknown, request: Request, response: Response, _next: unknown) => {
    try {
      const refusal = refusalOf(error, parts);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      await entryPoint.refuse(refusal, callOf(request, response, parts));
    } catch (failure) {
      parts.onError(failure);
      response.destroy();
    }
  });
  return router;
}

function callOf(request: Request, response: Response, parts: AppParts): HttpCall {
  const { target, route } = localsOf(response);
  return {
    request,
    response,
    route,
    parameters: request.params as Record<string, string>,
    path: target.path,
    query: target.query,
    sessionName: target.session,
    findSession: () => parts.findSession(target.session),
    openSession: () => parts.findSession(target.session) ?? makeSession(request, target.session, parts),
  };
}

/** Any page can make a browser send a request that changes nothing; that must not fill the sandbox with sessions. */
function makeSession(request: Request, name: string, parts: AppParts): Session {
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    throw new Refusal('forbidden-origin', 'a page of another site cannot make a session');
  }
  return parts.openSession(name);
}

function localsOf(response: Response): Locals {
  return response.locals as Locals;
}

/** Everything that is not meant to fail is our failure; its cause goes to the log and not to the caller. */
function refusalOf(error: unknown, { onError }: AppParts): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  // What Express's body parsers refuse carries a status of its own.
  const { status = 500, message, limit } = error as { status?: number; message?: string; limit?: number };
  if (status === 413) {
    const why = limit === undefined ? message : `it is larger than ${limit} bytes, the most that is taken here`;
    return new Refusal('body-too-large', `the body is not taken: ${why}`);
  }
  if (status === 415) {
    return new Refusal('wrong-media-type', `the body cannot be read: ${message}`);
  }
  if (status < 500) {
    return new Refusal('malformed-body', `the body cannot be read: ${message}`);
  }
  onError(error);
  return new Refusal('internal-error', 'the sandbox failed; its log says why');
}

/** `/a/{id}` → `/a/:id`. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function lowerCase<M extends Route['method']>(method: M): Lowercase<M> {
  return method.toLowerCase() as Lowercase<M>;
}
