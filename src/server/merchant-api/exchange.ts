import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Generation } from '../sessions/generation.ts';
import type { Session } from '../sessions/session.ts';

/** One request and its response, with the session that it names. */
export interface Exchange {
  session: Session;
  /** The session's generation when the request arrived. If a reset or deletion has ended it before the answer, the call is refused. */
  generation: Generation;
  request: IncomingMessage;
  response: ServerResponse;
  /** The path with its query, and with the session's prefix. */
  address: string;
  path: string;
  query: Readonly<Record<string, string>>;
}

export function requestedScenario({ request }: Exchange): string | undefined {
  const name = request.headers['x-sandbox-scenario'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}
