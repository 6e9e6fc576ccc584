import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { OPERATIONS } from '../../../src/server/merchant-api/operations.ts';
import { prepare, send } from '../../interface/calls.ts';
import { exampleOf } from '../../interface/examples.ts';
import { type Random, randomFrom } from '../../random.ts';
import { createLink, payLink, submit } from '../payer-pages/visits.ts';

const OWN = { merchantId: 'M-7777', merchantApiKey: 'own-api-key-5f2e8d', merchantKey: 'own-merchant-key-77aa01' };
const [CARD, PASSWORD] = ['4111222233334444', 'a-password-of-mine'];
export const OWN_WEBHOOK_SECRET = 'whsec_b3duLXNlY3JldC1vZi10aGUtc2hvcC0xMjM0NTY=';
/** Secrets of the shop's own, which nothing that leaves the machine may have. */
export const OWN_SECRETS = [OWN.merchantApiKey, OWN.merchantKey, CARD, PASSWORD, OWN_WEBHOOK_SECRET];

const WALLETS = ['WALLET_QR', 'WALLET_MOBILE', 'WALLET_SWITCH', 'WALLET_CARD_A', 'WALLET_CARD_B'];
const SCENARIOS = [
  ...['auto-approve', 'declined', 'duplicate-webhooks', 'flaky', 'late-success', 'late-webhooks', 'payer-decides'],
  ...[
    'short-answers',
    'tampered-webhooks',
    'forged-webhooks',
    'webhook-before-answer',
    'wrong-pin',
    'paid-after-expiry',
  ],
];
const BEHAVIOURS = ['standard', 'status-lags', 'notification-lags', 'unknown-codes', 'notified-by-put-with-hash'];
const INITIATE = '/sandbox/init/authenticate/merchant/wallet';

/** What somebody does with a session: at random, and yet the same for the same seed. */
export class ShopAtRandom {
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

  /** `atOnce` of the steps are taken side by side, moves of the clock among them. */
  async run(steps: number, atOnce = 1): Promise<void> {
    if (this.#token === undefined) {
      const { text } = await request(this.#session.baseUrl).post('/auth/authenticate/merchant').send(OWN);
      this.#token = JSON.parse(text).token;
    }
    for (let step = 0; step < steps; step += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, () => this.#step()));
    }
  }

  /** The same shop in another session, where it continues as it would have here. */
  in(session: SandboxClient): ShopAtRandom {
    const same = new ShopAtRandom(session, this.#seed);
    while (same.#draws < this.#draws) {
      same.#random(1);
    }
    same.#token = this.#token;
    same.#orders = this.#orders;
    return same;
  }

  #step(): Promise<unknown> {
    return this.#pick([
      () => this.#payAtOnce(1 + this.#random(3)),
      () => this.#pay(),
      () => this.#status(),
      () => this.#session.advance(this.#pick(['PT3S', 'PT5M', 'PT20M', 'P1D'])),
      () => this.#session.useScenario(this.#pick(SCENARIOS)),
      () => this.#session.useBehaviour(this.#pick(BEHAVIOURS)),
      () => this.#settle(),
      () => this.#look(),
      () => this.#odd(),
      () => this.#pages(),
      () => this.#anything(),
    ])();
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)] as Item;
  }

  /** Of calls at once none knows which comes first: they ask for the same. */
  #payAtOnce(count: number) {
    const pay = () => this.#pay();
    return Promise.all(Array.from({ length: count }, pay));
  }

  #pay() {
    this.#orders += 1;
    return this.#post(
      INITIATE,
      exampleOf('requests/single-payment', {
        ...OWN,
        walletName: this.#pick(WALLETS),
        amount: `${1 + this.#random(90)}.${10 + this.#random(90)}`,
        payerReference: `ORDER-${this.#random(2) === 0 ? this.#orders : 1}`,
      }),
    );
  }

  #status() {
    const call = request(this.#session.baseUrl).get('/sandbox/api/getPaymentDetails');
    const reference = `ORDER-${1 + this.#random(4)}`;
    return call
      .query({ walletName: this.#pick(WALLETS), transactionReference: reference })
      .set('Authorization', `Bearer ${this.#token ?? ''}`)
      .ok(() => true);
  }

  #look() {
    return this.#session.call('GET', this.#pick(['/payments', '/requests', '/webhooks/deliveries', '/clock']));
  }

  /** A payment that is already decided refuses this; the refusal is also part of the history. */
  #settle() {
    const payment = `payment-${1 + this.#random(Math.max(this.#orders, 1))}`;
    return this.#session.settle(payment, this.#pick(['Paid', 'Failed', 'Cancelled'])).catch(() => undefined);
  }

  /** What no client that is in order sends. */
  #odd() {
    return this.#pick([
      () => this.#post(`/sandbox/init/nothing?apiKey=${OWN.merchantApiKey}`, { password: PASSWORD, cardNumber: CARD }),
      () => this.#post(INITIATE, `{"merchantApiKey":"${OWN.merchantApiKey}",`),
      () => this.#post(INITIATE, { ...OWN, merchantKey: `${OWN.merchantKey}x` }),
      () => this.#post('/auth/authenticate/merchant', { ...OWN, pin: '1234' }),
    ])();
  }

  /** A payer opens a payment link and its pages, and sends the forms. */
  async #pages() {
    // A scenario may refuse the link.
    const link = await createLink(this.#session).catch(() => undefined);
    if (link !== undefined) {
      const page = await payLink(this.#session, link, { channel: this.#pick(['qr-wallet', 'card-network-a']) });
      await submit(this.#session, page, {}).catch(() => undefined);
    }
  }

  /** Any operation, after what it needs to be there. */
  async #anything() {
    const { baseUrl } = this.#session;
    const operation = this.#pick(OPERATIONS);
    const { path, environment } = this.#pick(operation.paths);
    // A scenario may refuse what it needs.
    const prepared = await prepare(baseUrl, operation, environment, this.#token ?? '').catch(() => ({}));
    return send(baseUrl, operation, path, this.#token ?? '', prepared);
  }

  #post(path: string, body: object | string) {
    const call = request(this.#session.baseUrl).post(path).set('Content-Type', 'application/json');
    return call.send(body).ok(() => true);
  }
}
