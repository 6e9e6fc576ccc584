import { docsPage } from '../openapi/docs-page.ts';
import { JOB_OPERATIONS } from './handlers/jobs.ts';
import { RECORD_OPERATIONS } from './handlers/records.ts';
import { REQUEST_OPERATIONS } from './handlers/requests.ts';
import { SESSION_OPERATIONS } from './handlers/sessions.ts';
import { STATE_OPERATIONS } from './handlers/state.ts';
import { WEBHOOK_OPERATIONS } from './handlers/webhooks.ts';
import { type ControlOperation, controlRow, HtmlPage } from './operation.ts';

/** THE TABLE of control calls. Source: design, "Control API". */
export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  controlRow({
    name: 'getHealth',
    summary: 'Whether the sandbox is up, and its version',
    method: 'GET',
    path: '/health',
    request: null,
    handle: async ({ parts }) => ({ status: 'ok', version: parts.version }),
  }),
  controlRow({
    name: 'getOpenApi',
    summary: 'The whole interface as an OpenAPI document',
    method: 'GET',
    path: '/openapi.json',
    request: null,
    handle: async ({ parts, session }) => parts.describe(session.addresses.base),
  }),
  controlRow({
    name: 'getDocs',
    summary: 'The whole interface for people',
    method: 'GET',
    path: '/docs',
    request: null,
    handle: async ({ parts, session }) => new HtmlPage(docsPage(parts.describe(session.addresses.base))),
  }),
  ...SESSION_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...JOB_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...STATE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
];
