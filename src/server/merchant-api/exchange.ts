import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Generation } from '../sessions/generation.ts';
import type { Session } from '../sessions/session.ts';

/** One request on its way: where it goes and what came of it so far. */
export interface Exchange {
  session: Session;
  /** The one that the call came in; what is over by the time of the answer must not be answered. */
  generation: Generation;
  request: IncomingMessage;
  response: ServerResponse;
  /** The path with its query, as they came. */
  address: string;
  path: string;
  query: Readonly<Record<string, string>>;
}

/** The scenario that a request names by its header X-Sandbox-Scenario. */
export function scenarioAskedFor({ request }: Exchange): string | undefined {
  const name = request.headers['x-sandbox-scenario'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}
