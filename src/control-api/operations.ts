import { docsPage } from '../openapi/docs-page.ts';
import { JOB_OPERATIONS } from './handlers/jobs.ts';
import { RECORD_OPERATIONS } from './handlers/records.ts';
import { REQUEST_OPERATIONS } from './handlers/requests.ts';
import { SESSION_OPERATIONS } from './handlers/sessions.ts';
import { STATE_OPERATIONS } from './handlers/state.ts';
import { WEBHOOK_OPERATIONS } from './handlers/webhooks.ts';
import { AnswerWithStatus, type ControlOperation, HtmlPage, one, sandboxRow } from './operation.ts';

/** THE TABLE of control operations. Source: design, "Control API". */
export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  sandboxRow({
    name: 'getHealth',
    summary: 'Whether the sandbox is up and keeps changes, and its version; 503 while it does not keep them',
    method: 'GET',
    path: '/health',
    query: null,
    request: null,
    response: one('control/health'),
    handle: async ({ parts: { version, storeFailure } }) => {
      const reason = storeFailure();
      // Whatever watches over it must send calls elsewhere meanwhile, and most look at the status alone.
      return reason === undefined
        ? { status: 'ok', version }
        : new AnswerWithStatus(503, { status: 'degraded', version, reason });
    },
  }),
  sandboxRow({
    name: 'getOpenApi',
    summary: 'The whole interface as an OpenAPI document',
    method: 'GET',
    path: '/openapi.json',
    query: null,
    request: null,
    response: one('control/openapi-document'),
    handle: async ({ parts, sessionName }) => parts.describe(sessionName),
  }),
  sandboxRow({
    name: 'getDocs',
    summary: 'The whole interface for people',
    method: 'GET',
    path: '/docs',
    query: null,
    request: null,
    response: { mediaType: 'text/html', schema: null },
    handle: async ({ parts, sessionName }) => new HtmlPage(docsPage(parts.describe(sessionName))),
  }),
  ...SESSION_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...JOB_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...STATE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
];
