import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { EXAMINATION_SECRET, MERCHANT } from '../../src/base/sample-merchant.ts';
import { NO_ORDER, type OrderInput, type ShopAdapter } from '../../src/examine/shop/adapter.ts';

/** How a shop is built, and its mistakes. By default, it is correct and fast, and does all work within the request that causes it. */
export interface Design {
  /** Accepts an order at once; one worker then makes all calls, one after the other. */
  hasWorker?: boolean;
  /** Real milliseconds between accepting an order and its payment request, by a worker. */
  requestAfterMs?: number;
  /** The delay before a failed step of the worker is retried. */
  retryMs?: number;
  /** The worker queries the status until it is final. */
  polls?: boolean;
  /** The timeout of each call. */
  timeoutMs?: number;
  /** The interval of a job that the shop starts by itself, and that queries open orders. */
  jobMs?: number;
  /** The delay between payment and shipment. */
  shipMs?: number;
  /** Exports the job to the examination; default: unless the shop starts it by itself. */
  exportsJob?: boolean;
  /** The job queries the oldest order first. */
  queriesOldestFirst?: boolean;
  /** Its job also queries paid orders. */
  queriesPaid?: boolean;
  /** The job ends at the first order that cannot be queried. */
  stopsAtFailure?: boolean;
  /** The order is open again after a failure, for another try. */
  reopens?: boolean;
  /** The name of a state in this shop. */
  stateName?(state: string, order: ShopOrder): string;
  /** Fetches a token for each query. */
  forgetsToken?: boolean;
  /** Queries the status on each notification, instead of trusting it. */
  queriesIfNotified?: boolean;
  /** Uses a token until its documented expiry, even if the provider rejects it. */
  trustsToken?: boolean;
  /** Whether the shop fails when an order is placed. */
  refuses?(): boolean;
  /** An order that equals an open one of the same customer is merged into that one. */
  mergesEqual?: boolean;
  /** An order whose payment was partly returned gets another state, but keeps its whole amount. */
  keepsAmounts?: boolean;
  mistake?:
    | 'never-reconciles'
    | 'pays-again'
    | 'ignores-failures'
    | 'truncates'
    | 'floors-cents'
    | 'verifies-nothing'
    | 'does-not-pad-cents'
    | 'compares-whole-units'
    | 'ships-twice'
    | 'ignores-late'
    | 'fulfils-unpaid'
    | 'ignores-late-failure'
    | 'ignores-parts'
    | 'counts-parts-again'
    | 'compares-amounts'
    | 'drops-amounts'
    | 'ignores-won-chargeback'
    | 'believes-the-last'
    | 'never-queries'
    | 'fails-if-query-fails'
    | 'loses-unanswered'
    | 'refuses-unanswered'
    | 'queries-and-refuses'
    | 'pays-again-undecided'
    | 'refuses-notifications'
    | 'sends-no-amount'
    | 'finds-the-oldest-by-amount'
    | 'finds-the-newest-by-amount'
    | 'shares-references'
    | 'counts-from-one-after-restart'
    | 'repeats-ids-after-restart'
    | 'keeps-a-failed-token'
    | 'pages-once'
    | 'queries-recent-only'
    | 'pays-out-again'
    | 'pays-out-too-much'
    | 'subscribes-again'
    | 'splits-once';
  /** Exports backdating. */
  backdates?: boolean;
  /** Exports a restart. */
  restarts?: boolean;
  /** Exports recurring payments. */
  subscribes?: boolean;
  /** Shares each payment with another merchant. */
  splits?: boolean;
  /** Exports payouts. */
  paysOut?: boolean;
  /** Further members of the adapter. */
  stated?: Partial<ShopAdapter>;
}

export interface ShopOrder extends OrderInput {
  id: string;
  /** Its number since the last start of the shop. */
  numberInRun: number;
  state: string;
  fulfilments: number;
  paidAmount: string;
  placedAt: number;
}

interface PaymentStatus {
  status: string;
  paymentAmount: number | string;
  paymentCurrency: string;
}

const WALLETS: Readonly<Record<string, string>> = {
  'qr-wallet': 'WALLET_QR',
  'mobile-money': 'WALLET_MOBILE',
  'card-switch': 'WALLET_SWITCH',
  'card-network-a': 'WALLET_CARD_A',
  'card-network-b': 'WALLET_CARD_B',
};
const CREDENTIALS = {
  merchantId: MERCHANT.MERCHANT_ID,
  merchantApiKey: MERCHANT.MERCHANT_API_KEY,
  merchantKey: MERCHANT.MERCHANT_KEY,
};
const SHARES = [
  { dynamicMerchantId: 'M-1000', dynamicPayoutPercentage: 90 },
  { dynamicMerchantId: 'M-1001', dynamicPayoutPercentage: 10 },
];
const MINUTE_MS = 60_000;
const FAILURES = ['Failed', 'Cancelled', 'Expired'];
/** Changes of a paid payment, with the sign of their effect on the paid amount. */
const CHANGES: ReadonlyMap<string, number> = new Map([
  ['PartlyRefunded', -1],
  ['Refunded', -1],
  ['PartlyReversed', -1],
  ['Reversed', -1],
  ['PartlyChargedBack', -1],
  ['ChargedBack', -1],
  ['ChargebackReversed', 1],
]);

/** A shop in this process that calls the provider at `url`. */
export class ShopOfDesign {
  readonly #url: string;
  readonly #design: Design;
  readonly #orders = new Map<string, ShopOrder>();
  readonly #stop = new AbortController();
  readonly #calls = new Set<AbortController>();
  /** Ids of the notifications of changes that were recorded. */
  readonly #recorded = new Set<string>();
  #ordersInRun = 0;
  #work: Promise<unknown> = Promise.resolve();
  #token = '';
  #isTokenRefused = false;
  #payouts = 0;
  #subscriptions = 0;

  constructor(url: string, design: Design) {
    this.#url = url;
    this.#design = design;
  }

  async start(): Promise<{ adapter: ShopAdapter; stop(): Promise<void> }> {
    const {
      jobMs,
      exportsJob = jobMs === undefined,
      backdates,
      paysOut,
      restarts,
      subscribes,
      stated = {},
    } = this.#design;
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) {
        body += chunk;
      }
      const status = await this.#receiveNotification(request.headers, body).catch(() => 503);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    if (jobMs !== undefined) {
      void this.#repeatJob(jobMs);
    }
    return {
      adapter: {
        webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
        placeOrder: async ({ signal: _, ...order }) => ({ orderId: await this.#placeOrder(order) }),
        orderState: async (orderId) => this.#stateOf(orderId),
        ...(exportsJob ? { reconcile: () => this.#reconcile() } : {}),
        ...(backdates ? { backdate: async (orderId, { minutes }) => this.#backdate(orderId, minutes) } : {}),
        ...(paysOut ? { payOut: ({ amount, currency }) => this.#payOut(amount, currency) } : {}),
        ...(restarts ? { restart: async () => this.#restart() } : {}),
        ...(subscribes ? { subscribe: ({ amount, currency }) => this.#subscribe(amount, currency) } : {}),
        ...stated,
      },
      stop: async () => {
        this.#stop.abort();
        for (const call of this.#calls) {
          call.abort();
        }
        server.closeAllConnections();
        await new Promise((closed) => server.close(closed));
      },
    };
  }

  #backdate(orderId: string, minutes: number): void {
    const order = this.#orders.get(orderId);
    if (order) {
      order.placedAt -= minutes * MINUTE_MS;
    }
  }

  /** Orders are kept, as in a database. */
  #restart(): void {
    this.#ordersInRun = 0;
    this.#token = '';
    this.#isTokenRefused = false;
  }

  #stateOf(orderId: string) {
    const order = this.#orders.get(orderId);
    if (!order) {
      return NO_ORDER;
    }
    const { fulfilments, paidAmount } = order;
    return { state: this.#design.stateName?.(order.state, order) ?? order.state, fulfilments, paidAmount };
  }

  async #placeOrder(input: OrderInput): Promise<string> {
    if (this.#design.refuses?.()) {
      await this.#post('/auth/authenticate/merchant', CREDENTIALS);
      throw new Error('the shop answered 500');
    }
    const equalOrder = [...this.#orders.values()].find(
      ({ state, amount, payer }) => state === 'open' && amount === input.amount && payer.name === input.payer.name,
    );
    if (equalOrder && this.#design.mergesEqual) {
      return equalOrder.id;
    }
    this.#ordersInRun += 1;
    const isRepeated = this.#design.mistake === 'repeats-ids-after-restart';
    const id = `ORDER-${isRepeated ? this.#ordersInRun : this.#orders.size + 1}`;
    const placedAt = Date.now();
    const order: ShopOrder = {
      ...input,
      id,
      numberInRun: this.#ordersInRun,
      state: 'open',
      fulfilments: 0,
      paidAmount: '0.00',
      placedAt,
    };
    this.#orders.set(id, order);
    const { hasWorker, requestAfterMs = 0 } = this.#design;
    if (hasWorker) {
      const queriesFirst = this.#design.mistake !== 'pays-again';
      this.#enqueue(() => pause(requestAfterMs).then(() => this.#pay(order, queriesFirst)));
    } else {
      await this.#payNow(order);
    }
    return id;
  }

  /** Queries the status before it requests the payment a second time. */
  async #payNow(order: ShopOrder): Promise<void> {
    const { mistake } = this.#design;
    if (mistake === 'loses-unanswered' || mistake === 'refuses-unanswered' || mistake === 'queries-and-refuses') {
      await this.#pay(order).catch(async () => {
        if (mistake === 'queries-and-refuses' && (await this.#queryStatus(order).catch(() => undefined))) {
          return;
        }
        this.#orders.delete(order.id);
        const details = mistake === 'loses-unanswered' ? { orderId: order.id } : {};
        throw Object.assign(new Error('the shop answered 502'), details);
      });
      return;
    }
    await this.#pay(order).catch(() => this.#pay(order, mistake !== 'pays-again').catch(() => undefined));
  }

  /** Adds a task for the worker; a failed task returns to the end of the queue. */
  #enqueue(task: (isAgain: boolean) => Promise<unknown>, isAgain = false): void {
    const { retryMs } = this.#design;
    this.#work = this.#work.then(() =>
      task(isAgain).catch(async () => {
        if (retryMs !== undefined && !this.#stop.signal.aborted) {
          void pause(retryMs).then(() => this.#enqueue(task, true));
        }
      }),
    );
  }

  async #pay(order: ShopOrder, queriesFirst = this.#design.hasWorker === true): Promise<void> {
    if (queriesFirst) {
      const known = await this.#queryStatus(order);
      if (known && !(known.status === 'Processing' && this.#design.mistake === 'pays-again-undecided')) {
        this.#applyStatus(order, known);
        return;
      }
    }
    const { id, currency, channel, payer } = order;
    const amount = requestedAmount(order, this.#design);
    const isSplit = this.#design.splits && !(queriesFirst && this.#design.mistake === 'splits-once');
    const { status } = await this.#post(`/sandbox/init/authenticate/merchant/${isSplit ? 'bulkWallet' : 'wallet'}`, {
      ...CREDENTIALS,
      ...(isSplit ? { dynamicPaidList: queriesFirst ? SHARES.toReversed() : SHARES } : {}),
      walletName: WALLETS[channel],
      ...(this.#design.mistake === 'sends-no-amount' ? {} : { amount }),
      paymentCurrency: currency,
      paymentDescription: `Order ${id}`,
      payerName: payer.name,
      payerReference: referenceOf(order, this.#design),
      payerAccountId: 1,
      profileId: 1,
      ...(channel === 'mobile-money' ? { payerMobile: payer.mobile } : {}),
    });
    if (status !== 200) {
      throw new Error(`the provider answered ${status}`);
    }
    if (this.#design.polls) {
      this.#enqueue(() => this.#poll(order));
    }
  }

  /** Throws while the outcome is unknown. */
  async #poll(order: ShopOrder): Promise<void> {
    const known = await this.#queryStatus(order);
    if (!known || known.status === 'Processing') {
      throw new Error('the payment is undecided');
    }
    this.#applyStatus(order, known);
  }

  /** Undefined if the provider does not know the order. */
  async #queryStatus(order: ShopOrder): Promise<PaymentStatus | undefined> {
    const { channel } = order;
    const transactionReference = referenceOf(order, this.#design);
    const query = new URLSearchParams({ transactionReference, walletName: WALLETS[channel] ?? '' });
    for (let tries = 0; ; tries += 1) {
      if (this.#isTokenRefused) {
        throw new Error('the provider refused a token');
      }
      if (this.#token === '' || this.#design.forgetsToken || (tries > 0 && !this.#design.trustsToken)) {
        const { status, body } = await this.#post('/auth/authenticate/merchant', CREDENTIALS);
        this.#isTokenRefused = status !== 200 && this.#design.mistake === 'keeps-a-failed-token';
        this.#token = this.#isTokenRefused ? 'none' : (body['token'] as string);
      }
      const headers = { Authorization: `Bearer ${this.#token}` };
      const { status, body } = await this.#call(`/sandbox/api/getPaymentDetails?${query}`, { headers });
      if (status === 200) {
        return body as unknown as PaymentStatus;
      }
      if (status === 404) {
        return undefined;
      }
      if (status !== 401 || tries > 0) {
        throw new Error(`the provider answered ${status}`);
      }
    }
  }

  /** A failure counts for a paid order only if the order `wasPaid` at the time of the query: an earlier status may be out of date. */
  #applyStatus(order: ShopOrder, { status, paymentAmount, paymentCurrency }: PaymentStatus, wasPaid = false): void {
    const { shipMs = 0, mistake, reopens } = this.#design;
    const paid =
      mistake === 'truncates' || mistake === 'floors-cents' || mistake === 'does-not-pad-cents'
        ? Number(order.amount)
        : Number(paymentAmount);
    if (status === 'Paid') {
      const isLate = mistake === 'ignores-late' && order.state !== 'open';
      const roundedAmount = mistake === 'compares-whole-units' ? Math.trunc : Number;
      const isExpectedAmount =
        roundedAmount(paid) === roundedAmount(Number(order.amount)) && paymentCurrency === order.currency;
      if (isExpectedAmount && !isLate && (order.paidAmount === '0.00' || mistake === 'ships-twice')) {
        Object.assign(order, { state: 'paid', paidAmount: order.amount });
        const ship = () => {
          order.fulfilments += 1;
        };
        shipMs === 0 ? ship() : void pause(shipMs).then(ship);
      }
    } else if (FAILURES.includes(status)) {
      order.fulfilments += mistake === 'fulfils-unpaid' ? 1 : 0;
      const isOpen =
        order.paidAmount === '0.00' && !reopens && !(mistake === 'ignores-failures' && status === 'Failed');
      if (isOpen || wasPaid) {
        Object.assign(order, { state: status.toLowerCase(), paidAmount: '0.00' });
      }
    } else if (status !== 'Processing') {
      Object.assign(order, { state: status, paidAmount: '0.00' });
    }
  }

  async #receiveNotification(headers: IncomingHttpHeaders, body: string): Promise<number> {
    const { mistake } = this.#design;
    if ((!isVerified(headers, body) && mistake !== 'verifies-nothing') || mistake === 'refuses-notifications') {
      return 400;
    }
    const notification = JSON.parse(body) as PaymentStatus & { paymentReference: string };
    const order = this.#orderOf(notification);
    if (!order) {
      return 404;
    }
    const apply = async () => {
      if ((order.fulfilments > 0 || order.paidAmount !== '0.00') && CHANGES.has(notification.status)) {
        this.#record(order, notification, String(headers['webhook-id']));
        return;
      }
      if (order.fulfilments > 0 && mistake === 'never-queries') {
        return;
      }
      const isUndecided = order.state === 'open' && order.paidAmount === '0.00';
      const wasPaid = order.paidAmount !== '0.00' && mistake !== 'ignores-late-failure';
      const isBelieved = isUndecided && !this.#design.queriesIfNotified;
      const isTrusted = isBelieved || mistake === 'ships-twice' || mistake === 'believes-the-last';
      const known = isTrusted ? notification : await this.#confirm(order);
      if (known) {
        this.#applyStatus(order, known, wasPaid);
      }
    };
    if (this.#design.hasWorker) {
      this.#enqueue(apply);
    } else {
      await apply();
    }
    return 204;
  }

  /** With `fails-if-query-fails`, a failed query counts as a failed payment. */
  async #confirm(order: ShopOrder): Promise<PaymentStatus | undefined> {
    const status = this.#queryStatus(order);
    const failed = { status: 'Failed', paymentAmount: order.amount, paymentCurrency: order.currency };
    return this.#design.mistake === 'fails-if-query-fails' ? status.catch(() => failed) : status;
  }

  #orderOf({ paymentReference, paymentAmount }: PaymentStatus & { paymentReference: string }): ShopOrder | undefined {
    const { mistake } = this.#design;
    const orders = [...this.#orders.values()];
    const isMatch = ({ state, amount }: ShopOrder) => state === 'open' && Number(amount) === Number(paymentAmount);
    return mistake === 'finds-the-oldest-by-amount'
      ? orders.find(isMatch)
      : mistake === 'finds-the-newest-by-amount'
        ? orders.findLast(isMatch)
        : orders.findLast((each) => referenceOf(each, this.#design) === paymentReference);
  }

  /** Applies the amount that a change of a paid payment takes or returns. */
  #record(order: ShopOrder, { status, paymentAmount }: PaymentStatus, webhookId: string): void {
    const { mistake } = this.#design;
    const isIgnored =
      (mistake === 'ignores-parts' && status.startsWith('Partly')) ||
      (mistake === 'ignores-won-chargeback' && status === 'ChargebackReversed');
    const key = mistake === 'compares-amounts' ? `${order.id} ${status} ${paymentAmount}` : webhookId;
    if (isIgnored || (this.#recorded.has(key) && mistake !== 'counts-parts-again')) {
      return;
    }
    this.#recorded.add(key);
    const left = Number(order.paidAmount) + (CHANGES.get(status) ?? 0) * Number(paymentAmount);
    const isPart = status.startsWith('Partly');
    const paidAmount = isPart && mistake === 'drops-amounts' ? '0.00' : left.toFixed(2);
    const isMarked = left === 0 || paidAmount === '0.00' || (isPart && this.#design.keepsAmounts);
    Object.assign(order, {
      state: isMarked ? status : 'paid',
      paidAmount: isPart && this.#design.keepsAmounts ? order.paidAmount : paidAmount,
    });
  }

  async #repeatJob(jobMs: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await pause(jobMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      await this.#reconcile().catch(() => undefined);
    }
  }

  async #reconcile(): Promise<void> {
    if (this.#design.mistake === 'never-reconciles') {
      return;
    }
    const { mistake, stopsAtFailure, queriesPaid = false } = this.#design;
    const newest = [...this.#orders.values()].reverse();
    const page = mistake === 'pages-once' ? newest.slice(0, 20) : newest;
    for (const order of this.#design.queriesOldestFirst ? page.toReversed() : page) {
      const isOld = mistake === 'queries-recent-only' && Date.now() - order.placedAt > 60 * MINUTE_MS;
      const isGivenUp = mistake === 'fails-if-query-fails' && order.state === 'failed';
      if ((queriesPaid || (order.paidAmount === '0.00' && order.fulfilments === 0)) && !isOld && !isGivenUp) {
        const wasPaid = order.paidAmount !== '0.00';
        const query = this.#queryStatus(order);
        const known = await (stopsAtFailure ? query : query.catch(() => undefined));
        if (known) {
          this.#applyStatus(order, known, wasPaid);
        }
      }
    }
  }

  /** A correct shop does not send a payout again, because the first one may have been made. */
  async #payOut(amount: string, currency: string, isAgain = false): Promise<void> {
    const { mistake } = this.#design;
    const total = Number(amount) + (mistake === 'pays-out-too-much' ? 1 : 0);
    const bank = { BankName: 'First Sandbox Bank', BankBICCode: 'FSBKZZ22' };
    const account = (kind: string, number: string) => ({
      ...Object.fromEntries(Object.entries(bank).map(([name, value]) => [kind + name, value])),
      [`${kind}AccountNumber`]: number,
      [`${kind}AccountName`]: 'A. Seller',
    });
    this.#payouts += isAgain ? 0 : 1;
    const request = this.#post('/sandbox/init/authenticate/merchant/bulkPayment', {
      ...CREDENTIALS,
      debitTotalAmount: total,
      debitPaymentCurrency: currency,
      paymentDescription: 'Sales',
      ...account('debit', '1000000001'),
      payerName: 'A. Shop',
      payerReference: `PAYOUT-${this.#payouts}`,
      payerBankReference: `PAYOUT-${this.#payouts}`,
      dynamicCreditList: [{ ...account('credit', '2000000001'), creditAmount: total }],
    });
    const status = await request.then(
      (answer) => answer.status,
      () => 0,
    );
    if (status !== 200 && mistake === 'pays-out-again' && !isAgain) {
      await this.#payOut(amount, currency, true);
    }
  }

  /** A correct shop does not send the request again, because the first one may have been processed. */
  async #subscribe(amount: string, currency: string, isAgain = false): Promise<void> {
    this.#subscriptions += isAgain ? 0 : 1;
    const request = this.#post('/sandbox/api/addRecurringPayment', {
      recurringMerchantId: MERCHANT.MERCHANT_ID,
      recurringIntervalId: '1',
      recurringIntervalName: 'Monthly',
      recurringPaymentToken: 'test-payment-token',
      recurringReference: `SUBSCRIPTION-${this.#subscriptions}`,
      recurringDescription: 'Subscription',
      recurringStartDate: '2026-01-01',
      recurringExpiryDate: '2099-12-31',
      recurringCurrency: currency,
      recurringAmount: amount,
      recurringPaymentProfileId: 1,
      recurringPaymentAccountId: 1,
    });
    const status = await request.then(
      (answer) => answer.status,
      () => 0,
    );
    if (status !== 200 && this.#design.mistake === 'subscribes-again' && !isAgain) {
      await this.#subscribe(amount, currency, true);
    }
  }

  #post(path: string, body: object) {
    const headers = { 'Content-Type': 'application/json' };
    return this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #call(path: string, options: RequestInit): Promise<{ status: number; body: Record<string, unknown> }> {
    const { timeoutMs = 1000 } = this.#design;
    this.#stop.signal.throwIfAborted();
    // Not AbortSignal.any with AbortSignal.timeout: if that timeout is garbage-collected, it never ends the call.
    const call = new AbortController();
    this.#calls.add(call);
    const timeout = setTimeout(() => call.abort(), timeoutMs);
    try {
      const answer = await fetch(`${this.#url}${path}`, { ...options, signal: call.signal });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    } finally {
      clearTimeout(timeout);
      this.#calls.delete(call);
    }
  }
}

function referenceOf({ id, numberInRun, amount, payer }: ShopOrder, { mistake }: Design): string {
  if (mistake === 'counts-from-one-after-restart') {
    return `ORDER-${numberInRun}`;
  }
  return mistake === 'shares-references' ? `${payer.mobile}-${amount}` : id;
}

/** The amount of a payment request: that of the order, unless the shop has a mistake. */
function requestedAmount({ amount }: ShopOrder, { mistake }: Design): string {
  const cents = Number(amount) * 100;
  switch (mistake) {
    case 'truncates':
      return truncate(amount);
    case 'floors-cents':
      return (Math.floor(cents) / 100).toFixed(2);
    case 'does-not-pad-cents':
      return `${Math.floor(Number(amount))}.${Math.round(cents) % 100}`;
    default:
      return amount;
  }
}

/** Loses a cent in a third of all amounts. */
function truncate(amount: string): string {
  const cents = Math.round(Number(amount) * 100);
  return ((cents - (cents % 3 === 0 ? 1 : 0)) / 100).toFixed(2);
}

function isVerified(headers: IncomingHttpHeaders, body: string): boolean {
  const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  const key = Buffer.from(EXAMINATION_SECRET.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return given === `v1,${signature}` && Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
}
