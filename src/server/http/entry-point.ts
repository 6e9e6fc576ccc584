import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '../../base/refusal.ts';
import type { Session } from '../sessions/session.ts';

/** The fields that the router reads from each row of an entry point's table. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the entry point's prefix; `{name}` matches one segment. */
  path: string;
}

/** One request, with the parts of its address. */
export interface HttpCall<R extends Route = Route> {
  request: IncomingMessage;
  response: ServerResponse;
  /** The path with its query, and with the session's prefix. */
  address: string;
  /** The matching route; for another method the first one at that path; undefined for an unknown path. */
  route: R | undefined;
  /** The decoded segments at the placeholders of the route's path. */
  parameters: Readonly<Record<string, string>>;
  /** Without the session's prefix and the query. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** The parsed body; undefined without a body parser. */
  body: unknown;
  /** The name of the request's session, which may not exist yet. */
  sessionName: string;
  findSession(): Session | undefined;
  /** Creates the session if it does not exist. Throws a Refusal if it cannot be created or used. */
  openSession(): Session;
}

/** Express middleware: a body parser, or a folder of files. */
export interface Middleware {
  /** A path below the entry point's prefix; it and all paths below it match. Default: every path. */
  path?: string;
  handle(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): unknown;
}

/** A group of routes, such as the merchant API or the console, with its own path prefix and form of refusals. */
export interface EntryPoint<R extends Route = Route> {
  /** The beginning of all its paths; empty for the entry point that serves all other paths. */
  prefix: string;
  /** Checks a call before its body is read. Returns true if it has answered; throws a refusal if the call is not allowed. */
  intercept?(call: HttpCall<R>): boolean;
  /** Runs before the routes. */
  middleware: readonly Middleware[];
  /** The table of routes. A different array means that they have changed. */
  routes(): readonly R[];
  /** Answers a request. Errors that it throws are answered by `refuse`. */
  serve(call: HttpCall<R>, route: R): Promise<void>;
  /**
   * Answers a request that no route matches, or throws its refusal. `allow` lists the methods that its path accepts, as in the header
   * of a 405; null for an unknown path.
   */
  unmatched(call: HttpCall<R>, allow: string | null): Promise<void>;
  /** Answers with a refusal, in the entry point's form. */
  refuse(refusal: Refusal, call: HttpCall<R>): Promise<void>;
}
