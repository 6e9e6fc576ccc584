import type { IncomingMessage, ServerResponse } from 'node:http';
import { REFUSAL_STATUS, Refusal } from '../refusal.ts';
import type { Target } from '../session/target.ts';
import type { DescribedOperation } from '../shapes/described-operation.ts';
import type { ControlOperation, ControlParts } from './operation.ts';
import { CONTROL_OPERATIONS } from './operations.ts';

export type ControlDoor = (target: Target, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** DOOR 3: the developer and the test. JSON; refusals as problem details (RFC 9457). */
export function controlDoor(parts: ControlParts, onError: (error: unknown) => void): ControlDoor {
  return async (target, request, response) => {
    try {
      const { operation, parameters } = match(request.method ?? 'GET', target.path.slice('/_sandbox'.length));
      const session = parts.sessions.open(target.session);
      request.resume();
      const answer = await operation.handle({ parts, session, parameters, query: target.query, body: undefined });
      send(response, 200, 'application/json', answer);
    } catch (error) {
      request.resume();
      refuse(error, response, onError);
    }
  };
}

/** The control table for the OpenAPI document. */
export function describeControl(): DescribedOperation[] {
  return CONTROL_OPERATIONS.map(({ name, summary, method, path, request }) => ({
    operationId: name,
    summary,
    tag: 'control',
    method: method.toLowerCase(),
    path: `/_sandbox${path}`,
    request: request === null ? null : { schema: request, mediaType: 'application/json', required: true },
    response: { schema: null, mediaType: 'application/json' },
    failure: { schema: null, mediaType: 'application/problem+json' },
    bearer: 'none',
    provenance: 'ours',
  }));
}

function match(method: string, path: string): { operation: ControlOperation; parameters: Record<string, string> } {
  const there = CONTROL_OPERATIONS.flatMap((operation) => {
    const parameters = parametersIn(operation.path, path);
    return parameters ? [{ operation, parameters }] : [];
  });
  const found = there.find(({ operation }) => operation.method === method);
  if (found) {
    return found;
  }
  if (there.length > 0) {
    const allow = there.map(({ operation }) => operation.method).join(', ');
    throw new Refusal('wrong-method', `use ${allow} here`, { headers: { Allow: allow } });
  }
  throw new Refusal(
    'unknown-path',
    `there is no control call ${method} /_sandbox${path}; GET /_sandbox/openapi.json lists them`,
  );
}

function parametersIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, came] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== came.length) {
    return undefined;
  }
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const segment = came[index] ?? '';
    if (name !== undefined && segment !== '') {
      parameters[name] = decodeURIComponent(segment);
    } else if (part !== segment) {
      return undefined;
    }
  }
  return parameters;
}

function refuse(error: unknown, response: ServerResponse, onError: (error: unknown) => void): void {
  const refusal =
    error instanceof Refusal ? error : new Refusal('internal-error', 'the sandbox failed; its log says why');
  if (refusal !== error) {
    onError(error);
  }
  const status = REFUSAL_STATUS[refusal.kind];
  const { kind, message, findings, details, headers } = refusal;
  const problem = { type: `urn:merchant-sandbox:${kind}`, title: kind, status, detail: message, findings, ...details };
  send(response, status, 'application/problem+json', problem, headers);
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'Content-Type': type, ...headers });
  response.end(`${JSON.stringify(body)}\n`);
}
