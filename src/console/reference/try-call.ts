import { tryParseJson } from '../../base/text/try-parse-json.ts';
import { baseAddress } from '../address.ts';
import { addressOfCall } from '../call/address-of-call.ts';
import type { ApiCall } from '../call/credentials.ts';
import type { DocumentedOperation } from './fetch-reference.ts';

/** The values of a call that a user fills in. */
export interface TryItDraft {
  /** Values of the path, the query and the headers, by name. */
  parameters: Readonly<Record<string, string>>;
  /** JSON, or empty. */
  body: string;
  /** The fields of a form that are files. */
  files: Readonly<Record<string, File>>;
  /** If it is empty, a token is fetched for calls that need one. */
  token: string;
}

export interface Answer {
  status: number;
  milliseconds: number;
  mediaType: string;
  text: string;
  /** The text as parsed JSON, whatever its media type; undefined if it is not JSON. */
  value: unknown;
}

/** Whether an operation can be called here and its answer shown; false for notifications, pages, streams and images. */
export function canTry(operation: DocumentedOperation): boolean {
  const { path, responses } = operation;
  const mediaType = responses.find(({ status }) => status.startsWith('2'))?.body?.mediaType ?? '';
  return path !== undefined && !/^text\/(event-stream|html)|^image\//.test(mediaType);
}

export function isForm({ body }: DocumentedOperation): boolean {
  return body?.mediaType === 'multipart/form-data';
}

export function callOf(operation: DocumentedOperation, { parameters, body, token }: TryItDraft): ApiCall {
  const headers: Record<string, string> = {};
  for (const { name, in: place } of operation.parameters) {
    const value = parameters[name] ?? '';
    if (place === 'header' && value !== '') {
      headers[name] = value;
    }
  }
  if (body !== '' && !isForm(operation)) {
    headers['Content-Type'] = 'application/json';
  }
  if (token !== '') {
    headers['Authorization'] = `Bearer ${token}`;
  }
  const path = addressOfCall(operation.path ?? '', operation.parameters, parameters);
  return { method: operation.method, path, headers, body: isForm(operation) ? undefined : body };
}

/** Sends a call in the session that is shown. */
export async function tryCall(operation: DocumentedOperation, draft: TryItDraft): Promise<Answer> {
  const { method, path, headers, body } = callOf(operation, draft);
  const startedAt = performance.now();
  const answer = await fetch(`${baseAddress}${path}`, {
    method,
    headers,
    body: isForm(operation) ? formOf(draft) : body === '' ? null : String(body),
  }).catch(() => {
    throw new Error('No answer was received: the scenario cut the connection, or the sandbox is not running.');
  });
  const text = await answer.text();
  return {
    status: answer.status,
    milliseconds: Math.round(performance.now() - startedAt),
    mediaType: answer.headers.get('Content-Type') ?? '',
    text,
    value: tryParseJson(text),
  };
}

/** Fetches a token with the credentials of the operation's first example. */
export async function fetchToken(operation: DocumentedOperation): Promise<string> {
  const [example] = operation.body?.examples.values() ?? [];
  const body = JSON.stringify(example?.value ?? {});
  const { status, value } = await tryCall(operation, { parameters: {}, body, files: {}, token: '' });
  const token = typeof value === 'object' && value !== null ? Reflect.get(value, 'token') : undefined;
  if (typeof token !== 'string') {
    throw new Error(`No token was issued: ${operation.id} answered ${status}.`);
  }
  return token;
}

function formOf({ body, files }: TryItDraft): FormData {
  const form = new FormData();
  const members: unknown = body === '' ? {} : JSON.parse(body);
  for (const [name, value] of Object.entries(members ?? {})) {
    form.set(name, String(value));
  }
  for (const [name, file] of Object.entries(files)) {
    form.set(name, file, file.name);
  }
  return form;
}
