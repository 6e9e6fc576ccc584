import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  accessToken,
  authOf,
  CURRENCIES,
  FEES,
  INTERVALS,
  initiation,
  notificationOf,
  type Order,
  paymentLink,
} from './answers.ts';
import type { VirtualClock } from './clock.ts';
import type { Deviation } from './deviations.ts';

const DECISION_DELAY_MS = 3000;
const RETRIES = [10_000, 30_000];
const SECRET = 'a secret of the provider';
const CARD_DESCRIPTIONS = { Paid: 'Transaction succeeded', Failed: 'Amount exceeds credit' };
const WALLET_DESCRIPTIONS = { Paid: 'Approved or completed successfully', Failed: 'Insufficient funds' };

type Json = Record<string, unknown>;

type Notify = (init: RequestInit) => Promise<Response | undefined>;

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** A payment, and whether it is split. */
interface Payment extends Order {
  isSplit: boolean;
}

/**
 * An independent implementation of the interface, as small as the story of the shop allows. It behaves as the sandbox does, except for
 * its deviations.
 */
export class Provider {
  readonly #clock: VirtualClock;
  readonly #deviations: ReadonlySet<Deviation>;
  readonly #notify: Notify;
  readonly #payments = new Map<string, Payment>();
  readonly #keys = new Map<string, unknown>();
  readonly #server = createServer();
  #count = 0;

  /** `notify` sends a notification, and resolves with the answer; with undefined if there was none. */
  constructor(clock: VirtualClock, deviations: ReadonlySet<Deviation>, notify: Notify) {
    this.#clock = clock;
    this.#deviations = deviations;
    this.#notify = notify;
  }

  async start(): Promise<string> {
    this.#server.on('request', async (request, response) => {
      const body = await readText(request);
      const answer = this.#answerTo(new URL(request.url ?? '/', 'http://provider'), body);
      if (answer) {
        const headers = { 'Content-Type': 'text/plain;charset=UTF-8', Server: 'provider', ...answer.headers };
        response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
      } else {
        response.destroy();
      }
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Null if the connection is cut. */
  #answerTo({ pathname, searchParams }: URL, body: string): Answer | null {
    switch (pathname.replace(/^\/sandbox|\/sandbox(?=\/)/, '').replace(/Request$/, '')) {
      case '/auth/authenticate/merchant':
        return this.#token(JSON.parse(body));
      case '/init/authenticate/merchant/wallet':
      case '/init/authenticate/merchant/bulkWallet':
        return this.#pay(JSON.parse(body));
      case '/init/authenticate/merchant/bulkPayment':
        return this.#payOut(JSON.parse(body));
      case '/api/merchant/fastCheckOut':
        return this.#saveLink();
      case '/api/getPaymentDetails':
        return this.#statusOf(searchParams);
      case '/param/paymentIntervals':
        return { status: 200, body: this.#deviations.has('wrong-interval') ? INTERVALS.map(monthlyOf31) : INTERVALS };
      case '/init/currencies/all':
        return {
          status: 200,
          body: CURRENCIES,
          headers: this.#deviations.has('content-type') ? { 'Content-Type': 'application/json' } : {},
        };
      case '/param/merchant/feesCalculator':
        return this.#deviations.has('no-answer') ? null : { status: 200, body: FEES };
      default:
        return { status: 404, body: { errorMessage: 'nothing is there', statusCode: 404 } };
    }
  }

  #token({ merchantId, merchantKey }: Json): Answer {
    const id = String(merchantId);
    const merchantSecret = this.#keys.get(id) ?? merchantKey;
    this.#keys.set(id, merchantSecret);
    if (merchantSecret !== merchantKey) {
      const errorResponse = { errorMessage: `wrong merchantKey for ${id}`, statusCode: 401 };
      return {
        status: this.#deviations.has('refusal-status') ? 403 : 401,
        body: { token: null, user: null, errorResponse },
      };
    }
    const { errorResponse, ...rest } = accessToken(id, this.#clock.now);
    return {
      status: 200,
      body: this.#deviations.has('order') ? { errorResponse, ...rest } : { ...rest, errorResponse },
      headers: this.#deviations.has('new-header') ? { 'X-Request-Cost': '1' } : {},
    };
  }

  #pay(body: Json): Answer {
    this.#count += 1;
    const { now } = this.#clock;
    const walletName = String(body['walletName']);
    const payerReference = String(body['payerReference']);
    const isSplit = 'dynamicPaidList' in body;
    const standardAnswer = initiation(walletName, payerReference, this.#count, now);
    const payment: Payment = {
      walletName,
      payerReference,
      isSplit,
      amount: String(body['amount']),
      paymentCurrency: String(body['paymentCurrency']),
      merchantId: String(body['merchantId']),
      status: 'Processing',
      description: 'Waiting for the payer',
      changedAt: now,
      initiation: isSplit ? standardAnswer : this.#withDeviations(standardAnswer, walletName),
    };
    this.#payments.set(payerReference, payment);
    this.#clock.runAfter(this.#has('delay', payment, 'WALLET_MOBILE') ? 40_000 : DECISION_DELAY_MS, () =>
      this.#decide(payment),
    );
    const answer = { auth: authOf(payment.merchantId, now), paymentInitiationResponse: payment.initiation };
    return { status: 200, body: answer };
  }

  /** Whether a deviation that concerns single payments by `wallet` applies to a payment. */
  #has(deviation: Deviation, { walletName, isSplit }: Payment, wallet: string): boolean {
    return this.#deviations.has(deviation) && walletName === wallet && !isSplit;
  }

  /** The answer to a single payment with its deviations. */
  #withDeviations(answer: Json, walletName: string): Json {
    const { paymentQrCode: _, ...withoutPicture } = answer;
    const expiry = String(answer['paymentTokenExpiry']);
    const changes: [Deviation, string, () => Json][] = [
      ['new-member', 'WALLET_MOBILE', () => ({ transactionFee: null })],
      ['empty-text', 'WALLET_SWITCH', () => ({ paymentToken: '' })],
      ['status-word', 'WALLET_MOBILE', () => ({ status: 'Pending' })],
      ['description-words', 'WALLET_CARD_A', () => ({ paymentTokenDescription: 'checkout was created' })],
      [
        'format-of-instant',
        'WALLET_QR',
        () => ({ paymentTokenExpiry: new Date(expiry).toISOString().replace(/\.\d+/, '') }),
      ],
      ['type-of-code', 'WALLET_QR', () => ({ paymentCode: Number(answer['paymentCode']) })],
      [
        'form-of-address',
        'WALLET_CARD_B',
        () => ({ paymentRedirectUrl: `https://checkout.provider.test/start/${String(answer['paymentId'])}/form` }),
      ],
    ];
    const applied = changes.filter(([name, wallet]) => this.#deviations.has(name) && wallet === walletName);
    const isWithoutPicture = this.#deviations.has('missing-member') && walletName === 'WALLET_QR';
    return Object.assign(isWithoutPicture ? withoutPicture : { ...answer }, ...applied.map(([, , make]) => make()));
  }

  async #decide(payment: Payment): Promise<void> {
    const status = this.#has('other-outcome', payment, 'WALLET_CARD_B') ? 'Failed' : 'Paid';
    const words = /CARD|SWITCH/.test(payment.walletName) ? CARD_DESCRIPTIONS : WALLET_DESCRIPTIONS;
    Object.assign(payment, { status, description: words[status], changedAt: this.#clock.now });
    await this.#attempt(payment, 0);
  }

  async #attempt(payment: Payment, number: number): Promise<void> {
    const isAccepted = await this.#deliver(payment);
    if (this.#deviations.has('doubled') && payment.isSplit && number === 0) {
      await this.#deliver(payment);
    }
    const maxRetries = this.#has('one-attempt', payment, 'WALLET_SWITCH') ? 0 : RETRIES.length;
    const factor = this.#has('slow-retries', payment, 'WALLET_CARD_A') ? 6 : 1;
    if (!isAccepted && number < maxRetries) {
      this.#clock.runAfter((RETRIES[number] ?? 0) * factor, () => this.#attempt(payment, number + 1));
    }
  }

  async #deliver(payment: Payment): Promise<boolean> {
    const { paymentCharges: _, ...withoutCharges } = notificationOf(payment);
    const body = JSON.stringify({
      ...(this.#has('notification-without-charges', payment, 'WALLET_QR') ? withoutCharges : notificationOf(payment)),
      ...(this.#has('notification-amount-as-text', payment, 'WALLET_SWITCH') ? { paymentAmount: payment.amount } : {}),
    });
    const response = await this.#notify({
      method: this.#has('by-put', payment, 'WALLET_QR') ? 'PUT' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.#has('unsigned', payment, 'WALLET_MOBILE') ? {} : this.#signatureHeaders(payment, body)),
      },
      body,
    });
    return response?.ok === true;
  }

  #signatureHeaders(
    { payerReference, status }: Pick<Payment, 'payerReference' | 'status'>,
    body: string,
  ): Record<string, string> {
    const id = `msg_${createHmac('sha256', 'ids').update(`${payerReference} ${status}`).digest('hex').slice(0, 24)}`;
    const seconds = String(Math.floor(this.#clock.now / 1000));
    const proof = createHmac('sha256', SECRET).update(`${id}.${seconds}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${proof}` };
  }

  #statusOf(query: URLSearchParams): Answer {
    const payment = this.#payments.get(query.get('transactionReference') ?? '');
    if (!payment) {
      return { status: 404, body: { errorMessage: 'no such payment', statusCode: 404 } };
    }
    const isLate = this.#has('status-lags', payment, 'WALLET_QR') && this.#clock.now - payment.changedAt < 45_000;
    const before = { ...payment, status: 'Processing', description: 'Waiting for the payer' };
    const details = notificationOf(isLate ? before : payment);
    return { status: 200, body: { ...details, paymentInitiationResponse: payment.initiation } };
  }

  /** Pays a payout after the delay of a payment, with a notification for the credit and one for the payout. */
  #payOut({ payerReference, debitTotalAmount, debitPaymentCurrency, debitBankName }: Json): Answer {
    const reference = String(payerReference);
    this.#clock.runAfter(DECISION_DELAY_MS, async () => {
      const words = {
        Paid: 'Transaction paid successfully',
        CreditPaid: 'Credit 1 of 1: Transaction paid successfully',
      };
      for (const [status, description] of Object.entries(words).toReversed()) {
        const body = JSON.stringify({
          status,
          description,
          paymentCurrency: debitPaymentCurrency,
          paymentAmount: debitTotalAmount,
          paymentCharges: 0,
          paymentReference: reference,
          paymentMethod: debitBankName,
          paymentDate: new Date(this.#clock.now).toISOString().replace('Z', '+00:00'),
        });
        const headers = {
          'content-type': 'application/json',
          ...this.#signatureHeaders({ payerReference: reference, status }, body),
        };
        await this.#notify({ method: 'POST', headers, body });
      }
    });
    const message = this.#deviations.has('words-of-payout') ? 'Payout queued' : 'Bulk payment request accepted';
    return { status: 200, body: { status: 'Success', message } };
  }

  #saveLink(): Answer {
    this.#count += 1;
    const answer = paymentLink(this.#count, this.#clock.now);
    const changes = {
      ...(this.#deviations.has('amount-as-text') ? { paymentLinkAmount: '25.00' } : {}),
      ...(this.#deviations.has('nested-null') ? { paymentLinkIsActive: null } : {}),
    };
    return { status: 200, body: { ...answer, paymentLink: { ...answer.paymentLink, ...changes } } };
  }
}

function monthlyOf31(interval: (typeof INTERVALS)[number]) {
  return interval.id === 1 ? { ...interval, paymentIntervalDuration: 31 } : interval;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('latin1');
}
