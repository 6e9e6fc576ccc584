import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordedCall } from '../sessions/history.ts';
import type { Answer, Origin } from '../sessions/history-entry.ts';
import type { Session } from '../sessions/session.ts';
import { onClosed } from './connection.ts';
import type { HttpCall } from './entry-point.ts';

/** Bodies as they came, until somebody records them. */
const bodies = new WeakMap<IncomingMessage, Buffer>();
const recorded = new WeakMap<ServerResponse, RecordedCall>();

/** For body parsers: keeps the bytes that they took. */
export function keepBody(request: IncomingMessage, _response: ServerResponse, bytes: Buffer): void {
  bodies.set(request, bytes);
}

/** Notes in the session's history that a call came, and what it is answered. */
export function recordCall(
  session: Session,
  origin: Exclude<Origin, 'merchant'>,
  { request, response, address: target }: Pick<HttpCall, 'request' | 'response' | 'address'>,
): void {
  const { method = '', rawHeaders: headers } = request;
  const call = session.history.call({ id: session.history.nextId(origin), origin, method, target, headers });
  call.bodyCame(bodies.get(request) ?? Buffer.alloc(0));
  recorded.set(response, call);
  onClosed(response, () => call.answered(null));
}

/** Whether what a call is answered is noted in a history. */
export function isRecorded(response: ServerResponse): boolean {
  return recorded.has(response);
}

/** Notes what a call that is recorded is answered. */
export function recordAnswer(response: ServerResponse, answer: Answer): void {
  recorded.get(response)?.answered(answer);
}
