import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { EXAMINATION_SECRET, MERCHANT } from '../../../src/base/sample-merchant.ts';

/** Published mistakes of shops, which only a race reveals. */
export const MISTAKES = [
  'both complete the order',
  'the return cancels while the notification pays',
  'remembered as processed before the order exists',
  'locked by the return, and the notification is lost',
  'an old object is written back',
  'the query string is believed',
  'the second attempt replaces the first',
  'only the last attempt is queried',
  'each paid attempt is shipped',
  'each attempt is locked by itself',
] as const;
export type Mistake = (typeof MISTAKES)[number];

const QUERYING_LAST_ONLY: readonly Mistake[] = [
  'the second attempt replaces the first',
  'only the last attempt is queried',
];

interface Order {
  id: string;
  amount: string;
  currency: string;
  /** The channel of each attempt to pay. */
  channels: readonly string[];
  state: 'open' | 'paid' | 'failed' | 'cancelled';
  returns: number;
}

interface PaymentStatus {
  status: string;
  paymentAmount: number;
  paymentCurrency: string;
}

const WALLETS: Readonly<Record<string, string>> = {
  'qr-wallet': 'WALLET_QR',
  'mobile-money': 'WALLET_MOBILE',
  'card-switch': 'WALLET_SWITCH',
  'card-network-a': 'WALLET_CARD_A',
  'card-network-b': 'WALLET_CARD_B',
};
const FAILURES = ['Failed', 'Cancelled', 'Expired'];

/** A table whose reads and commits take a few milliseconds, as in a real database, so that concurrent work can interleave. */
class Database {
  readonly orders = new Map<string, Order>();
  readonly shipments: string[] = [];
  readonly processed = new Set<string>();
  readonly #random: () => number;
  readonly #locks = new Map<string, Promise<unknown>>();

  constructor(random: () => number) {
    this.#random = random;
  }

  pause(): Promise<void> {
    return delay(2 + 8 * this.#random());
  }

  async load(id: string): Promise<Order | undefined> {
    await this.pause();
    const order = this.orders.get(id);
    return order && { ...order };
  }

  async save(order: Order): Promise<void> {
    await this.pause();
    this.orders.set(order.id, { ...order });
  }

  /** Transactions of one order run one after the other. */
  async locked<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#locks.get(id) ?? Promise.resolve();
    const running = before.then(work, work);
    this.#locks.set(
      id,
      running.catch(() => undefined),
    );
    return running;
  }
}

/** A shop in this process, which is correct or has one mistake. */
export class RaceShop {
  readonly #paymentsUrl: string;
  readonly #mistake: Mistake | undefined;
  readonly #isLocking: boolean;
  readonly #database: Database;
  readonly #returning = new Set<string>();
  /** The attempts whose payment led to a shipment. */
  readonly #shipped = new Set<string>();
  #token = '';
  #lastNumber = 0;

  /** With `isLocking`, the shop locks the order of a return during the status query, which is correct as well. */
  constructor(
    paymentsUrl: string,
    { mistake, isLocking = false }: { mistake?: Mistake | undefined; isLocking?: boolean },
    random: () => number,
  ) {
    this.#isLocking = isLocking;
    this.#paymentsUrl = paymentsUrl;
    this.#mistake = mistake;
    this.#database = new Database(random);
  }

  async place(input: Pick<Order, 'amount' | 'currency'> & { channel: string }): Promise<string> {
    this.#lastNumber += 1;
    const id = `RACE-${this.#lastNumber}`;
    const { amount, currency, channel } = input;
    const order: Order = { id, amount, currency, channels: [channel], state: 'open', returns: 0 };
    const isSavedLate = this.#mistake === 'remembered as processed before the order exists';
    if (!isSavedLate) {
      await this.#database.save(order);
    }
    await this.#pay(order);
    if (isSavedLate) {
      await this.#database.save(order);
    }
    return id;
  }

  async payAgain(id: string, channel: string): Promise<void> {
    await this.#database.locked(id, async () => {
      const order = await this.#database.load(id);
      if (!order || order.state === 'paid') {
        throw new Error('the order has been paid');
      }
      const retried: Order = { ...order, state: 'open', channels: [...order.channels, channel] };
      await this.#database.save(retried);
      await this.#pay(retried);
    });
  }

  async receiveNotification(headers: IncomingMessage['headers'], body: string): Promise<number> {
    if (!isVerified(headers, body)) {
      return 400;
    }
    const payment = JSON.parse(body) as PaymentStatus & { paymentReference: string };
    const [id = '', attempt = '1'] = payment.paymentReference.split('/');
    if (this.#mistake === 'remembered as processed before the order exists') {
      const webhookId = String(headers['webhook-id']);
      if (this.#database.processed.has(webhookId)) {
        return 204;
      }
      this.#database.processed.add(webhookId);
      if ((await this.#database.load(id)) === undefined) {
        return 204;
      }
    }
    if (this.#mistake === 'locked by the return, and the notification is lost' && this.#returning.has(id)) {
      return 200;
    }
    const order = await this.#database.load(id);
    if (this.#mistake === 'the second attempt replaces the first' && Number(attempt) !== order?.channels.length) {
      return 204;
    }
    return (await this.#apply(id, payment, Number(attempt))) ? 204 : 404;
  }

  /** The page after the payment. */
  async handleReturn(id: string, query: URLSearchParams): Promise<boolean> {
    const order = await this.#database.load(id);
    if (!order) {
      return false;
    }
    if (this.#mistake === 'the query string is believed' && query.get('status') === 'Paid') {
      return this.#apply(
        id,
        { status: 'Paid', paymentAmount: Number(order.amount), paymentCurrency: order.currency },
        order.channels.length,
      );
    }
    if (this.#isLocking) {
      await this.#database.locked(id, async () => {
        const attempt = order.channels.length;
        const payment = await this.#queryStatus(order, attempt);
        return payment && payment.status !== 'Processing' && this.#change(id, payment, attempt);
      });
      return true;
    }
    this.#returning.add(id);
    try {
      const isKnown = await this.#lookUp(order, true);
      if (!isKnown && this.#mistake === 'an old object is written back') {
        await this.#database.save({ ...order, returns: order.returns + 1 });
      }
    } finally {
      this.#returning.delete(id);
    }
    return true;
  }

  /** The reconciliation job. With two of the mistakes, it does nothing, because it would hide them. */
  async reconcile(): Promise<void> {
    const withoutJob = [
      'remembered as processed before the order exists',
      'locked by the return, and the notification is lost',
    ];
    if (this.#mistake !== undefined && withoutJob.includes(this.#mistake)) {
      return;
    }
    for (const order of [...this.#database.orders.values()].filter(
      ({ state }) => state === 'open' || state === 'failed',
    )) {
      await this.#lookUp({ ...order }, false);
    }
  }

  state(id: string) {
    const order = this.#database.orders.get(id);
    return (
      order && {
        state: order.state,
        fulfilments: this.#database.shipments.filter((each) => each === id).length,
        paidAmount: order.state === 'paid' ? order.amount : '0.00',
      }
    );
  }

  clear(): void {
    this.#database.orders.clear();
  }

  /** Queries the status of each attempt, the last one first, and applies it. Resolves with whether the last one has an outcome. */
  async #lookUp(order: Order, isReturn: boolean): Promise<boolean> {
    const last = order.channels.length;
    const hasOutcome = await this.#lookUpAttempt(order, last, isReturn);
    const earlier = this.#mistake !== undefined && QUERYING_LAST_ONLY.includes(this.#mistake) ? 0 : last - 1;
    for (let attempt = earlier; attempt > 0; attempt -= 1) {
      await this.#lookUpAttempt(order, attempt, isReturn);
    }
    return hasOutcome;
  }

  async #lookUpAttempt(order: Order, attempt: number, isReturn: boolean): Promise<boolean> {
    const payment = await this.#queryStatus(order, attempt);
    if (isReturn && this.#mistake === 'the return cancels while the notification pays' && payment?.status !== 'Paid') {
      await this.#database.save({ ...order, state: 'cancelled' });
      return true;
    }
    return payment !== undefined && payment.status !== 'Processing' && this.#apply(order.id, payment, attempt);
  }

  /** States only move forward; goods are shipped in the transaction that makes the order paid. */
  #apply(id: string, payment: PaymentStatus, attempt: number): Promise<boolean> {
    const change = () => this.#change(id, payment, attempt);
    const lockKey = this.#mistake === 'each attempt is locked by itself' ? `${id}/${attempt}` : id;
    return this.#mistake === 'both complete the order' ? change() : this.#database.locked(lockKey, change);
  }

  async #change(id: string, payment: PaymentStatus, attempt: number): Promise<boolean> {
    const order = await this.#database.load(id);
    if (!order) {
      return false;
    }
    const isExpectedAmount =
      Number(payment.paymentAmount) === Number(order.amount) && payment.paymentCurrency === order.currency;
    const isShippedAgain = this.#mistake === 'each paid attempt is shipped' && !this.#shipped.has(`${id}/${attempt}`);
    if (this.#mistake === 'each attempt is locked by itself') {
      // As if it sent an e-mail before it stores the change, which gives another attempt enough time to interfere.
      await delay(40);
    }
    const isPayable = order.state === 'open' || order.state === 'failed' || isShippedAgain;
    if (payment.status === 'Paid' && isExpectedAmount && isPayable) {
      await this.#database.save({ ...order, state: 'paid' });
      this.#shipped.add(`${id}/${attempt}`);
      this.#database.shipments.push(id);
    } else if (FAILURES.includes(payment.status) && order.state === 'open' && attempt === order.channels.length) {
      await this.#database.save({ ...order, state: 'failed' });
    }
    return true;
  }

  async #pay({ id, amount, currency, channels }: Order): Promise<void> {
    const channel = channels.at(-1) ?? '';
    await this.#call('/sandbox/init/authenticate/merchant/wallet', {
      ...MERCHANT_BODY,
      walletName: WALLETS[channel],
      amount,
      paymentCurrency: currency,
      paymentDescription: `Order ${id}`,
      payerName: 'Ann Payer',
      payerReference: referenceOf(id, channels.length),
      payerAccountId: 1,
      profileId: 1,
      ...(channel === 'mobile-money' ? { payerMobile: '263770000001' } : {}),
    });
  }

  async #queryStatus({ id, channels }: Order, attempt: number): Promise<PaymentStatus | undefined> {
    const query = new URLSearchParams({
      transactionReference: referenceOf(id, attempt),
      walletName: WALLETS[channels[attempt - 1] ?? ''] ?? '',
    });
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await fetch(`${this.#paymentsUrl}/sandbox/api/getPaymentDetails?${query}`, {
        headers: { Authorization: `Bearer ${this.#token}` },
      });
      if (answer.status !== 401) {
        return answer.ok ? ((await answer.json()) as PaymentStatus) : undefined;
      }
      this.#token = ((await this.#call('/auth/authenticate/merchant', MERCHANT_BODY)) as { token: string }).token;
    }
    return undefined;
  }

  async #call(path: string, body: object): Promise<unknown> {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${this.#paymentsUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json();
  }
}

const MERCHANT_BODY = {
  merchantId: MERCHANT.MERCHANT_ID,
  merchantApiKey: MERCHANT.MERCHANT_API_KEY,
  merchantKey: MERCHANT.MERCHANT_KEY,
};

/** Each attempt to pay has its own reference. */
function referenceOf(id: string, attempt: number): string {
  return attempt === 1 ? id : `${id}/${attempt}`;
}

function isVerified(headers: IncomingMessage['headers'], body: string): boolean {
  const key = Buffer.from(EXAMINATION_SECRET.replace(/^whsec_/, ''), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(text).digest('base64')}`);
  const given = Buffer.from(String(headers['webhook-signature']));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function respond(shop: RaceShop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
  }
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://shop.test');
  if (pathname === '/webhook') {
    response.writeHead(await shop.receiveNotification(request.headers, body)).end();
  } else if (pathname === '/return') {
    const id = searchParams.get('order') ?? '';
    const isFound = await shop.handleReturn(id, searchParams);
    response.writeHead(isFound ? 302 : 404, isFound ? { Location: '/thanks' } : {}).end();
  } else {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Thank you.</p>');
  }
}

/** Serves the return page and the webhook. Customers call the functions of the shop instead. */
export async function serveShop(shop: RaceShop): Promise<{ app: string; close(): Promise<unknown> }> {
  const server = createServer((request, response) => {
    respond(shop, request, response).catch(() => response.writeHead(500).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    app: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
