import type { IncomingHttpHeaders } from 'node:http';
import { estimateBytes } from '../../base/estimate-bytes.ts';
import { redact, redactHeaders, redactSentence } from '../../base/masking/redact.ts';
import { type Members, membersOf } from '../../base/members.ts';
import { describeFindings, type Finding, type Refusal, refusalLabel } from '../../base/refusal.ts';
import type { Payment } from '../../base/schema/generated/records.ts';
import type { Instant } from '../../base/time.ts';
import { steadyNow } from '../../base/timers.ts';
import { type CallPlan, describeFault, type Fault } from '../domain/scenarios/scenario.ts';
import { isByHand } from '../http/is-by-hand.ts';
import type { CausingCall } from '../sessions/call-context.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { CallEntry } from '../sessions/history-entry.ts';
import type { Epoch } from '../sessions/reader.ts';
import type { CallSubject, CallSummary, LoggedCall, LoggedRequest } from '../sessions/request-log.ts';
import type { Session } from '../sessions/session.ts';
import type { Transaction } from '../sessions/transaction.ts';
import type { Exchange } from './exchange.ts';
import { headerText } from './header-text.ts';
import { MAX_LOGGED_BYTES, maskAnswer, maskBody } from './mask-call.ts';
import { recordsForLog } from './records-for-log.ts';
import { type BodyResult, UnreadableBody } from './request-body/request-body.ts';
import type { MerchantRoute } from './routes.ts';
import type { SentAnswer } from './send-answer.ts';

/** Approximate memory of a record besides its request and answer, in bytes. */
const OWN_BYTES = 1000;
const NO_BODY = { value: undefined };

/** Everything recorded of a call, for the request log, the answer's headers and the log line. */
export class RequestRecord implements LoggedCall, CallEntry, CausingCall {
  readonly kind = 'call';
  readonly origin = 'merchant';
  readonly method: string;
  readonly id: string;
  /** The log and the history show the same instant, because a bundle restores the log from the history. */
  readonly at: Instant;
  /** The session's epoch at the start of the call. Unlike a generation, it also ends with each rollback. */
  readonly epoch: Epoch;
  readonly findings: Finding[] = [];
  /** The events of the call's transactions. */
  #events: readonly SessionEvent[] = [];
  /** `<collection> <id>` of each record that the transactions changed. */
  #keys: readonly string[] = [];
  merchantId: string | null = null;
  appliedFault: Fault | null = null;
  /** The payment whose status the answer reports. */
  reportedPayment: Payment | undefined;
  refusal: Refusal | null = null;
  /** Whether a writing operation has committed. Then a later refusal must not say that nothing was done. */
  hasCommitted = false;
  status: number | null = null;
  /** Method and path of the operation that a call to an unknown path most likely means. */
  nearest: string | null = null;
  route: Pick<MerchantRoute, 'operation' | 'environment'> | null = null;
  /** The reason for its refusal, in words; null if it is not refused. */
  reason: string | null = null;
  /** When the client closed the connection, in words, such as `before the answer`; null if it did not. */
  clientDeparture: string | null = null;
  #body: Pick<BodyResult, 'value' | 'allParts'> = NO_BODY;
  /** The merchant's reference in the body, once the body is no longer kept. */
  #reference: string | null = null;
  plan: CallPlan | null = null;
  /** The channel that the plan was chosen for; null if there is no plan, or the body names no channel. */
  channel: string | null = null;
  #answer: SentAnswer | null = null;
  readonly #session: string;
  readonly #path: string;
  readonly #query: Readonly<Record<string, string>>;
  readonly #search: string;
  readonly #requestHeaders: IncomingHttpHeaders;
  readonly #recording: object | undefined;
  readonly #started = steadyNow();
  #milliseconds = 0;
  /** Number of the session's last event when the call ended. */
  lastEvent = 0;
  #description: LoggedRequest | undefined;
  #bytes: number | undefined;

  constructor({ session, request, address, path, query }: Exchange) {
    this.method = request.method ?? 'GET';
    this.id = session.requests.nextId();
    this.epoch = session.epoch;
    this.#session = session.name;
    this.#path = path;
    this.#query = query;
    this.#search = address.includes('?') ? address.slice(address.indexOf('?')) : '';
    this.#requestHeaders = request.headers;
    this.at = session.clock.now();
    this.#recording = session.history.beginCall(this);
  }

  /** Answer headers: the call's id in the request log, its scenario, outcome and warnings. */
  get headers(): Record<string, string> {
    const headers: Record<string, string> = { 'X-Sandbox-Request': this.id };
    if (this.plan) {
      headers['X-Sandbox-Scenario'] = this.plan.scenario;
    }
    if (this.outcome !== null) {
      headers['X-Sandbox-Outcome'] = this.outcome;
    }
    const warnings = this.findings.filter(({ severity }) => severity === 'warning');
    if (warnings.length > 0) {
      headers['X-Sandbox-Warnings'] = headerText(describeFindings(warnings));
    }
    return headers;
  }

  /** The scenario's rule and the fault, or the kind of the refusal; and whether the client closed the connection first. */
  get outcome(): string | null {
    if (this.clientDeparture === null) {
      return this.#resultText;
    }
    const departureText = `the client closed the connection ${this.clientDeparture}`;
    return this.#resultText === null ? departureText : `${this.#resultText}; ${departureText}`;
  }

  get #resultText(): string | null {
    if (this.refusal) {
      return refusalLabel(this.refusal);
    }
    const planText = this.plan?.reason ?? null;
    return this.fault === null ? planText : `${planText}; ${this.fault}`;
  }

  get fault(): string | null {
    return this.appliedFault && describeFault(this.appliedFault);
  }

  /** Whether a person made the call in the console or the API reference, so that it shows nothing about the code under test. */
  get isByHand(): boolean {
    return isByHand(this.#requestHeaders);
  }

  get body(): Members {
    return membersOf(this.#body.value);
  }

  /** The merchant's reference in the body, such as that of a payment. */
  get reference(): string | null {
    const member = this.route?.operation.referenceMember;
    const reference = member === undefined ? undefined : this.body[member];
    return typeof reference === 'string' ? reference : this.#reference;
  }

  isAbout({ key, merchantId, names }: CallSubject): boolean {
    const { reference } = this;
    const isOfOtherMerchant = this.merchantId !== null && this.merchantId !== merchantId;
    return this.#keys.includes(key) || (reference !== null && !isOfOtherMerchant && names.includes(reference));
  }

  /** The payment or payout that the call initiated. */
  get initiated(): { collection: 'payments' | 'payouts'; recordId: string } | undefined {
    for (const { type, collection, subjectId: recordId } of this.#events) {
      if (type.endsWith('.created') && (collection === 'payments' || collection === 'payouts') && recordId !== null) {
        return { collection, recordId };
      }
    }
    return undefined;
  }

  setBody(body: BodyResult): void {
    this.#body = body;
    this.addFindings(body.findings);
  }

  addFindings(findings: readonly Finding[]): void {
    this.findings.push(...findings);
  }

  addCommit({ events, changedKeys }: Transaction): void {
    this.#events = this.#events.length === 0 ? events : [...this.#events, ...events];
    this.#keys = this.#keys.length === 0 ? changedKeys : [...new Set([...this.#keys, ...changedKeys])];
  }

  /** `isClientGone`: the connection was already closed, so the client did not receive the answer. */
  setAnswer(answer: SentAnswer | null, isClientGone = false): void {
    this.#answer = answer;
    if (answer && isClientGone) {
      this.clientDeparture = 'before the answer';
    } else {
      this.status = answer?.status ?? null;
    }
  }

  /** `reason` is the whole message of the answer, if it is longer than that of the refusal. */
  setRefusal(refusal: Refusal, reason = refusal.message): void {
    this.refusal = refusal;
    this.reason = reason;
    this.addFindings(refusal.findings.filter((finding) => !this.findings.includes(finding)));
    if (refusal instanceof UnreadableBody) {
      this.#body = { value: refusal.text };
    }
  }

  /** Ends the call. Returns its duration in milliseconds, with fractions. */
  end({ state, history }: Session): number {
    if (this.clientDeparture !== null) {
      this.#answer = null;
    }
    const milliseconds = steadyNow() - this.#started;
    this.#milliseconds = Math.round(milliseconds);
    this.lastEvent = state.counters['event'] ?? 0;
    if (this.bytes > MAX_LOGGED_BYTES) {
      // Otherwise the log and the history would keep all of a large body or answer, of which only the beginning is shown.
      this.#description ??= this.#maskAndDropBodies();
      this.#bytes = this.#estimateBytes();
    }
    history.endCall(this, this.#recording);
    return milliseconds;
  }

  get operation(): string | null {
    return this.route?.operation.name ?? null;
  }

  get environment(): LoggedRequest['environment'] {
    return this.route?.environment ?? null;
  }

  get hasProblem(): boolean {
    return this.reason !== null || this.findings.length > 0;
  }

  /** Estimated once, because the history and the request log both ask when the call has ended. */
  get bytes(): number {
    this.#bytes ??= this.#estimateBytes();
    return this.#bytes;
  }

  #estimateBytes(): number {
    const request = [this.#requestHeaders, this.#query, this.#path, this.#body.value, this.#body.allParts];
    const notes = [this.findings, this.#events, this.#keys, this.reason, this.#description];
    return OWN_BYTES + estimateBytes([request, notes, this.#answer]);
  }

  summarize(): CallSummary {
    const { id, at, method, operation, environment, merchantId, outcome, status } = this;
    const facts = { id, at, milliseconds: this.#milliseconds, method, operation, environment };
    const { path, reference } = this.#description ?? {
      path: redactSentence(this.#path),
      reference: redact(this.reference),
    };
    return { ...facts, path, merchantId, reference, outcome, status, findings: this.findings.length };
  }

  describe(): LoggedRequest {
    this.#description ??= this.#maskAndDropBodies();
    return this.#description;
  }

  /** The description of the call. Drops the body and the answer, because the description has both, masked. */
  #maskAndDropBodies(): LoggedRequest {
    const description: LoggedRequest = {
      id: this.id,
      at: this.at,
      milliseconds: this.#milliseconds,
      session: this.#session,
      method: this.method,
      path: redactSentence(this.#path),
      query: redact(this.#query),
      search: redactSentence(this.#search),
      operation: this.operation,
      environment: this.environment,
      channel: this.channel,
      merchantId: this.merchantId,
      reference: redact(this.reference),
      headers: redactHeaders(this.#requestHeaders),
      ...maskBody(this.#body),
      findings: redact(this.findings),
      scenario: this.plan?.scenario ?? null,
      outcome: this.outcome,
      reason: this.reason,
      fault: this.fault,
      nearest: this.nearest,
      lastEvent: this.lastEvent,
      events: redact(this.#events),
      records: recordsForLog(this.#keys),
      answer: this.#answer && maskAnswer(this.#answer),
    };
    this.#reference = this.reference;
    this.#body = NO_BODY;
    this.#answer = null;
    return description;
  }
}
