import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { CATCH, isCaught } from '../../base/catch.ts';
import { codeOf, messageOf } from '../../base/errors.ts';
import type { Delivery, NotificationRules } from '../../base/schema/records.ts';
import { addDuration } from '../../base/time.ts';
import { afterMilliseconds, steadyNow } from '../../base/timers.ts';
import type { Message } from '../../sessions/history-entry.ts';
import type { JobContext } from '../../sessions/job.ts';
import { checkTarget, type GuardRules, guardedLookup, type Resolver } from './guard.ts';
import { headersOf } from './signature.ts';

/** How long a receiver may take, in real time, where no behaviour says. Source: ours. */
const USUAL_TIMEOUT = 'PT15S';
/** How long a slow notification stops halfway where the scenario does not say. */
const USUAL_PAUSE = 'PT5S';
/** Bytes of a receiver's answer that are kept. */
const KEPT = 64 * 1024;

/** What became of one attempt. */
export interface Sent {
  /** What was sent besides the body, the signature among it. */
  headers: Record<string, string>;
  status: number | null;
  ms: number;
  /** In plain words; null when the receiver answered with what counts as delivered. */
  error: string | null;
  response: string | null;
}

/** Sends notifications over connections that are kept open. */
export class Sender {
  readonly #rules: GuardRules;
  readonly #agents: { http: HttpAgent; https: HttpsAgent };

  constructor(rules: GuardRules, resolver?: Resolver) {
    this.#rules = rules;
    const lookup = guardedLookup(rules, resolver);
    this.#agents = {
      http: new HttpAgent({ keepAlive: true, lookup }),
      https: new HttpsAgent({ keepAlive: true, lookup }),
    };
  }

  /** Refuses an address that must not be called, before anything is kept. */
  check(url: string): void {
    checkTarget(url, this.#rules);
  }

  /** The same for what is to be an endpoint, which may be the built-in receiver. */
  checkEndpoint(url: string): void {
    if (url !== CATCH) {
      this.check(url);
    }
  }

  /** One signed request. Never rejects: what goes wrong, a signal that fires too, is in the result. */
  async send(delivery: Delivery, context: Pick<JobContext, 'signal' | 'sleep'>): Promise<Sent> {
    const started = steadyNow();
    const headers = await headersOf(delivery);
    try {
      if (isCaught(delivery)) {
        return { headers, ...(await caught(delivery, context)) };
      }
      const { status, body } = await this.#request(delivery, headers, context);
      const error = problemOf(status, delivery.rules);
      return { headers, status, ms: Math.round(steadyNow() - started), error, response: body };
    } catch (error) {
      return { headers, status: null, ms: Math.round(steadyNow() - started), error: explain(error), response: null };
    }
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #request(
    delivery: Delivery,
    headers: Record<string, string>,
    { signal, sleep }: Pick<JobContext, 'signal' | 'sleep'>,
  ): Promise<{ status: number; body: string }> {
    signal.throwIfAborted();
    const url = checkTarget(delivery.url, this.#rules);
    const { timeout = USUAL_TIMEOUT } = delivery.rules ?? {};
    const { method, body: text } = requestFor(delivery);
    const pause = pauseOf(delivery);
    const body = Buffer.from(text);
    const options = { method, signal, headers: { ...headers, 'content-length': String(body.length) } };
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: this.#agents.https })
        : httpRequest(url, { ...options, agent: this.#agents.http });
    const answer = answerOf(request);
    if (pause > 0) {
      const half = Math.floor(body.length / 2);
      request.write(body.subarray(0, half));
      // A receiver that goes away meanwhile is not waited for.
      await Promise.race([sleep(pause), answer]);
      request.end(body.subarray(half));
    } else {
      request.end(body);
    }
    const milliseconds = addDuration(0, timeout);
    const cancelTimeout = afterMilliseconds(milliseconds, () =>
      request.destroy(new Error(`no answer within ${milliseconds / 1000} seconds`)),
    );
    return answer.finally(cancelTimeout);
  }
}

/** What an attempt at a delivery sends, besides the headers. */
export function requestFor({ url, body, rules, webhookBehaviour }: Delivery): Omit<Message, 'headers'> {
  return { url, method: rules?.method ?? 'POST', body: webhookBehaviour.mode === 'tampered' ? tamper(body) : body };
}

/** Milliseconds by the session's clock for which it stops halfway. */
export function pauseOf({ webhookBehaviour: { mode, delay = USUAL_PAUSE } }: Delivery): number {
  return mode === 'slow' ? addDuration(0, delay) : 0;
}

/** What the built-in receiver answers. It takes no time but the notification's own pause, so that each run comes to the same. */
async function caught(delivery: Delivery, { signal, sleep }: Pick<JobContext, 'signal' | 'sleep'>) {
  signal.throwIfAborted();
  const ms = pauseOf(delivery);
  if (ms > 0) {
    await sleep(ms);
  }
  return { status: 200, ms, error: null, response: 'caught by the sandbox' };
}

function answerOf(request: ClientRequest): Promise<{ status: number; body: string }> {
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      readAnswer(response).then((body) => resolve({ status: Number(response.statusCode), body }), reject);
    });
  });
  // It may fail while the request is still being written.
  answer.catch(() => undefined);
  return answer;
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < KEPT) {
      chunks.push(chunk.subarray(0, KEPT - size));
      size += chunk.length;
    }
  }
  return Buffer.concat(chunks).toString();
}

/** The amount is changed after the body was signed, so that the signature no longer fits. */
function tamper(body: string): string {
  return body.replace(/"paymentAmount":([\d.]+)/, (_whole, amount) => `"paymentAmount":${Number(amount) + 1}`);
}

/** Why an answer does not count as delivered; null where it does. */
function problemOf(status: number, { success }: Pick<NotificationRules, 'success'> = {}): string | null {
  if (status === 200 || (status < 300 && success !== 'only-200')) {
    return null;
  }
  if (status < 300) {
    return `the receiver answered with ${status}; only 200 counts as delivered`;
  }
  return status < 400
    ? `the receiver redirected with ${status}, which is not followed`
    : `the receiver answered with ${status}`;
}

function explain(error: unknown): string {
  const [code, message] = [codeOf(error), messageOf(error)];
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (connection refused)';
    case 'ECONNRESET':
      return 'the receiver closed the connection';
    case 'ENOTFOUND':
      return 'there is no such host name';
    default:
      return message || String(error);
  }
}
