import type { DeliveriesQuery, PaymentsQuery } from '../base/schema/generated/control.ts';
import { ControlConnection } from './connection.ts';
import { ControlError } from './control-error.ts';
import { EarlierNames } from './earlier-names.ts';
import { type Expectation, ExpectationError } from './expectation.ts';
import type { BehaviourName, EventName, Filters, FilterValue, GivenScenario, ScenarioName } from './names.ts';
import {
  type DeliveryAnswer,
  type Shown,
  type ShownAdjustment,
  type ShownClock,
  type ShownCoverage,
  type ShownCredit,
  type ShownDelivery,
  type ShownEndpoint,
  type ShownEvent,
  type ShownExamination,
  type ShownHistory,
  type ShownList,
  type ShownPayment,
  type ShownPayout,
  type ShownSession,
  type ShownTimeline,
  showDelivery,
} from './shown.ts';
import type { WaitOptions } from './wait-options.ts';
import { Waits } from './waits.ts';

export interface ClientOptions {
  /** Base address of the sandbox, e.g. http://127.0.0.1:4100. */
  url: string;
  /** The session to control. Default: `default`. */
  session?: string;
  /** Needed when the sandbox listens beyond loopback. */
  controlToken?: string | undefined;
}

type Outcome = 'Paid' | 'Failed' | 'Cancelled' | 'Expired';

/** The control API from the user's side: one session of a running sandbox. */
export class SandboxClient extends EarlierNames {
  readonly session: string;
  /** The base address for the code under test, so that its calls belong to this session. */
  readonly baseUrl: string;
  readonly #control: ControlConnection;
  readonly #waits: Waits;

  constructor({ url, session = 'default', controlToken }: ClientOptions) {
    super();
    this.session = session;
    this.baseUrl =
      session === 'default' ? url.replace(/\/+$/, '') : `${url.replace(/\/+$/, '')}/s/${encodeURIComponent(session)}`;
    this.#control = new ControlConnection(this.baseUrl, controlToken);
    this.#waits = new Waits(this.#control, session);
  }

  /** Throws ControlError if the sandbox is not ready or cannot save changes, and Error if the server is not a sandbox. */
  health(signal?: AbortSignal): Promise<{ status: string; version: string }> {
    return this.#control.health(signal);
  }

  /** Makes the session follow a scenario from now on. */
  useScenario(name: ScenarioName): Promise<Record<string, unknown>> {
    return this.call('PUT', '/scenario', { name });
  }

  scenarios(): Promise<ShownList<{ name: string; description: string }>> {
    return this.list('scenarios', { limit: '1000' });
  }

  currentScenario(): Promise<{ name: string; description: string }> {
    return this.call('GET', '/scenario');
  }

  /** Defines a scenario in this session; its format is that of fixtures/scenarios. */
  defineScenario(scenario: GivenScenario): Promise<Record<string, unknown>> {
    return this.call('PUT', `/scenarios/${encodeURIComponent(scenario.name)}`, scenario);
  }

  /** Makes the session follow these rules from now on: the first that matches a call applies. Their format is that of fixtures/scenarios. */
  async useRules(rules: GivenScenario['rules']): Promise<Record<string, unknown>> {
    const name = 'own-rules';
    await this.defineScenario({ name, description: 'Rules of a test.', rules });
    return this.useScenario(name);
  }

  clock(): Promise<ShownClock> {
    return this.call('GET', '/clock');
  }

  /** Freezes the clock, at its current time or at an RFC 3339 instant. */
  freeze(now?: string): Promise<ShownClock> {
    return this.call('PUT', '/clock', now === undefined ? { mode: 'frozen' } : { mode: 'frozen', now });
  }

  unfreeze(): Promise<ShownClock> {
    return this.call('PUT', '/clock', { mode: 'real' });
  }

  /** Advances the clock by a duration such as 15m or P1M; resolves when everything due has run, with the first 10,000 events. */
  advance(by: string): Promise<ShownClock> {
    return this.call('POST', '/clock/advance', { by });
  }

  /** Advances the clock until only settlements are due (these recur without end), or until 100,000 events have happened. */
  runUntilIdle(): Promise<ShownClock> {
    return this.call('POST', '/clock/run-until-idle');
  }

  /** A page of payments, newest first, by filters such as `{ state: 'Paid', payerReference: 'ORDER-1' }`. */
  payments(filters: Filters<PaymentsQuery> = {}): Promise<ShownList<ShownPayment>> {
    return this.list('payments', filters);
  }

  /** A payment by its id (payment-1), or the newest one by your own reference, paymentId or paymentCode. */
  payment(payment: string): Promise<ShownPayment> {
    return this.call('GET', `/payments/${encodeURIComponent(payment)}`);
  }

  /** Past and planned steps, in order, of a payment or payout (by its id or your reference) or a settlement (by its id). */
  timeline(id: string, kind: 'payments' | 'payouts' | 'settlements' = 'payments'): Promise<ShownTimeline> {
    return this.call('GET', `/${kind}/${encodeURIComponent(id)}/timeline`);
  }

  /** The newest payment with your reference. Throws if it does not exist. */
  async paymentByReference(payerReference: string): Promise<ShownPayment> {
    // The filter ignores case, but the reference must match exactly.
    const { items } = await this.payments({ payerReference, limit: '1000' });
    const payment = items.find((each) => each.payerReference === payerReference);
    if (!payment) {
      throw new Error(`session ${this.session} has no payment with the reference ${payerReference}`);
    }
    return payment;
  }

  /** Decides a payment, by its id (payment-1) or your own reference; if several payments share that, the newest. */
  async settle(payment: string, outcome: Outcome, code?: string): Promise<ShownPayment> {
    return this.call('POST', `/payments/${encodeURIComponent(payment)}/settle`, { outcome, code });
  }

  /** A payout by its id (payout-1), or the newest one by your own reference. */
  payout(payout: string): Promise<ShownPayout> {
    return this.call('GET', `/payouts/${encodeURIComponent(payout)}`);
  }

  /** Decides all credits of a payout that are still Processing. */
  async settlePayout(payout: string, outcome: 'Paid' | 'Failed', code?: string): Promise<ShownPayout> {
    return this.call('POST', `/payouts/${encodeURIComponent(payout)}/settle`, { outcome, code });
  }

  /** Decides one credit of a payout, by its number, counted from 1; a paid credit can be returned. */
  async settleCredit(
    payout: string,
    number: number,
    outcome: Exclude<ShownCredit['state'], 'Processing'>,
    code?: string,
  ): Promise<ShownPayout> {
    const path = `/payouts/${encodeURIComponent(payout)}/credits/${number}/settle`;
    return this.call('POST', path, code === undefined ? { outcome } : { outcome, code });
  }

  /** Refunds a paid payment, by its id or your own reference. Default amount: the remainder. */
  refund(payment: string, amount?: string, code?: string): Promise<ShownPayment> {
    return this.addAdjustment(payment, 'refund', { amount, code });
  }

  /** Reverses a paid payment, including its share of the charges. */
  reverse(payment: string, code?: string): Promise<ShownPayment> {
    return this.addAdjustment(payment, 'reversal', { code });
  }

  /** Charges a paid payment back. Default amount: the remainder. */
  chargeback(payment: string, amount?: string, code?: string): Promise<ShownPayment> {
    return this.addAdjustment(payment, 'chargeback', { amount, code });
  }

  /** Reverses a chargeback, in whole or in part. Default amount: all that is still charged back. */
  reverseChargeback(payment: string, amount?: string, code?: string): Promise<ShownPayment> {
    return this.addAdjustment(payment, 'chargeback-reversed', { amount, code });
  }

  /**
   * Adjusts a paid payment, by its id or your own reference: a `refund`, `reversal`, `chargeback`, or
   * `chargeback-reversed`. Default amount (decimal text): the remainder or, for `chargeback-reversed`, all that is still charged back.
   */
  addAdjustment(
    payment: string,
    kind: ShownAdjustment['kind'],
    { amount, code }: { amount?: string | undefined; code?: string | undefined } = {},
  ): Promise<ShownPayment> {
    return this.call('POST', `/payments/${encodeURIComponent(payment)}/adjustments`, { kind, amount, code });
  }

  /**
   * The statement of the merchant's bank account for the day on which the bank books a settlement's transfer, as text: JSON, or the
   * `format` in the query (`camt.053`, `mt940`, `csv`).
   */
  bankStatement(settlement: string, query: Record<string, string> = {}): Promise<string> {
    return this.#control.text(`/settlements/${encodeURIComponent(settlement)}/statement?${new URLSearchParams(query)}`);
  }

  /** A page of any list: payouts, links, recurring-payments, payment-tokens, merchants, requests … */
  list<Item = Shown>(name: string, filters: Filters<Record<string, FilterValue>> = {}): Promise<ShownList<Item>> {
    const entries = Object.entries(filters).flatMap(([each, value]) =>
      value === undefined ? [] : [[each, String(value)]],
    );
    const query = new URLSearchParams(entries).toString();
    return this.call('GET', `/${name}${query === '' ? '' : `?${query}`}`);
  }

  /** Chooses how the provider behaves from now on. */
  useBehaviour(name: BehaviourName): Promise<Record<string, unknown>> {
    return this.call('PUT', '/behaviour', { name });
  }

  behaviours(): Promise<ShownList<{ name: string; description: string }>> {
    return this.list('behaviours', { limit: '1000' });
  }

  currentBehaviour(): Promise<{ name: string; description: string }> {
    return this.call('GET', '/behaviour');
  }

  /** Replaces the session's own endpoints. Unless a secret is given, a known address keeps its secret, and a new address gets one. */
  setEndpoints(
    endpoints: readonly (string | { url: string; secret?: string; merchantId?: string; types?: EventName[] })[],
  ): Promise<{ endpoints: ShownEndpoint[] }> {
    const content = { endpoints: endpoints.map((each) => (typeof each === 'string' ? { url: each } : each)) };
    return this.call('PUT', '/webhooks/endpoints', content);
  }

  endpoints(): Promise<{ endpoints: ShownEndpoint[] }> {
    return this.call('GET', '/webhooks/endpoints');
  }

  /** Resumes sending to an endpoint that is paused, halted or switched off. */
  resume(endpoint: string): Promise<{ endpoints: ShownEndpoint[] }> {
    return this.call('POST', `/webhooks/endpoints/${encodeURIComponent(endpoint)}/resume`);
  }

  /** A page of notifications, newest first, with every attempt. */
  async deliveries(filters: Filters<DeliveriesQuery> = {}): Promise<ShownList<ShownDelivery>> {
    return showDeliveries(await this.list<DeliveryAnswer>('webhooks/deliveries', filters));
  }

  /** Sends a notification again, under the same webhook-id. */
  async resend(delivery: string): Promise<ShownDelivery> {
    return showDelivery(await this.call('POST', `/webhooks/deliveries/${encodeURIComponent(delivery)}/replay`));
  }

  /** Resends all notifications that were given up, except forged ones. */
  async resendFailed(): Promise<ShownList<ShownDelivery>> {
    return showDeliveries(await this.call('POST', '/webhooks/deliveries/replay-failed'));
  }

  /**
   * Resolves with the next delivery that its endpoint acknowledged, about one payment or payout (its id or your reference) or about any.
   * This is the first that no `waitForDelivery` of this client has returned yet, even if it happened before the call.
   * Rejects with WaitTimeoutError, which shows the state of the session, after `timeout` real milliseconds (3000).
   */
  async waitForDelivery(subject?: string, options?: WaitOptions): Promise<ShownDelivery> {
    return showDelivery(await this.#waits.forDelivery(subject, options));
  }

  /** Resolves if the calls so far are as expected; if they are not, rejects with ExpectationError, which shows the nearest calls. */
  async verify(expectation: Expectation): Promise<{ matched: number; ids: string[] }> {
    try {
      return await this.call('POST', '/requests/verify', expectation);
    } catch (error) {
      const isUnmet = error instanceof ControlError && error.problem['title'] === 'expectation-failed';
      throw isUnmet ? new ExpectationError(error, expectation, this.baseUrl) : error;
    }
  }

  /** Calls and notifications as an HTTP Archive (HAR 1.2), for other tools. */
  httpArchive(): Promise<Record<string, unknown>> {
    return this.call('GET', '/har');
  }

  /** Deletes the session's records, own endpoints and own scenarios; resets scenario, behaviour and clock to those of its creation. */
  reset(): Promise<Record<string, unknown>> {
    return this.call('POST', '/reset');
  }

  state(): Promise<Record<string, unknown>> {
    return this.call('GET', '/state');
  }

  restore(state: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.call('PUT', '/state', state);
  }

  /** Creates a session, and returns its client. Omitted settings are those of the sandbox; `now` freezes the clock. */
  async createSession(
    name: string,
    settings: { seed?: string; ids?: 'repeat' | 'differ'; scenario?: string; behaviour?: string; now?: string } = {},
  ): Promise<SandboxClient> {
    await this.call('POST', '/sessions', { name, ...settings });
    return this.inSession(name);
  }

  /** The session's history as a bundle, which `merchant-sandbox open` shows. */
  bundle(): Promise<string> {
    return this.#control.text('/bundle');
  }

  /** The session's calls, answers, events and notifications; if `after` names a step, only later ones. */
  history(after?: string): Promise<ShownHistory> {
    return this.call('GET', after === undefined ? '/history' : `/history?${new URLSearchParams({ after })}`);
  }

  /** Creates the session `as` with the state of another session after the step `at`. Default: its last step. */
  fork(name: string, { at, as }: { at?: string; as: string }): Promise<ShownSession> {
    return this.call('POST', `/sessions/${encodeURIComponent(name)}/fork`, at === undefined ? { as } : { at, as });
  }

  /** The client of another session. The first merchant API call, or a change such as `setEndpoints`, creates it; until then, reads get 404. */
  inSession(name: string): SandboxClient {
    const url = this.baseUrl.replace(/\/s\/[^/]+$/, '');
    return new SandboxClient({ url, session: name, controlToken: this.#control.controlToken });
  }

  async deleteSession(name: string): Promise<void> {
    await this.call('DELETE', `/sessions/${encodeURIComponent(name)}`);
  }

  /**
   * Events after an event id (default: from now on), as they happen; with `calls` also calls of the merchant API (`request.answered`).
   * Ends when the sandbox closes, the session is deleted or you stop; throws the reason of `signal`, or an error if it cannot continue
   * after an interruption.
   */
  events(
    since?: number,
    { calls = false, signal }: { calls?: boolean; signal?: AbortSignal } = {},
  ): AsyncGenerator<ShownEvent> {
    return this.#control.events({ since, calls, ...(signal ? { signal } : {}) });
  }

  /**
   * Resolves with the next event of a type: the first that no `waitForEvent` of this client has returned yet, even if it happened
   * before the call. Rejects with WaitTimeoutError after `timeout` real milliseconds (3000).
   */
  waitForEvent(type: EventName, options?: WaitOptions): Promise<ShownEvent> {
    return this.#waits.forEvent(type, options);
  }

  /** Which of the provider's behaviours the code under test has met since the sandbox started, over all sessions. */
  coverage(): Promise<ShownCoverage> {
    return this.call('GET', '/coverage');
  }

  /** Whether this sandbox can examine a shop, and its verdicts so far. */
  examination(): Promise<ShownExamination> {
    return this.call('GET', '/examination');
  }

  /** Examines the shop that the sandbox was started with; resolves once that has begun. `budget` is a duration such as 5m. */
  startExamination(wanted: { only?: string[]; seed?: number; budget?: string } = {}): Promise<void> {
    return this.call('POST', '/examination', wanted);
  }

  /** Stops the examination; resolves when it has ended. */
  stopExamination(): Promise<void> {
    return this.call('DELETE', '/examination');
  }

  /** A control call by method and path below /_sandbox. Throws ControlError, NoAnswerError, SyntaxError (no JSON) or the signal's reason. */
  call<Answer>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
    return this.#control.call(method, path, body, signal);
  }
}

function showDeliveries({ items, nextCursor }: ShownList<DeliveryAnswer>): ShownList<ShownDelivery> {
  return { items: items.map(showDelivery), nextCursor };
}
