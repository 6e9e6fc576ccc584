import { membersOf } from '../../../base/members.ts';
import { loadSchema } from '../../../base/schema/load-schema.ts';
import { schemaMembers } from '../../../base/schema/references.ts';
import { exampleMembers, examplesFor, type OperationExample } from './call-examples.ts';
import type { Components } from './components.ts';
import type { DescribedContent, DescribedOperation } from './described-operation.ts';
import type { DescribedFailure } from './failures.ts';
import { headerParameters, responseHeaders } from './openapi-headers.ts';

type Json = Record<string, unknown>;

export function operationObject(operation: DescribedOperation, components: Components): Json {
  const { operationId, summary, tag, path, aliases, examplePaths, security, provenance } = operation;
  const examples = examplesFor(operation.method.toUpperCase(), examplePaths);
  const parameters = [
    ...pathParameters(path, examples),
    ...queryParameters(operation.query, examples, components),
    ...headerParameters(operation.requestHeaders),
  ];
  return {
    operationId,
    summary,
    description: descriptionOf(operation),
    tags: [tag],
    'x-provenance': provenance,
    ...(aliases.length > 0 ? { 'x-aliases': aliases } : {}),
    security,
    parameters,
    ...requestBody(operation, examples, components),
    responses: responses(operation, examples, components),
  };
}

function descriptionOf({ description, aliases }: DescribedOperation): string {
  const paths = aliases.map((alias) => `\`${alias}\``).join(', ');
  return aliases.length === 0 ? description : `${description}\n\nAlso served at ${paths}.`;
}

function requestBody(
  { request }: DescribedOperation,
  examples: readonly OperationExample[],
  components: Components,
): Json {
  if (request === null) {
    return {};
  }
  const [schema, ...others] = request.schemas.map((name) => components.schema(name));
  const recordedExamples = examples.map(({ request: value, ...example }) => ({ ...example, value }));
  const values = recordedExamples.length === 0 ? schemaExamples(request.schemas) : recordedExamples;
  const content = { schema: others.length === 0 ? schema : { oneOf: [schema, ...others] }, ...exampleMembers(values) };
  return { requestBody: { required: true, content: { [request.mediaType]: content } } };
}

/** For operations without a recorded exchange. */
function schemaExamples(schemas: readonly string[]): { name: string; title: string; value: unknown }[] {
  return schemas.flatMap((name) => {
    const { title = name, examples = [] } = loadSchema(name) as { title?: string; examples?: unknown[] };
    return examples.map((value) => ({ name, title, value }));
  });
}

function responses(
  { response, otherStatus, failure, failures, responseHeaders: headers }: DescribedOperation,
  examples: readonly OperationExample[],
  components: Components,
): Json {
  const values = examples.flatMap(({ answer: value, ...example }) =>
    value === undefined ? [] : [{ ...example, value }],
  );
  const content = response === null ? null : contentOf(response, components);
  const success =
    content === null ? {} : { content: { ...withMembers(content, exampleMembers(values)), ...textsOf(response) } };
  const status = response === null ? 204 : 200;
  return {
    [status]: { description: response === null ? 'Done.' : 'The answer.', ...responseHeaders(headers), ...success },
    ...(content && otherStatus ? { [otherStatus.status]: otherResponse(otherStatus, content) } : {}),
    ...Object.fromEntries(
      failures
        .filter((each) => each.status !== otherStatus?.status)
        .map((each) => [each.status, failureResponse(each, failure, headers, components)]),
    ),
  };
}

function otherResponse({ description, example }: DescribedFailure, content: Json): Json {
  return { description, content: withMembers(content, { example }) };
}

/** A status means the same for all operations that refuse in the same form. */
function failureResponse(
  { status, description, example }: DescribedFailure,
  failure: DescribedContent,
  headers: DescribedOperation['responseHeaders'],
  components: Components,
): Json {
  const title = failure.schema === null ? '' : String(loadSchema(failure.schema)['title']);
  return components.response(`${title}${status}`, () => ({
    description,
    ...responseHeaders(headers),
    content: withMembers(contentOf(failure, components), { example }),
  }));
}

function contentOf(described: DescribedContent, components: Components): Json {
  const { mediaType, alternativeMediaType, schema: name, isList = false } = described;
  const schema = name === null ? { type: 'string' } : components.schema(name);
  const content = { schema: isList ? pageOf(schema) : schema };
  return { [mediaType]: content, ...(alternativeMediaType === undefined ? {} : { [alternativeMediaType]: content }) };
}

function textsOf(described: DescribedContent | null): Json {
  const texts = Object.entries(described?.texts ?? {});
  return Object.fromEntries(texts.map(([mediaType, example]) => [mediaType, { schema: { type: 'string' }, example }]));
}

function withMembers(content: Json, members: object): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, value]) => [type, { ...membersOf(value), ...members }]),
  );
}

function pageOf(items: Json): Json {
  return {
    type: 'object',
    required: ['items', 'nextCursor'],
    properties: { items: { type: 'array', items }, nextCursor: { type: ['string', 'null'] } },
  };
}

function pathParameters(path: string, [first]: readonly OperationExample[]): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: first?.parameters[name],
  }));
}

function queryParameters(query: string | null, examples: readonly OperationExample[], components: Components): Json[] {
  const required: string[] | undefined = query === null ? [] : loadSchema(query)['required'];
  return Object.entries(query === null ? {} : schemaMembers(query)).map(([name, schema]) => {
    const { description, ...others } = membersOf(components.convert(schema, String(query)));
    const example = examples.find((each) => each.query[name] !== undefined)?.query[name];
    return {
      name,
      in: 'query',
      description: description ?? 'only records with this value',
      required: required?.includes(name) === true,
      schema: others,
      ...(example === undefined ? {} : { example: schema['type'] === 'integer' ? Number(example) : example }),
    };
  });
}
