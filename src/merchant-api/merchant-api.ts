import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fixtures } from '../config/fixtures.ts';
import type { Target } from '../http/target.ts';
import { Refusal } from '../refusal.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { errorBody, statusOf } from '../wire/envelopes.ts';
import { type PipelineParts, serve } from './pipeline.ts';
import { Router } from './router.ts';

export type MerchantApi = (target: Target, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** DOOR 1: the merchant's integration. Serves the operations table for every session. */
export function merchantApi(sessions: Sessions, parts: Omit<PipelineParts, 'router'>): MerchantApi {
  let router = new Router(parts.fixtures());
  let made = parts.fixtures();
  const routerNow = () => {
    if (made !== parts.fixtures()) {
      made = parts.fixtures();
      router = new Router(made);
    }
    return router;
  };
  return async ({ session: name, path, query }, request, response) => {
    try {
      const session = sessions.open(name);
      await serve({ session, request, response, path, query }, { ...parts, router: routerNow });
    } catch (error) {
      refuseSession(error, parts.fixtures(), request, response);
    }
  };
}

/** Without a session there is no request log and no operation yet, only an answer. */
function refuseSession(error: unknown, fixtures: Fixtures, request: IncomingMessage, response: ServerResponse): void {
  if (!(error instanceof Refusal)) {
    throw error;
  }
  request.resume();
  const status = statusOf(error, fixtures);
  const body = JSON.stringify(errorBody('query', status, error.message, fixtures));
  response.writeHead(status, {
    'Content-Type': 'text/plain;charset=UTF-8',
    'X-Sandbox-Outcome': `refused: ${error.kind}`,
  });
  response.end(body);
}
