import { REFUSAL_KINDS, type RefusalKind } from '../../base/refusal-kinds.ts';
import type { DescribedOperation } from '../http/openapi/described-operation.ts';
import { BODY_REFUSALS, COMMON_REFUSALS, type FailureForm, failuresOf } from '../http/openapi/failures.ts';
import type { ControlOperation } from './control-operation.ts';
import { CONTROL_OPERATIONS } from './operations.ts';

/** Refusals of the guard, of queries and of sessions. */
const CONTROL_REFUSALS: readonly RefusalKind[] = [...COMMON_REFUSALS, 'bad-bearer'];

const FAILURE_FORM: FailureForm = {
  kinds: [...CONTROL_REFUSALS, ...BODY_REFUSALS, 'unknown-record', 'conflict', 'business-rule', 'expectation-failed'],
  statusOf: (kind) => REFUSAL_KINDS[kind].status,
  bodyOf: (kind, _status, message) => ({ ...problemOf(kind, message), findings: [] }),
};

/** The control table for the OpenAPI document. */
export function describeControl(): DescribedOperation[] {
  return CONTROL_OPERATIONS.map((operation) => {
    const { name, summary, description, method, path, query, request, response, otherStatus, authentication } =
      operation;
    return {
      operationId: name,
      summary,
      description,
      tag: 'control',
      method: method.toLowerCase(),
      path: `/_sandbox${path}`,
      aliases: [],
      examplePaths: [`/_sandbox${path}`],
      query: query ?? null,
      request: request === undefined ? null : { schemas: [request], mediaType: 'application/json' },
      response,
      otherStatus,
      failure: { schema: 'control/problem', mediaType: 'application/problem+json' },
      failures: failuresOf(refusalsOf(operation), FAILURE_FORM),
      security: authentication === 'merchant' ? [{ bearer: [] }] : [{}, { controlToken: [] }],
      requestHeaders: ['X-Sandbox-Session', ...(operation.requestHeaders ?? [])],
      responseHeaders: [],
      provenance: 'ours',
    };
  });
}

function refusalsOf({ path, method, request, refusals = [] }: ControlOperation): RefusalKind[] {
  return [
    ...CONTROL_REFUSALS,
    ...(path.includes('{') ? ['unknown-record' as const] : []),
    ...(method === 'GET' ? [] : ['conflict' as const]),
    ...(request === undefined ? [] : BODY_REFUSALS),
    ...refusals,
  ];
}

/** The members that every problem has: those of RFC 9457, and the `id` of its kind. */
export function problemOf(kind: RefusalKind, detail: string): Record<string, unknown> {
  return {
    type: `urn:merchant-sandbox:${kind}`,
    title: kind,
    id: REFUSAL_KINDS[kind].id,
    status: REFUSAL_KINDS[kind].status,
    detail,
  };
}
