import { redact, redactHeaders } from '../redact.ts';
import { type Finding, Refusal } from '../refusal.ts';
import type { Plan } from '../scenarios/scenario.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import { machineNow } from '../timers.ts';
import type { Exchange } from './exchange.ts';
import { type BodyResult, UnreadableBody } from './request-body/request-body.ts';
import type { Match, Route } from './router.ts';

/** What is noted of a call on its way through the pipeline, for the request log, the answer's headers and the log line. */
export class RequestRecord {
  readonly method: string;
  readonly id: string;
  readonly findings: Finding[] = [];
  merchantId: string | null = null;
  fault: string | null = null;
  refusal: Refusal | null = null;
  #route: Route | null = null;
  #body: unknown;
  #plan: Plan | null = null;
  #nearest: string | null = null;
  #answer: LoggedRequest['answer'] = null;
  readonly #exchange: Exchange;
  readonly #at: number;
  readonly #started = machineNow();

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

  matched(route: Route): void {
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

  refused(refusal: Refusal): void {
    this.refusal = refusal;
    this.found(refusal.findings.filter((finding) => !this.findings.includes(finding)));
    if (refusal instanceof UnreadableBody) {
      this.#body = refusal.text;
    }
  }

  /** The refusal for a path or method that leads nowhere. */
  unmatched(match: Exclude<Match, { kind: 'route' }>): Refusal {
    const { path } = this.#exchange;
    const shown = JSON.stringify(path.slice(0, 200));
    if (match.kind === 'wrong-method') {
      const allow = match.allow.join(', ');
      return new Refusal('wrong-method', `${this.method} is not served at ${shown}; use ${allow}`, {
        headers: { Allow: allow },
      });
    }
    const { operation, path: nearest } = match.nearest;
    this.#nearest = `${operation.method} ${nearest}`;
    return new Refusal('unknown-path', `nothing is served at ${this.method} ${shown}; did you mean ${this.#nearest}?`);
  }

  get entry(): LoggedRequest {
    const { session, request, path, query } = this.#exchange;
    return {
      id: this.id,
      at: this.#at,
      milliseconds: machineNow() - this.#started,
      session: session.name,
      method: this.method,
      path,
      query: redact(query) as Record<string, string>,
      operation: this.#route?.operation.name ?? null,
      environment: this.#route?.environment ?? null,
      merchantId: this.merchantId,
      headers: redactHeaders(request.headers),
      body: redact(this.#body),
      findings: this.findings,
      scenario: this.#plan?.scenario ?? null,
      outcome: this.outcome,
      fault: this.fault,
      nearest: this.#nearest,
      answer: this.#answer,
    };
  }
}
