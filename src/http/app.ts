import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response, type Router } from 'express';
import { Refusal, refusalForFailure } from '../base/refusal.ts';
import type { Session } from '../sessions/session.ts';
import type { EntryPoint, HttpCall, PlainCall, PlainEntryPoint, Route } from './entry-point.ts';
import { sendStartPage } from './start-page.ts';
import { routableAddress, type Target, targetOf } from './target.ts';

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
 * prefix fits takes a request, and answers it whatever happens. The last one, `main`, is what most calls are for: its
 * fixed paths are looked up, since Express slows down whatever Node.js does with a request that it has touched.
 */
export function createApp(entryPoints: readonly EntryPoint[], main: PlainEntryPoint, parts: AppParts): App {
  const app = expressApp([...entryPoints, main], parts);
  const prefixes = entryPoints.map(({ prefix }) => prefix);
  const serveFixedPath = fixedPathsOf(main, prefixes, parts);
  return (request, response, unavailable) => {
    if (unavailable) {
      refused.set(request, unavailable);
    }
    if (!serveFixedPath(request, response)) {
      // Express would keep the origin before every part of the path that it takes off.
      request.url = routableAddress(request.url);
      app(request, response);
    }
  };
}

/** Serves a request. The refusal says why its session cannot be had. */
export type App = (request: IncomingMessage, response: ServerResponse, unavailable?: Refusal) => void;

/** Why the sessions of some requests cannot be had. */
const refused = new WeakMap<IncomingMessage, Refusal>();

function expressApp(entryPoints: readonly EntryPoint[], parts: AppParts): Express {
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

const NO_PARAMETERS: Readonly<Record<string, string>> = Object.freeze({});

/** Serves a request to exactly such a path as Express would; false for any other, which is left to it. */
function fixedPathsOf(
  entryPoint: PlainEntryPoint,
  prefixes: readonly string[],
  parts: AppParts,
): (...given: Parameters<RequestListener>) => boolean {
  let table: readonly Route[] | undefined;
  let routes = new Map<string, Route>();
  const isOthers = (path: string) => path === '/' || prefixes.some((prefix) => `${path}/`.startsWith(`${prefix}/`));
  const answer = async (call: PlainCall, route: Route) => {
    try {
      await entryPoint.serve(call, route);
    } catch (error) {
      await refuse(entryPoint, error, call, parts);
    }
  };
  return (request, response) => {
    if (entryPoint.routes() !== table) {
      table = entryPoint.routes();
      const fixed = table.filter(({ path }) => !path.includes('{') && !isOthers(path));
      routes = new Map(fixed.toReversed().map((route) => [`${route.method} ${route.path}`, route]));
    }
    const target = targetOf(request);
    const route = routes.get(`${request.method} ${target.path}`);
    if (route) {
      void answer({ ...callOf(request, target, parts), response, route, parameters: NO_PARAMETERS }, route);
    }
    return route !== undefined;
  };
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
      expectAvailable(request);
      return entryPoint.serve(expressCallOf(request, response, parts), route);
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
    return entryPoint.unmatched(expressCallOf(request, response, parts), allow ? [...allow].join(', ') : null);
  });
  router.use((error: unknown, request: Request, response: Response, _next: unknown) =>
    refuse(entryPoint, error, expressCallOf(request, response, parts), parts),
  );
  return router;
}

async function refuse<C extends PlainCall>(
  entryPoint: { refuse(refusal: Refusal, call: C): Promise<void> },
  error: unknown,
  call: C,
  parts: AppParts,
): Promise<void> {
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

function expressCallOf(request: Request, response: Response, parts: AppParts): HttpCall {
  const { target, route } = localsOf(response);
  const parameters = request.params as Record<string, string>;
  return { ...callOf(request, target, parts), response, route, parameters };
}

/** What a call's address says. */
function callOf<Q extends IncomingMessage>(request: Q, { session, path, query }: Target, parts: AppParts) {
  return {
    request,
    path,
    query,
    sessionName: session,
    findSession: () => findSession(request, session, parts),
    openSession: () => findSession(request, session, parts) ?? makeSession(request, session, parts),
  };
}

function findSession(request: IncomingMessage, name: string, parts: AppParts): Session | undefined {
  expectAvailable(request);
  return parts.findSession(name);
}

/** Any page can make a browser send a request that changes nothing; that must not fill the sandbox with sessions. */
function makeSession(request: IncomingMessage, name: string, parts: AppParts): Session {
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    throw new Refusal('forbidden-origin', 'a page of another site cannot make a session');
  }
  return parts.openSession(name);
}

/** Before anything of the request is looked at: its body may have gone to another node already. */
function expectAvailable(request: IncomingMessage): void {
  const unavailable = refused.get(request);
  if (unavailable) {
    throw unavailable;
  }
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
  return refusalForFailure(error, onError);
}

/** `/a/{id}` → `/a/:id`. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function lowerCase<M extends Route['method']>(method: M): Lowercase<M> {
  return method.toLowerCase() as Lowercase<M>;
}
