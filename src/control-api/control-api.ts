import express from 'express';
import type { EntryPoint, HttpCall } from '../http/entry-point.ts';
import { beginEventStream } from '../http/event-stream.ts';
import type { DescribedOperation } from '../openapi/described-operation.ts';
import { REFUSAL_STATUS, Refusal } from '../refusal.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import { checkAnswer, checkBody, checkQuery } from './checks.ts';
import { checkCaller, type GuardSettings } from './guard.ts';
import { AnswerWithStatus, type ControlOperation, type ControlParts, EventStream, HtmlPage } from './operation.ts';
import { CONTROL_OPERATIONS } from './operations.ts';
import { viewEvent } from './views.ts';

/** A whole state can be put back, so bodies may be large. */
const MAX_BODY = '256mb';

/** ENTRY POINT: the developer and the test. JSON; refusals as problem details (RFC 9457). */
export function controlApi(parts: ControlParts, guard: GuardSettings): EntryPoint<ControlOperation> {
  return {
    prefix: '/_sandbox',
    before: [
      (request, _response, next) => {
        // Whether it is up may be asked by anything that watches over processes.
        if (request.path !== '/health') {
          checkCaller(request, guard);
        }
        next();
      },
      express.json({ limit: MAX_BODY, inflate: false }),
    ],
    routes: () => CONTROL_OPERATIONS,
    serve: (call, operation) => answer(parts, call, operation),
    async unmatched({ request, path }, allow) {
      if (allow !== null) {
        throw new Refusal('wrong-method', `use ${allow} here`, { headers: { Allow: allow } });
      }
      const words = `there is no control call ${request.method} ${path}; GET /_sandbox/docs lists them`;
      throw new Refusal('unknown-path', words);
    },
    refuse,
  };
}

/** The control table for the OpenAPI document. */
export function describeControl(): DescribedOperation[] {
  return CONTROL_OPERATIONS.map(({ name, summary, method, path, query, request, response }) => ({
    operationId: name,
    summary,
    tag: 'control',
    method: method.toLowerCase(),
    path: `/_sandbox${path}`,
    query,
    request: request === null ? null : { schema: request, mediaType: 'application/json', required: true },
    response,
    failure: { schema: 'control/problem', mediaType: 'application/problem+json' },
    bearer: 'none',
    provenance: 'ours',
  }));
}

async function answer(parts: ControlParts, call: HttpCall, operation: ControlOperation): Promise<void> {
  const { request, response, parameters, sessionName, openSession } = call;
  const query = await checkQuery(operation, call.query);
  const body = await checkBody(operation, request.body);
  const lastEventId = request.get('last-event-id');
  const signal = signalOf(response);
  const result = await operation.handle({
    parts,
    sessionName,
    openSession,
    parameters,
    query,
    body,
    lastEventId,
    signal,
  });
  if (result instanceof EventStream) {
    stream(result, response);
  } else if (result instanceof HtmlPage) {
    response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    response.type('html').send(result.html);
  } else if (result === undefined) {
    response.status(204).end();
  } else {
    const { status, body: content } = result instanceof AnswerWithStatus ? result : { status: 200, body: result };
    if (parts.checkAnswers) {
      await checkAnswer(operation, content);
    }
    response.status(status).json(content);
  }
}

function signalOf(response: express.Response): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) {
      controller.abort();
    }
  });
  return controller.signal;
}

/** Server-sent events: first what is still in the log, then what happens. */
function stream({ session, since }: EventStream, response: express.Response): void {
  const write = beginEventStream(response);
  const send = (event: SessionEvent) =>
    write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(viewEvent(event))}\n\n`);
  if (write(': connected\n\n') && session.events.since(since).every(send)) {
    response.on(
      'close',
      session.events.listen(send, () => response.end()),
    );
  }
}

async function refuse(
  { kind, message, findings, details, headers }: Refusal,
  { response }: HttpCall<ControlOperation>,
): Promise<void> {
  const status = REFUSAL_STATUS[kind];
  const problem = { type: `urn:merchant-sandbox:${kind}`, title: kind, status, detail: message, findings, ...details };
  response.status(status).set(headers).type('application/problem+json').send(JSON.stringify(problem));
}
