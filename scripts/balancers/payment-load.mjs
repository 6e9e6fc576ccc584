// Clients that pay without end, each payment with a new reference.
import assert from 'node:assert/strict';
import { tryToPay } from './calls.mjs';
import { pause } from './programs.mjs';

const CLIENTS = 12;
/** Between two payments of a client. */
const PAUSE_MS = 5;

export class PaymentLoad {
  #base;
  #sessions;
  #isStopped = false;
  #name;
  #made = 0;
  #retries = 0;
  /** References of payments that were answered with 200, by session. */
  #acknowledged = new Map();
  /** References whose calls failed, so that it is unknown whether the payment exists. */
  #unknown = new Set();
  #failures = [];
  #clients;

  constructor(base, sessions, name) {
    this.#base = base;
    this.#name = name;
    this.#sessions = sessions;
    this.#acknowledged = new Map(sessions.map((session) => [session, []]));
    this.#clients = Array.from({ length: CLIENTS }, () => this.#run());
  }

  async stop() {
    this.#isStopped = true;
    await Promise.all(this.#clients);
    const acknowledged = [...this.#acknowledged.values()].flat().length;
    return { acknowledged, retries: this.#retries, failures: this.#failures };
  }

  /** Pays in a session until a payment is acknowledged. */
  async payUntilAcknowledged(session) {
    while (!(await this.#pay(session))) {
      await pause(PAUSE_MS);
    }
  }

  /** Checks that every acknowledged payment exists exactly once, and no other, except those whose calls failed. */
  async verify() {
    for (const [session, acknowledged] of this.#acknowledged) {
      const response = await fetch(`${this.#base}/s/${session}/_sandbox/payments?limit=1000`);
      const { items } = await response.json();
      assert.ok(items.length < 1000);
      const references = items
        .map(({ payerReference }) => payerReference)
        .filter((each) => each.startsWith(`${this.#name}-`));
      assert.deepEqual(references.filter((each) => !this.#unknown.has(each)).sort(), acknowledged.toSorted(), session);
    }
  }

  async #run() {
    while (!this.#isStopped) {
      await this.#pay(this.#sessions[this.#made % this.#sessions.length]);
      await pause(PAUSE_MS);
    }
  }

  /** Retries a payment as long as the answer asks for it. Resolves with whether it was acknowledged. */
  async #pay(session) {
    this.#made += 1;
    const reference = `${this.#name}-${this.#made}`;
    for (;;) {
      const { status, retryAfter, text } = await outcomeOf(tryToPay(`${this.#base}/s/${session}`, {}, reference));
      if (status === 200) {
        this.#acknowledged.get(session).push(reference);
        return true;
      }
      if (status !== 503 || retryAfter === null) {
        this.#failures.push(`${status} ${text}`.trim());
        this.#unknown.add(reference);
        return false;
      }
      this.#retries += 1;
      await pause(Number(retryAfter) * 1000);
    }
  }
}

async function outcomeOf(call) {
  try {
    const response = await call;
    const text = (await response.text()).replace(/\s+/g, ' ').slice(0, 120);
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
  } catch (error) {
    return { status: 'broken', text: error.cause?.code ?? error.message };
  }
}
