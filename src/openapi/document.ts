import { followReference, membersOf } from '../schema/references.ts';
import { loadSchema } from '../schema/validation.ts';
import type { DescribedContent, DescribedOperation } from './described-operation.ts';

type Json = Record<string, unknown>;

const TAGS = [
  { name: 'production', description: 'The merchant payments service, production form.' },
  { name: 'sandbox', description: 'The merchant payments service, sandbox form.' },
  { name: 'control', description: 'Steers and inspects the sandbox; the service itself has none of this.' },
];

/** The whole interface as an OpenAPI 3.1 document, made from the tables of its entry points. */
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
  const { operationId, summary, tag, path, request, response, failure, bearer, query, provenance } = operation;
  const parameters = [...pathParameters(path), ...queryParameters(query, schemas)];
  const security = { none: [], optional: [{}, { bearer: [] }], required: [{ bearer: [] }] }[bearer];
  return {
    operationId,
    summary,
    tags: [tag],
    'x-provenance': provenance,
    security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(request ? { requestBody: { required: request.required, content: content(request, schemas) } } : {}),
    responses: {
      ...(response
        ? { 200: { description: 'Done.', content: content(response, schemas) } }
        : { 204: { description: 'Done; there is nothing to say.' } }),
      '4XX': { description: 'Refused; the message says why.', content: content(failure, schemas) },
      '5XX': { description: 'A simulated failure.', content: content(failure, schemas) },
    },
  };
}

function content({ mediaType, schema: name, isList = false }: DescribedContent, schemas: Map<string, unknown>): Json {
  const schema = name === null ? null : reference(name, schemas);
  return { [mediaType]: schema === null ? {} : { schema: isList ? pageOf(schema) : schema } };
}

/** A page of a list, as every list answers. */
function pageOf(items: Json): Json {
  return {
    type: 'object',
    required: ['items', 'nextCursor'],
    properties: { items: { type: 'array', items }, nextCursor: { type: ['string', 'null'] } },
  };
}

function reference(name: string, schemas: Map<string, unknown>): Json {
  const { $schema: _, $id: __, $defs: ___, ...schema } = loadSchema(name);
  const component = String(schema['title']);
  if (!schemas.has(component)) {
    schemas.set(component, schema);
    schemas.set(component, withReferences(schema, name, schemas));
  }
  return { $ref: `#/components/schemas/${component}` };
}

/** A reference to a schema file becomes one to its component; a reference into a file becomes what stands there. */
function withReferences(value: unknown, from: string, schemas: Map<string, unknown>): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withReferences(item, from, schemas));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if ('$ref' in value && typeof value.$ref === 'string') {
    const { $ref, ...others } = value;
    const { file, pointer, schema } = followReference($ref as string, from);
    const target = pointer === '' ? reference(file, schemas) : withReferences(schema, file, schemas);
    return { ...others, ...(target as Json) };
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

function queryParameters(query: string | null, schemas: Map<string, unknown>): Json[] {
  return Object.entries(query === null ? {} : membersOf(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: withReferences(schema, String(query), schemas),
  }));
}
