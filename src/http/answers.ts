import type { IncomingMessage, ServerResponse } from 'node:http';
import accepts from 'accepts';

type Headers = Readonly<Record<string, string>>;

export const HTML = 'text/html; charset=utf-8';
export const TEXT = 'text/plain; charset=utf-8';

/** What is sent besides the content. */
export interface AnswerOptions {
  /** Default: 200. */
  status?: number;
  headers?: Headers;
}

/** Sends a whole text or file. */
export function sendContent(
  response: ServerResponse,
  mediaType: string,
  content: string | Buffer,
  { status = 200, headers = {} }: AnswerOptions = {},
): void {
  response.writeHead(status, {
    'Content-Type': mediaType,
    'Content-Length': String(Buffer.byteLength(content)),
    ...headers,
  });
  response.end(content);
}

export function sendJson(response: ServerResponse, content: unknown, options?: AnswerOptions): void {
  sendContent(response, 'application/json; charset=utf-8', JSON.stringify(content), options);
}

/** Leads to another page, which a GET gets. */
export function redirect(response: ServerResponse, location: string, headers: Headers = {}): void {
  response.writeHead(303, { Location: location, 'Content-Length': '0', ...headers });
  response.end();
}

/** Whether the client is a browser that opens a page, and no program that reads JSON. */
export function prefersHtml(request: IncomingMessage): boolean {
  return preferredType(request, ['application/json', 'text/html']) === 'text/html';
}

/** Which of these media types the client would rather have, the first where it does not care; undefined where it takes none. */
export function preferredType<Type extends string>(request: IncomingMessage, types: readonly Type[]): Type | undefined {
  const accepted = accepts(request).type([...types]);
  return types.find((type) => type === accepted);
}
