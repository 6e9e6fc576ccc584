/** A record as the control API shows it: times in ISO 8601, money as decimal text. */
export type Shown = Record<string, unknown> & { id: string };

export interface ShownPayment extends Shown {
  state: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
  channel: string;
  merchantId: string;
  payerReference: string;
  paymentId: string | null;
  paymentCode: string | null;
  /** Decimal text, e.g. "10.00". */
  amount: string;
  charges: string;
  currency: string;
  history: {
    at: string;
    from: string | null;
    to: string;
    cause: string;
    code: string | null;
    description: string | null;
  }[];
}

export interface ShownEvent {
  id: number;
  at: string;
  type: string;
  collection: string | null;
  subjectId: string | null;
  data: Record<string, unknown>;
}

export interface ShownClock {
  mode: 'real' | 'frozen';
  now: string;
  /** How far a real clock was moved ahead of the machine's, as an ISO 8601 duration; null for any other. */
  ahead: string | null;
  nextDue: string | null;
  happened?: ShownEvent[];
  /** How many events followed the last one that is shown. */
  more?: number;
}

export interface ShownList<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** One notification on its way to one endpoint. */
export interface ShownDelivery extends Shown {
  state: 'pending' | 'delivered' | 'failed' | 'dropped';
  url: string;
  type: string;
  /** The payment or payout that it is about. */
  subjectId: string;
  webhookId: string;
  /** The exact text that is signed and sent. */
  body: string;
  attempts: {
    at: string;
    headers: Record<string, string>;
    status: number | null;
    ms: number;
    error: string | null;
    response: string | null;
  }[];
  nextAttemptAt: string | null;
}

export interface ShownEndpoint extends Shown {
  url: string;
  /** whsec_…, signs by Standard Webhooks. */
  secret: string;
}

export interface Expectation {
  match: Record<string, unknown>;
  count?: number;
}

/** A control call was refused; `problem` is the body of RFC 9457. */
export class ControlError extends Error {
  readonly status: number;
  readonly problem: Record<string, unknown>;

  constructor(status: number, problem: Record<string, unknown>) {
    super(String(problem['detail'] ?? `the control call failed with status ${status}`));
    this.name = 'ControlError';
    this.status = status;
    this.problem = problem;
  }
}

export interface ClientOptions {
  /** Base address of the sandbox, e.g. http://127.0.0.1:4100. */
  url: string;
  /** The session to steer; left out, `default`. */
  session?: string;
  /** Needed when the sandbox listens beyond loopback. */
  controlToken?: string | undefined;
}

/** The control interface from the user's side: one session of a running sandbox. */
export class SandboxClient {
  readonly session: string;
  /** Where an integration under test must point to be in this session. */
  readonly baseUrl: string;
  readonly #headers: Record<string, string>;

  constructor({ url, session = 'default', controlToken }: ClientOptions) {
    this.session = session;
    this.baseUrl =
      session === 'default' ? url.replace(/\/+$/, '') : `${url.replace(/\/+$/, '')}/s/${encodeURIComponent(session)}`;
    this.#headers = controlToken === undefined ? {} : { 'x-sandbox-control-token': controlToken };
  }

  health(): Promise<{ status: string; version: string }> {
    return this.call('GET', '/health');
  }

  /** Follow a scenario from now on. */
  useScenario(name: string): Promise<Record<string, unknown>> {
    return this.call('PUT', '/scenario', { name });
  }

  scenarios(): Promise<ShownList<{ name: string; description: string }>> {
    return this.list('scenarios', { limit: '1000' });
  }

  currentScenario(): Promise<{ name: string; description: string }> {
    return this.call('GET', '/scenario');
  }

  /** Defines a scenario in this session; its format is that of fixtures/scenarios. */
  defineScenario(scenario: { name: string; description: string; rules: unknown[] }): Promise<Record<string, unknown>> {
    return this.call('PUT', `/scenarios/${encodeURIComponent(scenario.name)}`, scenario);
  }

  clock(): Promise<ShownClock> {
    return this.call('GET', '/clock');
  }

  /** Stops the clock, where it stands or at an ISO 8601 instant. */
  freeze(now?: string): Promise<ShownClock> {
    return this.call('PUT', '/clock', now === undefined ? { mode: 'frozen' } : { mode: 'frozen', now });
  }

  unfreeze(): Promise<ShownClock> {
    return this.call('PUT', '/clock', { mode: 'real' });
  }

  /** Moves the clock on by an ISO 8601 duration; resolves when everything due has run, with what happened. */
  advance(by: string): Promise<ShownClock> {
    return this.call('POST', '/clock/advance', { by });
  }

  /** Moves the clock on until nothing is due any more. */
  runUntilIdle(): Promise<ShownClock> {
    return this.call('POST', '/clock/run-until-idle');
  }

  /** A page of payments, newest first, by filters such as `{ state: 'Paid', payerReference: 'ORDER-1' }`. */
  payments(filters: Record<string, string> = {}): Promise<ShownList<ShownPayment>> {
    return this.list('payments', filters);
  }

  /** A payment by its id (payment-1), or the newest one by your own reference, paymentId or paymentCode. */
  payment(payment: string): Promise<ShownPayment> {
    return this.call('GET', `/payments/${encodeURIComponent(payment)}`);
  }

  /** The newest payment with a reference of yours. Throws where there is none. */
  async paymentByReference(payerReference: string): Promise<ShownPayment> {
    // A filter finds it in any case.
    const { items } = await this.payments({ payerReference });
    const payment = items.find((each) => each.payerReference === payerReference);
    if (!payment) {
      throw new Error(`session ${this.session} has no payment with the reference ${payerReference}`);
    }
    return payment;
  }

  /** Settles a payment, by its id (payment-1) or by your own reference. */
  async settle(
    payment: string,
    outcome: Exclude<ShownPayment['state'], 'Processing'>,
    code?: string,
  ): Promise<ShownPayment> {
    const path = `/payments/${encodeURIComponent(payment)}/settle`;
    return this.call('POST', path, code === undefined ? { outcome } : { outcome, code });
  }

  /** A page of any list: payouts, links, recurring-payments, payment-tokens, merchants, requests … */
  list<Item = Shown>(name: string, filters: Record<string, string> = {}): Promise<ShownList<Item>> {
    const query = new URLSearchParams(filters).toString();
    return this.call('GET', `/${name}${query === '' ? '' : `?${query}`}`);
  }

  /** Replaces the session's own endpoints; a secret is made where none is given. */
  setEndpoints(
    endpoints: readonly { url: string; secret?: string; merchantId?: string; types?: string[] }[],
  ): Promise<{ endpoints: ShownEndpoint[] }> {
    return this.call('PUT', '/webhooks/endpoints', { endpoints });
  }

  endpoints(): Promise<{ endpoints: ShownEndpoint[] }> {
    return this.call('GET', '/webhooks/endpoints');
  }

  /** A page of notifications, newest first, with every attempt. */
  deliveries(filters: Record<string, string> = {}): Promise<ShownList<ShownDelivery>> {
    return this.list('webhooks/deliveries', filters);
  }

  /** Sends a notification once more, under the same webhook-id. */
  replay(delivery: string): Promise<ShownDelivery> {
    return this.call('POST', `/webhooks/deliveries/${encodeURIComponent(delivery)}/replay`);
  }

  /** Sends all notifications once more that were given up. */
  replayFailed(): Promise<ShownList<ShownDelivery>> {
    return this.call('POST', '/webhooks/deliveries/replay-failed');
  }

  /**
   * Resolves with the next delivery that reached its endpoint, of a payment (its id or your reference) or of any; one that
   * has happened already counts. Waits on the event stream, by the session's clock, and never sleeps.
   */
  async waitForDelivery(payment?: string, since = 0): Promise<ShownDelivery> {
    const subject = payment === undefined ? undefined : (await this.payment(payment)).id;
    for await (const event of this.events(since)) {
      if (event.type === 'delivery.succeeded' && (subject === undefined || event.data['subject'] === subject)) {
        return this.call('GET', `/webhooks/deliveries/${event.subjectId}`);
      }
    }
    throw new Error('the sandbox closed before the delivery');
  }

  /** Resolves when the calls so far were as expected; throws ControlError with the nearest ones when not. */
  verify(expectation: Expectation): Promise<{ matched: number; ids: string[] }> {
    return this.call('POST', '/requests/verify', expectation);
  }

  /** Back to the start: no records; scenario and clock as the session was made. */
  reset(): Promise<Record<string, unknown>> {
    return this.call('POST', '/reset');
  }

  state(): Promise<Record<string, unknown>> {
    return this.call('GET', '/state');
  }

  restore(state: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.call('PUT', '/state', state);
  }

  /** Makes a session of its own with seed, scenario and frozen clock; returns its client. */
  async createSession(
    name: string,
    facts: { seed?: string; scenario?: string; now?: string } = {},
  ): Promise<SandboxClient> {
    await this.call('POST', '/sessions', { name, ...facts });
    return this.inSession(name);
  }

  /** The client of another session, which its first call or change makes: looking into one that there is not is a 404. */
  inSession(name: string): SandboxClient {
    const url = this.baseUrl.replace(/\/s\/[^/]+$/, '');
    return new SandboxClient({ url, session: name, controlToken: this.#headers['x-sandbox-control-token'] });
  }

  async deleteSession(name: string): Promise<void> {
    await this.call('DELETE', `/sessions/${encodeURIComponent(name)}`);
  }

  /**
   * Events as they happen, after an event id (left out: from now on); with `calls` also calls of the merchant API, as
   * `request.answered`. Ends when the sandbox closes or you stop reading.
   */
  async *events(since?: number, { calls = false } = {}): AsyncGenerator<ShownEvent> {
    const stop = new AbortController();
    try {
      const query = new URLSearchParams({
        ...(since === undefined ? {} : { since: String(since) }),
        ...(calls ? { calls: 'true' } : {}),
      });
      const address = `${this.baseUrl}/_sandbox/events?${query}`;
      const response = await fetch(address, { headers: this.#headers, signal: stop.signal });
      if (!response.ok || !response.body) {
        throw new ControlError(response.status, JSON.parse(await response.text()));
      }
      let text = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const parts = `${text}${chunk}`.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data !== undefined) {
            yield JSON.parse(data) as ShownEvent;
          }
        }
      }
    } finally {
      stop.abort();
    }
  }

  /** Resolves with the first event of a type after an event id (left out: since the session began); never sleeps. */
  async waitForEvent(type: string, since = 0): Promise<ShownEvent> {
    for await (const event of this.events(since)) {
      if (event.type === type) {
        return event;
      }
    }
    throw new Error(`the sandbox closed before ${type} happened`);
  }

  /** Any control call, by its method and its path below /_sandbox. Throws ControlError. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' };
    const response = await fetch(`${this.baseUrl}/_sandbox${path}`, { method, headers, ...content });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) {
      throw new ControlError(response.status, answer ?? {});
    }
    return answer as Answer;
  }
}
