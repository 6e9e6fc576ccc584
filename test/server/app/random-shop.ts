import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { OPERATIONS } from '../../../src/server/merchant-api/operations.ts';
import { prepare, send } from '../../interface/calls.ts';
import { exampleOf } from '../../interface/examples.ts';
import { type Random, randomFrom } from '../../random.ts';
import { createLink, payLink, submit } from '../payer-pages/visits.ts';

const SHOP = { merchantId: 'M-7777', merchantApiKey: 'own-api-key-5f2e8d', merchantKey: 'own-merchant-key-77aa01' };
const [CARD, PASSWORD] = ['4111222233334444', 'a-password-of-mine'];
export const OWN_WEBHOOK_SECRET = 'whsec_b3duLXNlY3JldC1vZi10aGUtc2hvcC0xMjM0NTY=';
/** Secrets of the shop, which no bundle or report may contain. */
export const OWN_SECRETS = [SHOP.merchantApiKey, SHOP.merchantKey, CARD, PASSWORD, OWN_WEBHOOK_SECRET];

const WALLETS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
const SCENARIOS = [
  'auto-approve',
  'declined',
  'duplicate-webhooks',
  'flaky',
  'late-success',
  'late-webhooks',
  'payer-decides',
  'short-answers',
  'tampered-webhooks',
  'forged-webhooks',
  'webhook-before-answer',
  'wrong-pin',
  'paid-after-expiry',
];
const BEHAVIOURS = ['standard', 'status-lags', 'notification-lags', 'unknown-codes', 'notified-by-put-with-hash'];
const INITIATE = '/sandbox/init/authenticate/merchant/wallet';

/** Performs random actions in a session, which are the same for the same seed. */
export class RandomShop {
  readonly #session: SandboxClient;
  readonly #seed: number;
  readonly #random: Random;
  #draws = 0;
  #token: string | undefined;
  #orders = 0;

  constructor(session: SandboxClient, seed: number) {
    this.#session = session;
    this.#seed = seed;
    const random = randomFrom(seed);
    this.#random = (below) => {
      this.#draws += 1;
      return random(below);
    };
  }

  /** Performs N actions, of which `atOnce` run concurrently, moves of the clock included. */
  async run(actions: number, atOnce = 1): Promise<void> {
    if (this.#token === undefined) {
      const { text } = await request(this.#session.baseUrl).post('/auth/authenticate/merchant').send(SHOP);
      this.#token = JSON.parse(text).token;
    }
    for (let action = 0; action < actions; action += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => this.#act()));
    }
  }

  /** A copy for another session, which continues with the same actions as this one. */
  copyFor(session: SandboxClient): RandomShop {
    const copy = new RandomShop(session, this.#seed);
    while (copy.#draws < this.#draws) {
      copy.#random(1);
    }
    copy.#token = this.#token;
    copy.#orders = this.#orders;
    return copy;
  }

  #act(): Promise<unknown> {
    return this.#pick([
      () => this.#payAtOnce(1 + this.#random(3)),
      () => this.#pay(),
      () => this.#queryStatus(),
      () => this.#session.advance(this.#pick(['PT3S', 'PT5M', 'PT20M', 'P1D'])),
      () => this.#session.useScenario(this.#pick(SCENARIOS)),
      () => this.#session.useBehaviour(this.#pick(BEHAVIOURS)),
      () => this.#settle(),
      () => this.#readControlData(),
      () => this.#sendInvalidCall(),
      () => this.#visitPages(),
      () => this.#callAnyOperation(),
    ])();
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)] as Item;
  }

  #payAtOnce(count: number) {
    return Promise.all(Array.from({ length: count }, () => this.#pay()));
  }

  #pay() {
    this.#orders += 1;
    return this.#post(
      INITIATE,
      exampleOf('requests/single-payment', {
        ...SHOP,
        walletName: this.#pick(WALLETS),
        amount: `${1 + this.#random(90)}.${10 + this.#random(90)}`,
        payerReference: `ORDER-${this.#random(2) === 0 ? this.#orders : 1}`,
      }),
    );
  }

  #queryStatus() {
    const call = request(this.#session.baseUrl).get('/sandbox/api/getPaymentDetails');
    const reference = `ORDER-${1 + this.#random(4)}`;
    return call
      .query({ walletName: this.#pick(WALLETS), transactionReference: reference })
      .set('Authorization', `Bearer ${this.#token ?? ''}`)
      .ok(() => true);
  }

  #readControlData() {
    return this.#session.call('GET', this.#pick(['/payments', '/requests', '/webhooks/deliveries', '/clock']));
  }

  /** Refused if the payment is already decided; the refusal is also part of the history. */
  #settle() {
    const payment = `payment-${1 + this.#random(Math.max(this.#orders, 1))}`;
    return this.#session.settle(payment, this.#pick(['Paid', 'Failed', 'Cancelled'])).catch(() => undefined);
  }

  /** Sends a call that a correct client would not send. */
  #sendInvalidCall() {
    return this.#pick([
      () => this.#post(`/sandbox/init/nothing?apiKey=${SHOP.merchantApiKey}`, { password: PASSWORD, cardNumber: CARD }),
      () => this.#post(INITIATE, `{"merchantApiKey":"${SHOP.merchantApiKey}",`),
      () => this.#post(INITIATE, { ...SHOP, merchantKey: `${SHOP.merchantKey}x` }),
      () => this.#post('/auth/authenticate/merchant', { ...SHOP, pin: '1234' }),
    ])();
  }

  /** A payer opens a payment link and its pages, and sends the forms. */
  async #visitPages() {
    // A scenario may refuse the link.
    const link = await createLink(this.#session).catch(() => undefined);
    if (link !== undefined) {
      const page = await payLink(this.#session, link, { channel: this.#pick(['qr-wallet', 'card-network-a']) });
      await submit(this.#session, page, {}).catch(() => undefined);
    }
  }

  /** Calls any operation, after creating the records that it needs. */
  async #callAnyOperation() {
    const { baseUrl } = this.#session;
    const operation = this.#pick(OPERATIONS);
    const { path, environment } = this.#pick(operation.paths);
    // A scenario may refuse the calls that create these records.
    const prepared = await prepare(baseUrl, operation, environment, this.#token ?? '').catch(() => ({}));
    return send(baseUrl, operation, path, this.#token ?? '', prepared);
  }

  #post(path: string, body: object | string) {
    const call = request(this.#session.baseUrl).post(path).set('Content-Type', 'application/json');
    return call.send(body).ok(() => true);
  }
}
