import { redact, redactHeaders } from '../redact.ts';
import type { Finding, Refusal } from '../refusal.ts';
import type { Plan } from '../scenarios/scenario.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import { machineNow } from '../timers.ts';
import type { Exchange } from './exchange.ts';
import { type BodyResult, UnreadableBody } from './request-body/request-body.ts';
import type { MerchantRoute } from './routes.ts';

/** What is noted of a call on its way through the pipeline, for the request log, the answer's headers and the log line. */
export class RequestRecord {
  readonly method: string;
  readonly id: string;
  readonly findings: Finding[] = [];
  merchantId: string | null = null;
  fault: string | null = null;
  refusal: Refusal | null = null;
  /** The route that a call to an unknown path most likely means. */
  nearest: string | null = null;
  #route: Pick<MerchantRoute, 'operation' | 'environment'> | null = null;
  #body: unknown;
  #plan: Plan | null = null;
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

  refused(refusal: Refusal): void {
    this.refusal = refusal;
    this.found(refusal.findings.filter((finding) => !this.findings.includes(finding)));
    if (refusal instanceof UnreadableBody) {
      this.#body = refusal.text;
    }
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
      nearest: this.nearest,
      answer: this.#answer,
    };
  }
}
