import type { IncomingMessage, ServerResponse } from 'node:http';
import accepts from 'accepts';
import { recordAnswer } from './recorded-calls.ts';

type Headers = Readonly<Record<string, string>>;

export const HTML = 'text/html; charset=utf-8';
export const TEXT = 'text/plain; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Status and headers of an answer. */
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
  const all = { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(content)), ...headers };
  recordAnswer(response, { status, headers: all, text: content.toString() });
  response.writeHead(status, all);
  response.end(content);
}

/** Answers that it was done, and nothing else. */
export function sendNothing(response: ServerResponse): void {
  recordAnswer(response, { status: 204, headers: {}, text: '' });
  response.writeHead(204).end();
}

export function sendJson(response: ServerResponse, content: unknown, options?: AnswerOptions): void {
  sendContent(response, JSON_TYPE, JSON.stringify(content), options);
}

/** Leads to another page, which a GET gets. */
export function redirect(response: ServerResponse, location: string, headers: Headers = {}): void {
  const all = { Location: location, 'Content-Length': '0', ...headers };
  recordAnswer(response, { status: 303, headers: all, text: '' });
  response.writeHead(303, all);
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
