import type { Finding } from '../refusal.ts';
import type { Instant } from '../time.ts';

/** One call as the sandbox saw it, from what came to what went out. Secrets are masked before it gets here. */
export interface LoggedRequest {
  /** request-1, request-2, … within the session; also the answer's X-Sandbox-Request. */
  id: string;
  at: Instant;
  /** How long the sandbox took, by the machine's clock. */
  milliseconds: number;
  session: string;
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** The operation's name; null when no route matched. */
  operation: string | null;
  environment: 'production' | 'sandbox' | null;
  merchantId: string | null;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  /** What validation found, lenient warnings too. */
  findings: readonly Finding[];
  scenario: string | null;
  /** Which rule acted and what chose the scenario. */
  outcome: string | null;
  /** The fault that struck, in words. */
  fault: string | null;
  /** For a call that matched no route: the nearest one. */
  nearest: string | null;
  /** null when no answer left, as under a reset or timeout fault. */
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string } | null;
}

/** The last calls of a session. Kept in memory only. */
export class RequestLog {
  readonly #capacity: number;
  #entries: LoggedRequest[] = [];
  #count = 0;

  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  nextId(): string {
    this.#count += 1;
    return `request-${this.#count}`;
  }

  add(entry: LoggedRequest): void {
    this.#entries.push(entry);
    if (this.#entries.length > this.#capacity * 2) {
      this.#entries = this.#entries.slice(-this.#capacity);
    }
  }

  /** Oldest first. */
  get entries(): readonly LoggedRequest[] {
    return this.#entries.slice(-this.#capacity);
  }

  find(id: string): LoggedRequest | undefined {
    return this.#entries.find((entry) => entry.id === id);
  }

  clear(): void {
    this.#entries = [];
    this.#count = 0;
  }
}
