import request from 'supertest';
import { PNG } from '../../../interface/examples.ts';
import type { Sandbox } from '../../../sandbox.ts';

export interface OperationObject {
  operationId: string;
  description: string;
  tags: string[];
  'x-provenance': string;
  'x-aliases'?: string[];
  security: object[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, Response | { $ref: string }>;
}
export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: object;
  example?: unknown;
}
export interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Content>;
}
export interface Content {
  schema: object;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}
export interface Document {
  info: { description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, Record<string, OperationObject>>;
  components: Record<'schemas' | 'responses' | 'parameters' | 'headers', Record<string, object>>;
}
export interface ListedOperation extends OperationObject {
  method: string;
  path: string;
}

export async function documentOf(sandbox: Sandbox): Promise<Document> {
  return (await request(sandbox.url).get('/_sandbox/openapi.json')).body;
}

/** Every operation, with method and path. */
export function operationsIn({ paths }: Document): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The value itself, or the target of its `$ref`. */
export function resolve<Target>(document: Document, value: Target | { $ref: string }): Target {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) {
    return value as Target;
  }
  const [, , kind = '', name = ''] = value.$ref.split('/');
  return document.components[kind as 'schemas'][name] as Target;
}

export function exampleValues({ example, examples }: Content): unknown[] {
  return example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example];
}

/** The number of examples of an operation's body; 1 for an operation without a body. */
export function exampleCount({ requestBody }: ListedOperation): number {
  const [content] = Object.values(requestBody?.content ?? {});
  return content ? exampleValues(content).length : 1;
}

/** The request for an operation's example with this index; default: the first. */
export function exampleRequest(
  operation: ListedOperation,
  path: string,
  base: string,
  token: string,
  index = 0,
): Request {
  const { parameters, requestBody, method, security } = operation;
  const values = parameters.flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]));
  const filled = values
    .filter(({ in: place }) => place === 'path')
    .reduce((filledPath, { name, example }) => filledPath.replace(`{${name}}`, String(example)), path);
  const query = values.flatMap(({ in: place, name, example }) =>
    place === 'query' && example !== undefined ? [[name, String(example)]] : [],
  );
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const value = content && exampleValues(content)[index];
  const headers = new Headers(security.some((each) => 'bearer' in each) ? { authorization: `Bearer ${token}` } : {});
  if (mediaType === 'application/json') {
    headers.set('content-type', mediaType);
  }
  const body = content && (mediaType === 'application/json' ? JSON.stringify(value) : formOf(value as object));
  return new Request(`${base}${filled}?${new URLSearchParams(query)}`, { method, headers, body: body ?? null });
}

/** A form with an actual image, because the example contains only its file name. */
function formOf(members: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) {
    form.set(name, name === 'paymentLinkImage' ? new File([PNG], value, { type: 'image/png' }) : value);
  }
  return form;
}
