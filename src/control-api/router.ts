import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import type { Target } from '../http/target.ts';
import type { DescribedOperation } from '../openapi/described-operation.ts';
import { REFUSAL_STATUS, Refusal, refuseFindings } from '../refusal.ts';
import { validate } from '../schema/validation.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import { checkCaller, type GuardSettings } from './guard.ts';
import { type ControlOperation, type ControlParts, EventStream, HtmlPage } from './operation.ts';
import { CONTROL_OPERATIONS } from './operations.ts';
import { viewEvent } from './views.ts';

/** A whole state can be put back, so bodies may be large. */
const MAX_BODY = '256mb';

/** DOOR 3: the developer and the test. JSON; refusals as problem details (RFC 9457). */
export function controlDoor(
  parts: ControlParts,
  guard: GuardSettings,
  onError: (error: unknown) => void,
): express.Router {
  const router = express.Router();
  router.use((request, _response, next) => {
    // Whether it is up may be asked by anything that watches over processes.
    if (request.path !== '/health') {
      checkCaller(request, guard);
    }
    next();
  });
  router.use(express.json({ limit: MAX_BODY }));
  router.use((request, response) => answer(parts, request, response));
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    refuse(asRefusal(error, onError), response);
  });
  return router;
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

async function answer(parts: ControlParts, request: Request, response: Response): Promise<void> {
  const target = response.locals['target'] as Target;
  const { operation, parameters } = match(request.method, request.path);
  const body: unknown = await check(operation, request);
  const session = parts.sessions.open(target.session);
  const lastEventId = request.get('last-event-id');
  const result = await operation.handle({ parts, session, parameters, query: target.query, body, lastEventId });
  if (result instanceof EventStream) {
    stream(result, response);
  } else if (result instanceof HtmlPage) {
    response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    response.type('html').send(result.html);
  } else if (result === undefined) {
    response.status(204).end();
  } else {
    response.json(result);
  }
}

async function check({ request: schema }: ControlOperation, request: Request): Promise<unknown> {
  if (schema === null) {
    return undefined;
  }
  if (request.body === undefined) {
    throw new Refusal('wrong-media-type', 'a JSON body was expected; send Content-Type: application/json');
  }
  const findings = await validate(schema, request.body);
  if (findings.length > 0) {
    throw refuseFindings(findings);
  }
  return request.body;
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
    `there is no control call ${method} /_sandbox${path}; GET /_sandbox/docs lists them`,
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
      parameters[name] = decode(segment);
    } else if (part !== segment) {
      return undefined;
    }
  }
  return parameters;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Server-sent events: first what is still in the log, then what happens. */
function stream({ session, since }: EventStream, response: Response): void {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const send = (event: SessionEvent) => {
    response.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(viewEvent(event))}\n\n`);
  };
  response.write(': connected\n\n');
  session.events.since(since).forEach(send);
  response.on(
    'close',
    session.events.listen(send, () => response.end()),
  );
}

function asRefusal(error: unknown, onError: (error: unknown) => void): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  // What express.json refuses carries a status of its own.
  const { status, message } = error as { status?: number; message?: string };
  if (status === 413) {
    return new Refusal('body-too-large', `the body is larger than ${MAX_BODY}`);
  }
  if (status !== undefined && status < 500) {
    return new Refusal('malformed-body', `the body cannot be read: ${message}`);
  }
  onError(error);
  return new Refusal('internal-error', 'the sandbox failed; its log says why');
}

function refuse({ kind, message, findings, details, headers }: Refusal, response: Response): void {
  const status = REFUSAL_STATUS[kind];
  const problem = { type: `urn:merchant-sandbox:${kind}`, title: kind, status, detail: message, findings, ...details };
  response.status(status).set(headers).type('application/problem+json').send(JSON.stringify(problem));
}
