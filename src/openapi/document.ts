import { loadSchema } from '../schema/validation.ts';
import type { DescribedOperation } from './described-operation.ts';

type Json = Record<string, unknown>;

const TAGS = [
  { name: 'production', description: 'The merchant payments service, production form.' },
  { name: 'sandbox', description: 'The merchant payments service, sandbox form.' },
  { name: 'control', description: 'Steers and inspects the sandbox; the service itself has none of this.' },
];

/** The whole interface as an OpenAPI 3.1 document, made from the tables of the doors. */
export function openApiDocument(operations: readonly DescribedOperation[], version: string, url: string): Json {
  const schemas = new Map<string, unknown>();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'merchant-sandbox',
      version,
      summary: 'A local stand-in for a merchant payments service.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: TAGS,
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function describe(operation: DescribedOperation, schemas: Map<string, unknown>): Json {
  const { operationId, summary, tag, path, request, response, failure, bearer, queryFrom, provenance } = operation;
  const parameters = [...pathParameters(path), ...queryParameters(queryFrom)];
  const security = { none: [], optional: [{}, { bearer: [] }], required: [{ bearer: [] }] }[bearer];
  return {
    operationId,
    summary,
    tags: [tag],
    'x-provenance': provenance,
    security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(request ? { requestBody: requestBody(request, schemas) } : {}),
    responses: {
      200: { description: 'Done.', content: content(response, schemas) },
      '4XX': { description: 'Refused; the message says why.', content: content(failure, schemas) },
      '5XX': { description: 'A simulated failure.', content: content(failure, schemas) },
    },
  };
}

function requestBody(
  { schema, mediaType, required }: { schema: string; mediaType: string; required: boolean },
  schemas: Map<string, unknown>,
): Json {
  return { required, content: content({ schema, mediaType }, schemas) };
}

function content(
  { schema, mediaType }: { schema: string | null; mediaType: string },
  schemas: Map<string, unknown>,
): Json {
  return { [mediaType]: schema === null ? {} : { schema: reference(schema, schemas) } };
}

function reference(name: string, schemas: Map<string, unknown>): Json {
  const { $schema: _, $id: __, ...schema } = loadSchema(name);
  const component = String(schema['title']);
  if (!schemas.has(component)) {
    schemas.set(component, schema);
    schemas.set(component, withReferences(schema, name, schemas));
  }
  return { $ref: `#/components/schemas/${component}` };
}

/** References between schema files become references between components. */
function withReferences(value: unknown, from: string, schemas: Map<string, unknown>): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withReferences(item, from, schemas));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if ('$ref' in value && typeof value.$ref === 'string') {
    const target = new URL(value.$ref, `schema:///${from}.json`).pathname.slice(1).replace(/\.json$/, '');
    return { ...value, ...reference(target, schemas) };
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withReferences(member, from, schemas)]));
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(schemaName: string | undefined): Json[] {
  const properties = schemaName === undefined ? {} : (loadSchema(schemaName)['properties'] as Record<string, Json>);
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}
