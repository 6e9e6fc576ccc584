import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Refusal } from '../base/refusal.ts';
import type { Session } from '../sessions/session.ts';

/** What a row of an entry point's table says to the router; what else it says is the entry point's own business. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the entry point's prefix; `{name}` stands for one segment. */
  path: string;
}

/** One request on its way, with what its address says. */
export interface HttpCall<
  R extends Route = Route,
  Q extends IncomingMessage = Request,
  S extends ServerResponse = Response,
> {
  request: Q;
  response: S;
  /** The route that takes it; for another method the first one at that path; undefined where nothing is. */
  route: R | undefined;
  /** The segments that stand in braces in the route's path, decoded. */
  parameters: Readonly<Record<string, string>>;
  /** Without the session's prefix and the query. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The session that the request names, which may have none yet. */
  sessionName: string;
  /** That session, if there is one. */
  findSession(): Session | undefined;
  /**
   * That session, made now if there is none. Throws for a bad name, where there are too many, or where a page of another site
   * asks for one.
   */
  openSession(): Session;
}

/** A reason to come in, as the adapter sees it: where its routes are, and how it answers. */
export interface EntryPoint<
  R extends Route = Route,
  Q extends IncomingMessage = Request,
  S extends ServerResponse = Response,
> {
  /** What all its paths begin with; empty for the entry point that takes the rest. */
  prefix: string;
  /** What runs before a route is looked for: guards, body parsers. */
  before: readonly RequestHandler[];
  /** The table. Another array than before means that the routes have changed. */
  routes(): readonly R[];
  /** Answers a request. What it throws is answered by `refuse`. */
  serve(call: HttpCall<R, Q, S>, route: R): Promise<void>;
  /**
   * Answers, or throws the refusal of, a request that no route takes. `allow` names the methods that are taken at its path,
   * as the header of a 405 does; null where nothing is.
   */
  unmatched(call: HttpCall<R, Q, S>, allow: string | null): Promise<void>;
  /** Says no in the entry point's own form. */
  refuse(refusal: Refusal, call: HttpCall<R, Q, S>): Promise<void>;
}

/** An entry point that needs only what Node.js itself has of a request, and runs nothing before its routes. */
export type PlainEntryPoint<R extends Route = Route> = Omit<
  EntryPoint<R, IncomingMessage, ServerResponse>,
  'before'
> & {
  before: readonly [];
};

export type PlainCall<R extends Route = Route> = HttpCall<R, IncomingMessage, ServerResponse>;
