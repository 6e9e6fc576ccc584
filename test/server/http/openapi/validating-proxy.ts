import { createInstance, getHttpOperationsFromSpec, type IHttpConfig, type IHttpRequest } from '@stoplight/prism-http';
import type { Document } from './document.ts';

/** What the proxy found, and what the sandbox answered. */
export interface Passage {
  status: number;
  text: string;
  /** Each as `place: what is wrong`. */
  inRequest: string[];
  inAnswer: string[];
}

type Components = Parameters<typeof createInstance>[1];
type Forwarded = { statusCode: number; headers: Record<string, string>; body: unknown };

/** The logger that the proxy asks for, and which says nothing. */
const SILENT = Object.assign(() => undefined, { child: () => SILENT }) as unknown as Components['logger'];
const LOGGER = new Proxy(SILENT, { get: (_, name) => (name === 'child' ? () => LOGGER : () => undefined) });

/**
 * Prism between a client and the sandbox: it holds each request and each answer against the document. It reads the body of
 * `text/plain` as a text, so both the document's and the answers' are JSON to it.
 */
export async function validatingProxy(document: Document): Promise<(request: Request) => Promise<Passage>> {
  const operations = await getHttpOperationsFromSpec(
    JSON.parse(withAliases(document), (_key, value) => withTextAsJson(value)),
  );
  return async (request) => {
    const config = {
      isProxy: true,
      upstream: new URL(request.url),
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    } as unknown as IHttpConfig;
    let answer: Forwarded | undefined;
    const forward = () => () => async () => {
      answer ??= await send(request.clone());
      return { _tag: 'Right', right: answer };
    };
    const proxy = createInstance(config, { logger: LOGGER, forward } as unknown as Components);
    const result = await proxy.request(await inputOf(request.clone()), operations)();
    if (result._tag === 'Left') {
      throw result.left;
    }
    const { output, validations } = result.right;
    const words = ({ path = [], message }: { path?: (string | number)[]; message: string }) =>
      `${path.join('.')}: ${message}`;
    return {
      status: output.statusCode,
      text: typeof output.body === 'string' ? output.body : JSON.stringify(output.body),
      inRequest: validations.input.map(words),
      inAnswer: validations.output.map(words),
    };
  };
}

/** JSON text in `text/plain` is declared as JSON; a text beside JSON is another form, which this proxy does not read. */
function withTextAsJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('text/plain' in value)) {
    return value;
  }
  const { 'text/plain': text, ...others } = value;
  return { 'application/json': text, ...others };
}

/** The document with an operation of its own at each path that serves it. */
function withAliases({ paths, ...document }: Document): string {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      [path, ...(operation['x-aliases'] ?? [])].map((each) => [each, method, operation] as const),
    ),
  );
  const whole: Document['paths'] = {};
  for (const [path, method, operation] of all) {
    const operationId = `${method} ${path}`;
    whole[path] = { ...whole[path], [method]: { ...operation, operationId } };
  }
  // It goes by paths alone, wherever the sandbox listens.
  return JSON.stringify({ ...document, servers: [{ url: '/' }], paths: whole });
}

async function inputOf(request: Request): Promise<IHttpRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  const text = await request.text();
  return {
    method: request.method.toLowerCase() as IHttpRequest['method'],
    url: { path: decodeURIComponent(pathname), query: Object.fromEntries(searchParams) },
    headers: text === '' ? headers : { ...headers, 'content-length': String(text.length) },
    ...(text === '' ? {} : { body: isJson(headers) ? parsed(text) : text }),
  };
}

async function send(request: Request): Promise<Forwarded> {
  const answer = await fetch(request);
  const headers = Object.fromEntries(answer.headers);
  const text = await answer.text();
  if (headers['content-type']?.startsWith('text/plain')) {
    headers['content-type'] = 'application/json';
  }
  return { statusCode: answer.status, headers, body: isJson(headers) ? parsed(text) : text };
}

function isJson(headers: Record<string, string>): boolean {
  return /json/.test(headers['content-type'] ?? '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
