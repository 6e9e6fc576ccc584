import { CATCH_URL, isCaught } from '../../../base/catch.ts';
import { ConnectionPool } from '../../../base/connection-pool.ts';
import { codeOf, messageOf } from '../../../base/errors.ts';
import { isRedirect, isSuccess } from '../../../base/is-success.ts';
import { redactSentence } from '../../../base/masking/redact.ts';
import { fetchWhole } from '../../../base/outbound.ts';
import type { Delivery, NotificationRules } from '../../../base/schema/generated/records.ts';
import { addDuration } from '../../../base/time.ts';
import { steadyNow } from '../../../base/timers.ts';
import type { JobContext } from '../../sessions/job.ts';
import { alterAmount } from './alter-amount.ts';
import { headersOf, type SignedDelivery } from './signature.ts';
import { checkTarget, type GuardRules, guardedLookup, type Resolver } from './target-guard.ts';

/** Real time in which a receiver must answer, by default. Source: ours. */
const DEFAULT_TIMEOUT = 'PT15S';
/** Time for which a slow notification pauses halfway, by default. */
const DEFAULT_PAUSE = 'PT5S';
/** A longer answer of a receiver is cut, because only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024;

export interface SendResult {
  /** The headers of the attempt, with its signature; without content-length. */
  headers: Record<string, string>;
  status: number | null;
  ms: number;
  /** The problem in plain words; null if the notification counts as delivered. */
  error: string | null;
  response: string | null;
}

export class Sender {
  readonly #rules: GuardRules;
  readonly #connections: ConnectionPool;

  constructor(rules: GuardRules, resolver?: Resolver) {
    this.#rules = rules;
    this.#connections = new ConnectionPool(guardedLookup(rules, resolver));
  }

  /** Throws `business-rule` for an address that must not be called. */
  check(url: string): void {
    checkTarget(url, this.#rules);
  }

  /** Like `check`, but allows the built-in receiver. */
  checkEndpoint(url: string): void {
    if (url !== CATCH_URL) {
      this.check(url);
    }
  }

  /** Does not reject: the result reports a failed or aborted attempt, too. */
  async send(delivery: SignedDelivery, context: Pick<JobContext, 'signal' | 'sleep'>): Promise<SendResult> {
    const start = steadyNow();
    const headers = headersOf(delivery);
    try {
      if (isCaught(delivery)) {
        return { headers, ...(await catchDelivery(delivery, context)) };
      }
      const { status, body } = await this.#request(delivery, headers, context);
      const error = problemOf(status, delivery.rules);
      return { headers, status, ms: Math.round(steadyNow() - start), error, response: redactSentence(body) };
    } catch (error) {
      return { headers, status: null, ms: Math.round(steadyNow() - start), error: reasonOf(error), response: null };
    }
  }

  /** Closes all connections, those in use included. */
  close(): void {
    this.#connections.close();
  }

  async #request(
    delivery: Delivery,
    headers: Record<string, string>,
    { signal, sleep }: Pick<JobContext, 'signal' | 'sleep'>,
  ): Promise<{ status: number; body: string }> {
    signal.throwIfAborted();
    const url = checkTarget(delivery.url, this.#rules);
    const { method, body } = requestFor(delivery);
    const pause = pauseOf(delivery);
    const allHeaders = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    const answer = await fetchWhole(url, {
      method,
      headers: allHeaders,
      body,
      signal,
      timeoutMs: addDuration(0, delivery.rules?.timeout ?? DEFAULT_TIMEOUT),
      connections: this.#connections,
      pauseHalfway: pause > 0 ? () => sleep(pause) : undefined,
      isRepeatable: true,
      maxBytes: MAX_ANSWER_BYTES,
      canBeCut: true,
    });
    return { status: answer.status, body: answer.body.toString() };
  }
}

export function requestFor({ url, body, rules, webhookBehaviour }: Delivery): {
  url: string;
  method: string;
  body: string;
} {
  return { url, method: rules?.method ?? 'POST', body: webhookBehaviour.mode === 'tampered' ? tamper(body) : body };
}

/** Milliseconds of the session's clock for which a slow notification pauses halfway. */
export function pauseOf({ webhookBehaviour: { mode, delay = DEFAULT_PAUSE } }: Delivery): number {
  return mode === 'slow' ? addDuration(0, delay) : 0;
}

/** The answer of the built-in receiver. It takes only the time of the notification's own pause, so that runs are repeatable. */
async function catchDelivery(delivery: Delivery, { signal, sleep }: Pick<JobContext, 'signal' | 'sleep'>) {
  signal.throwIfAborted();
  const ms = pauseOf(delivery);
  if (ms > 0) {
    await sleep(ms);
  }
  return { status: 200, ms, error: null, response: 'caught by the sandbox' };
}

/** The amount is negative if a negative balance was collected. A behaviour may write a space after the colon. */
const PAYMENT_AMOUNT = /("paymentAmount": ?)(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)/i;

/** Changes the amount of a body that is already signed, so that its signature is wrong. */
function tamper(body: string): string {
  return body.replace(PAYMENT_AMOUNT, (_whole, name, amount) => `${name}${alterAmount(amount)}`);
}

function problemOf(status: number, { success }: Pick<NotificationRules, 'success'> = {}): string | null {
  if (status === 200 || (isSuccess(status) && success !== 'only-200')) {
    return null;
  }
  if (isSuccess(status)) {
    return `the endpoint answered with ${status}; only 200 counts as delivered`;
  }
  return isRedirect(status)
    ? `the endpoint redirected with ${status}, which is not followed`
    : `the endpoint answered with ${status}`;
}

function reasonOf(error: unknown): string {
  const [code, message] = [codeOf(error), messageOf(error)];
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (connection refused)';
    case 'ECONNRESET':
      return 'the endpoint closed the connection';
    case 'ENOTFOUND':
      return 'there is no such host name';
    default:
      return message || String(error);
  }
}
