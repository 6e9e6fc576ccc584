import { type Finding, inWords, type Refusal } from '../refusal.ts';
import type { Plan } from '../scenarios/scenario.ts';
import type { SessionEvent } from '../sessions/event-log.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import { redact, redactHeaders, redactText } from '../text/redact.ts';
import { steadyNow } from '../timers.ts';
import type { Exchange } from './exchange.ts';
import { type BodyResult, UnreadableBody } from './request-body/request-body.ts';
import type { MerchantRoute } from './routes.ts';

/** Characters of the warnings in an answer's header at most; the request log has them all. */
const WARNINGS_LENGTH = 1000;

/** What is noted of a call on its way through the pipeline, for the request log, the answer's headers and the log line. */
export class RequestRecord {
  readonly method: string;
  readonly id: string;
  readonly findings: Finding[] = [];
  /** What the call made happen, as the transaction that did it says. */
  events: readonly SessionEvent[] = [];
  merchantId: string | null = null;
  fault: string | null = null;
  refusal: Refusal | null = null;
  /** The route that a call to an unknown path most likely means. */
  nearest: string | null = null;
  #route: Pick<MerchantRoute, 'operation' | 'environment'> | null = null;
  #reason: string | null = null;
  #body: unknown;
  #plan: Plan | null = null;
  #answer: LoggedRequest['answer'] = null;
  readonly #exchange: Exchange;
  readonly #at: number;
  readonly #started = steadyNow();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.method = exchange.request.method ?? 'GET';
    this.id = exchange.session.requests.nextId();
    this.#at = exchange.session.clock.now();
  }

  /** Headers that tell a developer where to look in the request log, and who acted. */
  get headers(): Record<string, string> {
    const headers: Record<string, string> = { 'X-Sandbox-Request': this.id };
    if (this.#plan) {
      headers['X-Sandbox-Scenario'] = this.#plan.scenario;
    }
    if (this.outcome !== null) {
      headers['X-Sandbox-Outcome'] = this.outcome;
    }
    const warnings = this.findings.filter(({ severity }) => severity === 'warning');
    if (warnings.length > 0) {
      headers['X-Sandbox-Warnings'] = headerText(inWords(warnings));
    }
    return headers;
  }

  /** Which rule acted and what chose it, or why the sandbox refused. */
  get outcome(): string | null {
    if (this.refusal) {
      return `refused: ${this.refusal.kind}`;
    }
    const outcome = this.#plan?.outcome ?? null;
    return this.fault === null ? outcome : `${outcome}; ${this.fault}`;
  }

  get #reference(): string | null {
    const member = this.#route?.operation.referenceMember;
    const named =
      member === undefined ? undefined : (this.#body as Record<string, unknown> | null | undefined)?.[member];
    return typeof named === 'string' ? named : null;
  }

  get route(): Pick<MerchantRoute, 'operation' | 'environment'> | null {
    return this.#route;
  }

  get plan(): Plan | null {
    return this.#plan;
  }

  matched(route: Pick<MerchantRoute, 'operation' | 'environment'>): void {
    this.#route = route;
  }

  bodyCame({ value, findings }: BodyResult): void {
    this.#body = value;
    this.found(findings);
  }

  found(findings: readonly Finding[]): void {
    this.findings.push(...findings);
  }

  planned(plan: Plan): void {
    this.#plan = plan;
  }

  answered(answer: LoggedRequest['answer']): void {
    this.#answer = answer;
  }

  /** `reason` is the whole message of the answer, where that says more than the refusal. */
  refused(refusal: Refusal, reason = refusal.message): void {
    this.refusal = refusal;
    this.#reason = reason;
    this.found(refusal.findings.filter((finding) => !this.findings.includes(finding)));
    if (refusal instanceof UnreadableBody) {
      this.#body = refusal.text;
    }
  }

  /** Since it came. */
  get milliseconds(): number {
    return steadyNow() - this.#started;
  }

  get entry(): LoggedRequest {
    const { session, request, path, query } = this.#exchange;
    return {
      id: this.id,
      at: this.#at,
      milliseconds: Math.round(this.milliseconds),
      session: session.name,
      method: this.method,
      path: redactText(path),
      query: redact(query) as Record<string, string>,
      operation: this.#route?.operation.name ?? null,
      environment: this.#route?.environment ?? null,
      merchantId: this.merchantId,
      reference: redact(this.#reference) as string | null,
      headers: redactHeaders(request.headers),
      body: redact(this.#body),
      findings: redact(this.findings) as Finding[],
      scenario: this.#plan?.scenario ?? null,
      outcome: this.outcome,
      reason: this.#reason,
      fault: this.fault,
      nearest: this.nearest,
      lastEvent: session.state.counters['event'] ?? 0,
      events: redact(this.events) as SessionEvent[],
      answer: this.#answer,
    };
  }
}

/** A text as a header can have it: what is not printable ASCII is escaped as JSON does. */
function headerText(text: string): string {
  const escaped = text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.length > WARNINGS_LENGTH ? `${escaped.slice(0, WARNINGS_LENGTH)}...` : escaped;
}
