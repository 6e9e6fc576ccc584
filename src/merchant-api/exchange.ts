import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Session } from '../sessions/session.ts';

/** One request on its way: where it goes and what came of it so far. */
export interface Exchange {
  session: Session;
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  query: Readonly<Record<string, string>>;
}
