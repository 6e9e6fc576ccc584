import { MERCHANT } from '../../base/sample-merchant.ts';
import { httpCall } from '../../client/http-call.ts';
import type { WeekPayer } from './catalogue.ts';

/** An order of the shop, with the payer and the channel of its payment. */
export interface WeekOrder {
  reference: string;
  walletName: string;
  amount: string;
  description: string;
  payer: WeekPayer;
}

/** The members of an initiation answer that later actions of the payer and the shop need. */
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

const BOUNDARY = 'corner-shop-form';

/** The shop's side of the week: correct and mistaken calls of the merchant API. */
export class WeekMerchant {
  readonly #baseUrl: string;
  #token = '';

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Sends a call, and resolves with the text of the answer, whatever its status. A body that is text is sent unchanged. */
  async send(
    method: string,
    path: string,
    content?: object | string,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const address = `${this.#baseUrl}${path}`;
    const body = typeof content === 'object' ? JSON.stringify(content) : content;
    const type = typeof content === 'object' ? { 'Content-Type': 'application/json' } : {};
    const { text } = await httpCall(address, {
      method,
      headers: { 'User-Agent': USER_AGENT, ...type, ...headers },
      body,
    });
    return text;
  }

  /** Logs in. Later calls send the access token, until it expires after five hours. */
  async logIn(): Promise<void> {
    const answer = await this.send('POST', '/auth/authenticate/merchant', CREDENTIALS);
    this.#token = (JSON.parse(answer) as { token: string }).token;
  }

  /** Initiates the payment of an order; `scenario` applies to this call only. */
  async initiate(
    order: WeekOrder,
    { scenario, shares }: { scenario?: string; shares?: object[] } = {},
  ): Promise<Initiation> {
    const path = `/sandbox/init/authenticate/merchant/${shares ? 'bulkWallet' : 'wallet'}`;
    const body = { ...CREDENTIALS, ...paymentOf(order), ...(shares ? { dynamicPaidList: shares } : {}) };
    return initiationIn(await this.send('POST', path, body, scenario ? { 'X-Sandbox-Scenario': scenario } : {}));
  }

  /** Initiates a payment, and requests a token by which its payer can be charged again. */
  async initiateWithToken(order: WeekOrder): Promise<Initiation> {
    const body = {
      merchantId: CREDENTIALS.merchantId,
      ...paymentOf(order),
      paymentTokenReferenceRequest: order.reference,
    };
    return initiationIn(await this.send('POST', '/sandbox/api/requestPaymentTokenAndPay', body, this.#bearer));
  }

  async queryStatus({ reference, walletName }: Pick<WeekOrder, 'reference' | 'walletName'>): Promise<void> {
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

  /** Creates a payment link without an image. Resolves with its address. */
  async makeLink(members: Record<string, string>): Promise<string> {
    const fields = {
      id: '',
      paymentLinkImageType: 'NONE',
      paymentLinkProfileId: '1',
      paymentLinkCurrency: 'USD',
      ...members,
    };
    const parts = [
      ...Object.entries(fields).map(([name, value]) => `form-data; name="${name}"\r\n\r\n${value}`),
      'form-data; name="paymentLinkImage"; filename="none.txt"\r\nContent-Type: text/plain\r\n\r\nnone',
    ];
    const form = parts.map((part) => `--${BOUNDARY}\r\nContent-Disposition: ${part}\r\n`).join('');
    const answer = await this.send('POST', '/api/merchant/sandbox/fastCheckOut', `${form}--${BOUNDARY}--\r\n`, {
      ...this.#bearer,
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    });
    return (JSON.parse(answer) as { paymentLink: { paymentLinkUrl: string } }).paymentLink.paymentLinkUrl;
  }

  async payOut(members: object): Promise<void> {
    await this.send('POST', '/sandbox/init/authenticate/merchant/bulkPayment', { ...CREDENTIALS, ...members });
  }

  async initiateWithMistake(order: WeekOrder, mistake: object): Promise<void> {
    const body = { ...CREDENTIALS, ...paymentOf(order), ...mistake };
    await this.send('POST', '/sandbox/init/authenticate/merchant/wallet', body);
  }

  get #bearer(): Record<string, string> {
    return { Authorization: `Bearer ${this.#token}` };
  }
}

function paymentOf({ reference, walletName, amount, description, payer }: WeekOrder) {
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

/** Throws Error if the initiation was refused. */
function initiationIn(text: string): Initiation {
  const { paymentInitiationResponse } = JSON.parse(text) as { paymentInitiationResponse: Initiation | null };
  if (!paymentInitiationResponse) {
    throw new Error(`the payment was refused: ${text}`);
  }
  return paymentInitiationResponse;
}
