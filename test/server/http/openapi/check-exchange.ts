import { Ajv2020, addFormats } from '../../../../src/base/schema/ajv.ts';
import {
  type Content,
  type Document,
  type ListedOperation,
  operationsIn,
  type Parameter,
  type Response,
  resolve,
} from './document.ts';

/** The findings in a call and in its answer, each as `place: problem`. */
export interface CheckedExchange {
  status: number;
  inRequest: string[];
  inAnswer: string[];
}

interface Route extends ListedOperation {
  pattern: RegExp;
}
interface Header {
  schema: object;
  required?: boolean;
}
type Contents = Record<string, Content>;
type FindProblems = (place: string, schema: object, value: unknown) => string[];

const MULTIPART = 'multipart/form-data';

/** Sends calls, and compares each call and its answer with the document. Of forms, it only compares the media type. */
export class ExchangeChecker {
  readonly #document: Document;
  readonly #routes: Route[];
  readonly #findInBody: FindProblems;
  /** For parameters and headers, which are texts regardless of their schemas. */
  readonly #findInText: FindProblems;

  constructor(document: Document) {
    // Schemas are compiled separately, so their references must name the document.
    this.#document = JSON.parse(JSON.stringify(document).replaceAll('"#/components/', '"document#/components/'));
    this.#routes = operationsIn(this.#document).flatMap(routesOf);
    this.#findInBody = finderIn(this.#document, false);
    this.#findInText = finderIn(this.#document, true);
  }

  async send(request: Request): Promise<CheckedExchange> {
    const route = this.#routeOf(request);
    if (!route) {
      return { status: (await fetch(request)).status, inRequest: ['path: is not declared'], inAnswer: [] };
    }
    const inRequest = [
      ...this.#inParameters(request, route),
      ...this.#inBody(request, await request.clone().text(), route.requestBody?.content),
    ];
    const answer = await fetch(request);
    return { status: answer.status, inRequest, inAnswer: await this.#inAnswer(answer, route) };
  }

  /** The route of a request; if several paths match, the one with the fewest parameters. */
  #routeOf({ method, url }: Request): Route | undefined {
    const path = decodeURIComponent(new URL(url).pathname);
    const matchingRoutes = this.#routes.filter((route) => route.method === method && route.pattern.test(path));
    return matchingRoutes.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
  }

  #inParameters(request: Request, { parameters, pattern, security }: Route): string[] {
    const { pathname, searchParams } = new URL(request.url);
    const inPath = pattern.exec(decodeURIComponent(pathname))?.groups ?? {};
    const isLocked = security.length > 0 && security.every((each) => 'bearer' in each);
    const findings = parameters.flatMap((each) => {
      const { name, in: place, required, schema } = resolve<Parameter>(this.#document, each);
      const texts = { path: inPath[name], query: searchParams.get(name), header: request.headers.get(name) };
      return this.#inValue(`${place} ${name}`, schema, texts[place as 'path'], required);
    });
    return [...findings, ...this.#inValue('header authorization', {}, request.headers.get('authorization'), isLocked)];
  }

  #inValue(place: string, schema: object, value: string | null | undefined, isRequired: boolean): string[] {
    if (typeof value === 'string') {
      return this.#findInText(place, schema, value);
    }
    return isRequired ? [`${place}: is missing`] : [];
  }

  async #inAnswer(answer: globalThis.Response, { responses }: Route): Promise<string[]> {
    const declared = responses[String(answer.status)];
    if (!declared) {
      return [`status: ${answer.status} is not declared`];
    }
    const { content, headers = {} } = resolve<Response>(this.#document, declared);
    const inHeaders = Object.entries(headers).flatMap(([name, each]) => {
      const { schema, required = false } = resolve<Header>(this.#document, each as Header);
      return this.#inValue(`header ${name}`, schema, answer.headers.get(name), required);
    });
    return [...inHeaders, ...this.#inBody(answer, await answer.text(), content)];
  }

  #inBody({ headers }: Request | globalThis.Response, text: string, contents: Contents = {}): string[] {
    const [mediaType = ''] = (headers.get('content-type') ?? '').split(';');
    if (text === '') {
      return Object.keys(contents).length === 0 ? [] : ['body: is missing'];
    }
    const content = contents[mediaType];
    if (!content) {
      return [`body: ${mediaType} is not declared`];
    }
    return mediaType === MULTIPART ? [] : this.#findInBody('body', content.schema, parseIfJson(text));
  }
}

function finderIn(document: Document, coerceTypes: boolean): FindProblems {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true, coerceTypes });
  addFormats(ajv);
  ajv.addSchema(document, 'document');
  return (place, schema, value) => {
    ajv.validate(schema, value);
    return (ajv.errors ?? []).map(({ instancePath, message, params }) =>
      [`${place}${instancePath}: ${message}`, ...Object.values(params)].join(' '),
    );
  };
}

/** The routes of an operation, one for each of its paths. */
function routesOf(operation: ListedOperation): Route[] {
  return [operation.path, ...(operation['x-aliases'] ?? [])].map((path) => ({
    ...operation,
    path,
    pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));
}

/** The parsed JSON, because answers of `text/plain` may contain JSON; otherwise the text. */
function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
