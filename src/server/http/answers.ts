import type { IncomingMessage, ServerResponse } from 'node:http';
import accepts from 'accepts';
import { recordAnswer } from './recorded-calls.ts';

type Headers = Readonly<Record<string, string>>;

export const HTML_TYPE = 'text/html; charset=utf-8';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

export interface AnswerOptions {
  /** Default: 200. */
  status?: number;
  headers?: Headers;
}

export function sendContent(
  response: ServerResponse,
  mediaType: string,
  content: string | Buffer,
  { status = 200, headers = {} }: AnswerOptions = {},
): void {
  const allHeaders = { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(content)), ...headers };
  recordAnswer(response, { status, headers: allHeaders, text: content.toString() });
  response.writeHead(status, allHeaders);
  response.end(content);
}

export function sendNothing(response: ServerResponse): void {
  recordAnswer(response, { status: 204, headers: {}, text: '' });
  response.writeHead(204).end();
}

export function sendJson(response: ServerResponse, content: unknown, options?: AnswerOptions): void {
  sendContent(response, JSON_TYPE, JSON.stringify(content), options);
}

/** Answers 303: the client then requests another page with GET. */
export function redirect(response: ServerResponse, location: string, headers: Headers = {}): void {
  const allHeaders = { Location: location, 'Content-Length': '0', ...headers };
  recordAnswer(response, { status: 303, headers: allHeaders, text: '' });
  response.writeHead(303, allHeaders);
  response.end();
}

/** Whether the client is a browser that opens a page, not a program that reads JSON. */
export function prefersHtml(request: IncomingMessage): boolean {
  return preferredType(request, ['application/json', 'text/html']) === 'text/html';
}

/** The media type that the client prefers; the first one if it has no preference; undefined if it accepts none of them. */
export function preferredType<Type extends string>(request: IncomingMessage, types: readonly Type[]): Type | undefined {
  const accepted = accepts(request).type([...types]);
  return types.find((type) => type === accepted);
}
