import { MERCHANT } from '../../examine/merchant.ts';
import type { Payer } from './catalogue.ts';

/** What an order is, as the shop asks for its money. */
export interface Order {
  reference: string;
  walletName: string;
  amount: string;
  description: string;
  payer: Payer;
}

/** What the payer needs, as an initiation answers it. */
export interface Initiation {
  paymentCode: string | null;
  paymentRedirectUrl: string | null;
  paymentToken: string | null;
}

const CREDENTIALS = {
  merchantId: MERCHANT.MERCHANT_ID,
  merchantApiKey: MERCHANT.MERCHANT_API_KEY,
  merchantKey: MERCHANT.MERCHANT_KEY,
};
const USER_AGENT = 'corner-shop/2.4';

/** A picture of one pixel: a link must have one. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The shop's side of the week: calls of the merchant API, right ones and wrong ones. */
export class Merchant {
  readonly #baseUrl: string;
  #token = '';

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** The text that was answered, whatever the status. */
  async send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<string> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        'User-Agent': USER_AGENT,
        ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    return answer.text();
  }

  /** Logs in for the next hours. */
  async logIn(): Promise<void> {
    const answer = await this.send('POST', '/auth/authenticate/merchant', CREDENTIALS);
    this.#token = (JSON.parse(answer) as { token: string }).token;
  }

  /** Asks for the money of an order; `scenario` is the one that this call alone follows. */
  async initiate(
    order: Order,
    { scenario, shares }: { scenario?: string; shares?: object[] } = {},
  ): Promise<Initiation> {
    const path = `/sandbox/init/authenticate/merchant/${shares ? 'bulkWallet' : 'wallet'}`;
    const body = { ...CREDENTIALS, ...paymentOf(order), ...(shares ? { dynamicPaidList: shares } : {}) };
    return initiationIn(await this.send('POST', path, body, scenario ? { 'X-Sandbox-Scenario': scenario } : {}));
  }

  /** Asks for a payment, and for a token by which its payer can be charged again. */
  async initiateWithToken(order: Order): Promise<Initiation> {
    const body = {
      merchantId: CREDENTIALS.merchantId,
      ...paymentOf(order),
      paymentTokenReferenceRequest: order.reference,
    };
    return initiationIn(await this.send('POST', '/sandbox/api/requestPaymentTokenAndPay', body, this.#bearer));
  }

  async ask({ reference, walletName }: Pick<Order, 'reference' | 'walletName'>): Promise<void> {
    const query = new URLSearchParams({ transactionReference: reference, walletName });
    await this.send('GET', `/sandbox/api/getPaymentDetails?${query}`, undefined, this.#bearer);
  }

  async addRecurring(members: Record<string, string>): Promise<void> {
    const body = {
      recurringMerchantId: CREDENTIALS.merchantId,
      recurringCurrency: 'USD',
      recurringPaymentProfileId: 1,
      recurringPaymentAccountId: 7,
      ...members,
    };
    await this.send('POST', '/sandbox/api/addRecurringPayment', body, this.#bearer);
  }

  async cancelRecurring(id: number): Promise<void> {
    await this.send('POST', `/sandbox/api/cancelRecurringPayment/${id}`, undefined, this.#bearer);
  }

  async requestToken(reference: string): Promise<void> {
    const body = { merchantId: CREDENTIALS.merchantId, paymentTokenReferenceRequest: reference };
    await this.send('POST', '/sandbox/api/requestPaymentToken', body, this.#bearer);
  }

  /** Makes a payment link. Resolves with its address. */
  async makeLink(members: Record<string, string>): Promise<string> {
    const form = new FormData();
    const fields = {
      id: '',
      paymentLinkImageType: 'NEW',
      paymentLinkProfileId: '1',
      paymentLinkCurrency: 'USD',
      ...members,
    };
    for (const [name, value] of Object.entries(fields)) {
      form.append(name, value);
    }
    form.append('paymentLinkImage', new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' }), 'picture.png');
    const answer = await this.send('POST', '/api/merchant/sandbox/fastCheckOut', form, this.#bearer);
    return (JSON.parse(answer) as { paymentLink: { paymentLinkUrl: string } }).paymentLink.paymentLinkUrl;
  }

  async payOut(members: object): Promise<void> {
    await this.send('POST', '/sandbox/init/authenticate/merchant/bulkPayment', { ...CREDENTIALS, ...members });
  }

  /** A call with something wrong in its body. */
  async initiateWrongly(order: Order, wrong: object): Promise<void> {
    const body = { ...CREDENTIALS, ...paymentOf(order), ...wrong };
    await this.send('POST', '/sandbox/init/authenticate/merchant/wallet', body);
  }

  get #bearer(): Record<string, string> {
    return { Authorization: `Bearer ${this.#token}` };
  }
}

function paymentOf({ reference, walletName, amount, description, payer }: Order) {
  return {
    walletName,
    amount,
    paymentCurrency: 'USD',
    paymentDescription: description,
    payerName: payer.name,
    payerReference: reference,
    payerAccountId: payer.accountId,
    profileId: 1,
    ...(walletName === 'WALLET_MOBILE' ? { payerMobile: payer.mobile } : {}),
  };
}

/** Throws Error for an initiation that was refused. */
function initiationIn(text: string): Initiation {
  const { paymentInitiationResponse } = JSON.parse(text) as { paymentInitiationResponse: Initiation | null };
  if (!paymentInitiationResponse) {
    throw new Error(`the payment was refused: ${text}`);
  }
  return paymentInitiationResponse;
}
