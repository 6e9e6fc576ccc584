import { VERSION } from '../../base/package.ts';
import { Refusal } from '../../base/refusal.ts';
import { HTML_TYPE } from '../http/answers.ts';
import { DOCS_HEADERS, docsPage } from '../http/openapi/docs-page.ts';
import {
  AnswerWithStatus,
  type ControlOperation,
  type ControlParts,
  itemOf,
  PlainText,
  sandboxRow,
} from './control-operation.ts';
import { BALANCE_OPERATIONS } from './handlers/balances.ts';
import { BANK_STATEMENT_OPERATIONS } from './handlers/bank-statements.ts';
import { BEHAVIOUR_OPERATIONS } from './handlers/behaviours.ts';
import { CHANNEL_OPERATIONS } from './handlers/channels.ts';
import { EXAMINATION_OPERATIONS } from './handlers/examination.ts';
import { INTEGRATION_OPERATIONS } from './handlers/integration.ts';
import { JOB_OPERATIONS } from './handlers/jobs.ts';
import { LEDGER_OPERATIONS } from './handlers/ledger.ts';
import { MERCHANT_OPERATIONS } from './handlers/merchants.ts';
import { OVERVIEW_OPERATIONS } from './handlers/overview.ts';
import { PAYOUT_OPERATIONS } from './handlers/payouts.ts';
import { RECORD_OPERATIONS } from './handlers/records.ts';
import { REPORT_OPERATIONS } from './handlers/reports.ts';
import { REQUEST_OPERATIONS } from './handlers/requests.ts';
import { SCENARIO_OPERATIONS } from './handlers/scenarios.ts';
import { SESSION_OPERATIONS } from './handlers/sessions.ts';
import { SETTLEMENT_OPERATIONS } from './handlers/settlements.ts';
import { SHOP_CODE_OPERATIONS } from './handlers/shop-codes.ts';
import { STATE_OPERATIONS } from './handlers/state.ts';
import { TIMELINE_OPERATIONS } from './handlers/timelines.ts';
import { WEBHOOK_OPERATIONS } from './handlers/webhooks.ts';

/** With this media type, phones and browsers offer to trust the certificate. */
const CA_CERTIFICATE = 'application/x-x509-ca-cert';

/** A row that reports the sandbox's health by its status, because most monitors and balancers read nothing else. */
function healthRow({
  problem,
  ...facts
}: Pick<ControlOperation, 'name' | 'summary' | 'description' | 'path'> & {
  problem(parts: ControlParts): string | undefined;
}): ControlOperation {
  return sandboxRow({
    ...facts,
    method: 'GET',
    response: itemOf('control/health'),
    otherStatus: {
      status: 503,
      description: 'Not healthy: `reason` says why.',
      example: { status: 'degraded', version: VERSION, reason: 'no space left on device' },
    },
    handle: async ({ parts, parts: { version } }) => {
      const reason = problem(parts);
      return reason === undefined
        ? { status: 'ok', version }
        : new AnswerWithStatus(503, { status: 'degraded', version, reason });
    },
  });
}

/** THE TABLE of control operations. Source: ours. */
export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  healthRow({
    name: 'getHealth',
    summary: 'Get the health of the sandbox',
    description:
      'Whether the sandbox is running and saves changes, and its version. 503 while it cannot save changes. Needs no token.',
    path: '/health',
    problem: ({ storeFailure }) => storeFailure(),
  }),
  sandboxRow({
    name: 'getLiveness',
    summary: 'Check liveness',
    description: 'For a liveness probe: 200 while the sandbox runs. Needs no token.',
    method: 'GET',
    path: '/health/live',
    response: itemOf('control/health'),
    handle: async ({ parts: { version } }) => ({ status: 'ok', version }),
  }),
  healthRow({
    name: 'getReadiness',
    summary: 'Check readiness',
    description:
      'For a readiness probe or a load balancer: 503 while the sandbox cannot save changes, and once it begins to stop. Needs no token.',
    path: '/health/ready',
    problem: ({ storeFailure, isStopping }) => storeFailure() ?? (isStopping() ? 'the sandbox is stopping' : undefined),
  }),
  sandboxRow({
    name: 'getOpenApi',
    summary: 'Get this document',
    description: 'The whole interface as an OpenAPI document, with the base address of the session that was called.',
    method: 'GET',
    path: '/openapi.json',
    response: itemOf('control/openapi-document'),
    handle: async ({ parts, sessionName }) => parts.openApi(sessionName),
  }),
  sandboxRow({
    name: 'getDocs',
    summary: 'Open the API reference',
    description: 'The OpenAPI document as a page, to read, search and try out.',
    method: 'GET',
    path: '/docs',
    response: { mediaType: 'text/html', schema: null },
    handle: async () => new PlainText(HTML_TYPE, await docsPage(), DOCS_HEADERS),
  }),
  sandboxRow({
    name: 'getMetrics',
    summary: 'Get metrics',
    description:
      "Calls, durations, events, records by state, jobs and the process itself, over all sessions, in Prometheus' text format. A reset does not lower counters.",
    method: 'GET',
    path: '/metrics',
    response: { mediaType: 'text/plain', schema: null },
    handle: async ({ parts }) => new PlainText('text/plain; version=0.0.4; charset=utf-8', await parts.metrics()),
  }),
  sandboxRow({
    name: 'getCoverage',
    summary: 'Get the coverage',
    description:
      "Which outcomes, faults, kinds of notification and payer's pages your code has seen since the sandbox started, over all sessions including deleted ones. The fixtures define which ones are possible. The coverage does not show whether your code handled them correctly.",
    method: 'GET',
    path: '/coverage',
    response: itemOf('control/coverage'),
    handle: async ({ parts }) => parts.coverage(),
  }),
  sandboxRow({
    name: 'getCaCertificate',
    summary: 'Get the CA certificate',
    description:
      'The certificate, as PEM, of the CA that clients must trust for HTTPS. 404 without `--https-port`, or with your own certificate. Needs no token.',
    refusals: ['unknown-record'],
    method: 'GET',
    path: '/ca.pem',
    response: { mediaType: CA_CERTIFICATE, schema: null },
    handle: async ({ parts: { caCertificate } }) => {
      if (caCertificate === undefined) {
        throw new Refusal(
          'unknown-record',
          'this sandbox has no CA: it was started without --https-port, or with your own certificate (--tls-cert)',
        );
      }
      return new PlainText(CA_CERTIFICATE, caCertificate);
    },
  }),
  ...OVERVIEW_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...TIMELINE_OPERATIONS,
  ...CHANNEL_OPERATIONS,
  ...MERCHANT_OPERATIONS,
  ...PAYOUT_OPERATIONS,
  ...SHOP_CODE_OPERATIONS,
  ...LEDGER_OPERATIONS,
  ...SETTLEMENT_OPERATIONS,
  ...BANK_STATEMENT_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...BALANCE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...REQUEST_OPERATIONS,
  ...INTEGRATION_OPERATIONS,
  ...JOB_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...SCENARIO_OPERATIONS,
  ...BEHAVIOUR_OPERATIONS,
  ...STATE_OPERATIONS,
  ...EXAMINATION_OPERATIONS,
];
