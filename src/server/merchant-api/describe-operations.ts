import { REFUSAL_KINDS, type RefusalKind } from '../../base/refusal-kinds.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { flowOf } from '../domain/channels/channels.ts';
import { errorBody } from '../domain/wire/envelopes.ts';
import type { NamesInUse } from '../http/openapi/components.ts';
import type { DescribedContent, DescribedOperation } from '../http/openapi/described-operation.ts';
import { BODY_REFUSALS, COMMON_REFUSALS, type FailureForm, failuresOf } from '../http/openapi/failures.ts';
import type { ApiEnvironment, Authentication, Operation } from './operation.ts';
import { OPERATIONS, requireOperation } from './operations.ts';
import { pathsOf } from './routes.ts';

/** The answers' media types. Source: INTERFACE.md, "General rules". */
const ANSWER = { mediaType: 'text/plain' };
const NEGOTIATED_ANSWER = { ...ANSWER, alternativeMediaType: 'application/json' };

const ENVIRONMENTS: readonly ApiEnvironment[] = ['production', 'sandbox'];

const SECURITY: Readonly<Record<Authentication, DescribedOperation['security']>> = {
  none: [],
  credentials: [{}, { bearer: [] }],
  bearer: [{ bearer: [] }],
  'optional-bearer': [{}, { bearer: [] }],
};

const AUTHENTICATION_REFUSALS: Readonly<Record<Authentication, readonly RefusalKind[]>> = {
  none: [],
  credentials: ['wrong-credentials', 'bad-bearer'],
  bearer: ['bad-bearer'],
  'optional-bearer': ['bad-bearer'],
};

/** Refusals in the document, except those of unknown paths and methods. The first one of a status is its example. */
const DOCUMENTED_KINDS: readonly RefusalKind[] = [
  ...new Set([
    ...OPERATIONS.flatMap(({ refusals = [] }) => refusals),
    ...Object.values(AUTHENTICATION_REFUSALS).flat(),
    ...COMMON_REFUSALS,
    ...BODY_REFUSALS,
  ]),
];

/** The operations table for the OpenAPI document: each operation once in each environment, at its first path there. */
export function describeOperations(fixtures: Fixtures, isNegotiated: boolean): DescribedOperation[] {
  const answer = isNegotiated ? NEGOTIATED_ANSWER : ANSWER;
  return ENVIRONMENTS.flatMap((environment) =>
    OPERATIONS.flatMap((operation) => describe(operation, { environment, fixtures, answer })),
  );
}

interface DescribeOptions {
  environment: ApiEnvironment;
  fixtures: Fixtures;
  answer: Pick<DescribedContent, 'mediaType' | 'alternativeMediaType'>;
}

export function namesInUse({ channels: { channels }, webhookSamples }: Fixtures): NamesInUse {
  const mobile = channels.filter((channel) => flowOf(channel).needsMobile);
  return {
    wallet: channels.flatMap(({ names }) => names),
    'mobile-wallet': mobile.flatMap(({ names }) => names),
    'webhook-type': Object.keys(webhookSamples.samples),
  };
}

function describe(operation: Operation, { environment, fixtures, answer }: DescribeOptions): DescribedOperation[] {
  const { name, summary, description, method, body, request, authentication, envelope, alternative } = operation;
  const paths = pathsOf(operation, fixtures);
  const [first, ...aliases] = paths.filter((path) => path.environment === environment);
  if (!first) {
    return [];
  }
  const otherRequest = alternative && requireOperation(alternative.operation).request;
  const hasBody = request !== null && body !== 'json-or-query';
  return [
    {
      operationId: environment === 'production' ? name : `${name}Sandbox`,
      summary,
      description,
      tag: environment,
      method: method.toLowerCase(),
      path: first.path,
      aliases: aliases.map(({ path }) => path),
      examplePaths: paths.map(({ path }) => path),
      request: hasBody
        ? {
            schemas: otherRequest ? [request, otherRequest] : [request],
            mediaType: body === 'multipart' ? 'multipart/form-data' : 'application/json',
          }
        : null,
      response: { schema: operation.response, ...answer },
      failure: { schema: `responses/failed-${envelope}`, ...answer },
      failures: failuresOf(refusalsOf(operation), formOf(operation, fixtures)),
      security: SECURITY[authentication],
      query: body === 'json-or-query' ? request : null,
      requestHeaders: ['X-Sandbox-Session', 'X-Sandbox-Scenario'],
      responseHeaders: [
        'X-Sandbox-Request',
        'X-Sandbox-Scenario',
        'X-Sandbox-Outcome',
        ...(body === 'none' ? [] : (['X-Sandbox-Warnings'] as const)),
        ...(operation.responseHeaders ?? []),
      ],
      provenance: first.provenance,
    },
  ];
}

function refusalsOf({ body, authentication, refusals = [] }: Operation): RefusalKind[] {
  return [
    ...COMMON_REFUSALS,
    ...(body === 'none' ? [] : BODY_REFUSALS),
    ...AUTHENTICATION_REFUSALS[authentication],
    ...refusals,
  ];
}

function formOf({ envelope }: Operation, fixtures: Fixtures): FailureForm {
  return {
    kinds: DOCUMENTED_KINDS,
    statusOf: (kind) => fixtures.errors.statuses[kind] ?? REFUSAL_KINDS[kind].status,
    bodyOf: (_kind, status, message) => errorBody(envelope, status, message, fixtures),
  };
}
