import { docsPage } from '../openapi/docs-page.ts';
import { VERSION } from '../package.ts';
import { JOB_OPERATIONS } from './handlers/jobs.ts';
import { RECORD_OPERATIONS } from './handlers/records.ts';
import { REQUEST_OPERATIONS } from './handlers/requests.ts';
import { SCENARIO_OPERATIONS } from './handlers/scenarios.ts';
import { SESSION_OPERATIONS } from './handlers/sessions.ts';
import { STATE_OPERATIONS } from './handlers/state.ts';
import { WEBHOOK_OPERATIONS } from './handlers/webhooks.ts';
import { AnswerWithStatus, type ControlOperation, HtmlPage, one, sandboxRow } from './operation.ts';

/** THE TABLE of control operations. Source: design, "Control API". */
export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  sandboxRow({
    name: 'getHealth',
    summary: 'Get the health of the sandbox',
    description:
      'Whether the sandbox is up and keeps changes, and its version. 503 while it does not keep them. Needs no token.',
    method: 'GET',
    path: '/health',
    query: null,
    request: null,
    response: one('control/health'),
    otherStatus: {
      status: 503,
      description: 'Changes are not kept at present.',
      example: { status: 'degraded', version: VERSION, reason: 'no space left on device' },
    },
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
    summary: 'Get this document',
    description: 'The whole interface as an OpenAPI document, at the base address of the session that the call names.',
    method: 'GET',
    path: '/openapi.json',
    query: null,
    request: null,
    response: one('control/openapi-document'),
    handle: async ({ parts, sessionName }) => parts.describe(sessionName),
  }),
  sandboxRow({
    name: 'getDocs',
    summary: 'Open the API reference',
    description: 'This document as a page, to read, search and try.',
    method: 'GET',
    path: '/docs',
    query: null,
    request: null,
    response: { mediaType: 'text/html', schema: null },
    handle: async () => new HtmlPage(docsPage('merchant-sandbox API reference')),
  }),
  ...RECORD_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...JOB_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...SCENARIO_OPERATIONS,
  ...STATE_OPERATIONS,
];
