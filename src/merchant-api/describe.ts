import type { Fixtures } from '../config/fixtures.ts';
import type { DescribedOperation } from '../openapi/described-operation.ts';
import type { Operation, OperationPath } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { pathsOf } from './routes.ts';

/** The answers' media type. Source: INTERFACE.md, "General rules". */
const ANSWER = 'text/plain';

/** The operations table, path by path, for the OpenAPI document. */
export function describeOperations(fixtures: Fixtures): DescribedOperation[] {
  return OPERATIONS.flatMap((operation) =>
    pathsOf(operation, fixtures).map((path, index) => describe(operation, path, index)),
  );
}

function describe(
  operation: Operation,
  { environment, path, provenance }: OperationPath,
  index: number,
): DescribedOperation {
  const { name, summary, method, body, request, response, authentication, envelope } = operation;
  const mediaType = body === 'multipart' ? 'multipart/form-data' : 'application/json';
  return {
    // Each path is an operation of its own in the document; the first one has the plain name.
    operationId: index === 0 ? name : `${name}-${index + 1}`,
    summary,
    tag: environment,
    method: method.toLowerCase(),
    path,
    request: request === null ? null : { schema: request, mediaType, required: body !== 'json-or-query' },
    response: { schema: response, mediaType: ANSWER },
    failure: { schema: `responses/failed-${envelope}`, mediaType: ANSWER },
    bearer: authentication === 'bearer' ? 'required' : authentication === 'none' ? 'none' : 'optional',
    query: body === 'json-or-query' ? request : null,
    provenance,
  };
}
