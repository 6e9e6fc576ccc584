import { apiAddress } from '../address.ts';

/** A JSON Schema, as far as this page reads it. */
export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  example?: unknown;
}

export interface ExampleValue {
  summary?: string;
  value: unknown;
}

interface Content {
  schema: Schema;
  example?: unknown;
  examples?: Readonly<Record<string, ExampleValue>>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface Header {
  description?: string;
}

interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  security: readonly Readonly<Record<string, unknown>>[];
  parameters: readonly Parameter[];
  requestBody?: { content: Readonly<Record<string, Content>> };
  responses: Readonly<
    Record<
      string,
      {
        description: string;
        headers?: Readonly<Record<string, Header>>;
        content?: Readonly<Record<string, Content>>;
      }
    >
  >;
  'x-aliases'?: readonly string[];
}

interface OpenApiDocument {
  info: { title: string; version: string; description: string };
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  webhooks: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

export interface Body {
  mediaType: string;
  schema: Schema;
  /** By name. An example of a request and the answer to it have the same name. */
  examples: ReadonlyMap<string, ExampleValue>;
}

export interface DocumentedResponse {
  status: string;
  description: string;
  headers: readonly [name: string, header: Header][];
  body: Body | undefined;
}

export interface DocumentedOperation {
  id: string;
  method: string;
  /** Undefined for a notification, which is sent to the merchant. */
  path: string | undefined;
  summary: string;
  description: string;
  needsToken: boolean;
  parameters: readonly Parameter[];
  body: Body | undefined;
  responses: readonly DocumentedResponse[];
  /** Its texts in lower case, for the search. */
  words: string;
}

export interface Group {
  title: string;
  about: string;
  operations: readonly DocumentedOperation[];
}

export interface Reference {
  version: string;
  about: string;
  groups: readonly Group[];
}

/** THE TABLE of groups, in the order in which a reader needs them. */
const GROUPS = [
  { tag: 'sandbox', title: 'Merchant API, sandbox paths', about: 'The calls of an integration in development.' },
  { tag: 'webhooks', title: 'Webhooks', about: 'What the service sends to a merchant.' },
  { tag: 'production', title: 'Merchant API, production paths', about: 'The same calls, on the live service.' },
  {
    tag: 'control',
    title: 'Control API',
    about: 'Controls and inspects the sandbox. The live service does not have it.',
  },
];

/** Fetches this session's OpenAPI document, and lays it out for reading. */
export async function fetchReference(): Promise<Reference> {
  const answer = await fetch(new URL('openapi.json', apiAddress));
  if (!answer.ok) {
    throw new Error(`The OpenAPI document could not be loaded (status ${answer.status}).`);
  }
  const document: OpenApiDocument = await answer.json();
  const { version, description } = document.info;
  const operations = [
    ...Object.entries(document.paths).flatMap(([path, methods]) => operationsOf(methods, path, document)),
    ...Object.values(document.webhooks).flatMap((methods) => operationsOf(methods, undefined, document)),
  ];
  const groups = GROUPS.map(({ tag, title, about }) => ({
    title,
    about,
    operations: operations.flatMap((each) => (each.tag === tag ? [each.operation] : [])),
  }));
  return { version, about: description, groups };
}

function operationsOf(
  methods: Readonly<Record<string, OpenApiOperation>>,
  path: string | undefined,
  document: OpenApiDocument,
): { tag: string | undefined; operation: DocumentedOperation }[] {
  return Object.entries(methods).map(([method, operation]) => ({
    tag: operation.tags[0],
    operation: operationOf(method, path, resolve(operation, document)),
  }));
}

function operationOf(method: string, path: string | undefined, operation: OpenApiOperation): DocumentedOperation {
  const { operationId: id, summary, description, security, parameters, requestBody, responses } = operation;
  const aliases = operation['x-aliases'] ?? [];
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    needsToken: security.length > 0 && security.every((each) => 'bearer' in each),
    parameters,
    body: requestBody && bodyOf(requestBody.content),
    responses: Object.entries(responses).map(([status, { description: meaning, headers = {}, content }]) => ({
      status,
      description: meaning,
      headers: Object.entries(headers),
      body: content && bodyOf(content),
    })),
    words: [id, method, path, ...aliases, summary, description].join(' ').toLowerCase(),
  };
}

/** The body in its first media type. */
function bodyOf(content: Readonly<Record<string, Content>>): Body | undefined {
  const [first] = Object.entries(content);
  if (first === undefined) {
    return undefined;
  }
  const [mediaType, { schema, example, examples = example === undefined ? {} : { example: { value: example } } }] =
    first;
  return { mediaType, schema, examples: new Map(Object.entries(examples)) };
}

/** A part of the document with references replaced by their targets. No reference in it is circular. */
function resolve<Part>(part: Part, document: object): Part {
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  if (Array.isArray(part)) {
    return part.map((entry) => resolve(entry, document)) as Part;
  }
  const { $ref } = part as { $ref?: unknown };
  if (typeof $ref === 'string') {
    return resolve(valueAt(document, $ref.slice('#/'.length).split('/')) as Part, document);
  }
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, resolve(member, document)])) as Part;
}

function valueAt(document: object, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, member) => Reflect.get(part as object, member), document);
}
