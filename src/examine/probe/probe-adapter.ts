import { once } from 'node:events';
import { connect } from 'node:net';
import { messageOf } from '../../base/errors.ts';
import { isSuccess } from '../../base/is-success.ts';
import { MERCHANT } from '../../base/sample-merchant.ts';
import { hostOf, parseUrl, portOf } from '../../base/text/url.ts';
import { machineNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { httpCall } from '../../client/http-call.ts';
import { type Adapter, AdapterError, type OrderRequest } from '../shop/adapter.ts';
import { createOrderLookup, type OrderLookup } from './order-lookup.ts';

const NUMBER_PLACEHOLDER = '{n}';
/** Only characters that have no special meaning in shells; in an address, the reference is encoded. */
const VALID_REFERENCE = /^(?:[\w.:/-]|\{n\}){1,180}$/;
const CONNECT_TIMEOUT_MS = 5000;

export interface ReceiverOptions {
  webhookUrl: string;
  /** The reference of an order, with `{n}` for its number; undefined for unique references. */
  reference: string | undefined;
  /** An address or a command; undefined if the state of orders cannot be read. */
  check: string | undefined;
}

/** Throws AdapterError for options that cannot be used. */
export function validateOptions({ webhookUrl, reference, check }: ReceiverOptions): void {
  if (!/^https?:\/\//i.test(webhookUrl) || !parseUrl(webhookUrl)) {
    throw new AdapterError(
      `the receiver must be a URL such as http://127.0.0.1:3000/webhook, not ${JSON.stringify(webhookUrl)}`,
    );
  }
  if (reference !== undefined && !VALID_REFERENCE.test(reference)) {
    throw new AdapterError(
      `a reference can have letters, digits, . : / _ - and ${NUMBER_PLACEHOLDER}, and at most 180 characters: ${JSON.stringify(reference)}`,
    );
  }
  if (reference !== undefined && check !== undefined && !reference.includes(NUMBER_PLACEHOLDER)) {
    throw new AdapterError(
      `each payment that is checked needs its own order: use ORDER-${NUMBER_PLACEHOLDER}, not ${reference}`,
    );
  }
}

/** Acts as the shop of a receiver: requests payments, and reads orders by the check. Its `reset` tests the receiver and deletes nothing. */
export function createProbeAdapter(
  options: ReceiverOptions,
  client: SandboxClient,
  walletNames: ReadonlyMap<string, string>,
): Adapter {
  const { webhookUrl, reference = `PROBE-${machineNow().toString(36)}-${NUMBER_PLACEHOLDER}` } = options;
  const check = options.check === undefined ? undefined : createOrderLookup(options.check);
  let orders = 0;
  const nextReference = () => reference.replaceAll(NUMBER_PLACEHOLDER, String(orders + 1));
  return {
    webhookUrl,
    async reset() {
      await assertListening(webhookUrl);
      await assertUnfulfilled(nextReference(), check);
    },
    async placeOrder(order) {
      const orderId = nextReference();
      orders += 1;
      await pay(order, orderId, client, walletNames.get(order.channel) ?? order.channel);
      return { orderId };
    },
    ...(check ? { orderState: check } : {}),
  };
}

/** Throws AdapterError if the receiver is down, because nothing can be judged then. */
async function assertListening(webhookUrl: string): Promise<void> {
  const url = new URL(webhookUrl);
  const socket = connect({ host: hostOf(url), port: portOf(url) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
  } catch (error) {
    throw new AdapterError(`no receiver is listening at ${webhookUrl}: ${messageOf(error)}`);
  } finally {
    socket.destroy();
  }
}

/** Throws AdapterError for an order that was fulfilled before it is paid: nothing could be concluded from it. */
async function assertUnfulfilled(reference: string, check: OrderLookup | undefined): Promise<void> {
  const state = await check?.(reference);
  if (state && state.fulfilments > 0) {
    throw new AdapterError(
      `order ${reference} is already fulfilled before it is paid: ${JSON.stringify(state)}; each payment needs an open order`,
    );
  }
}

async function pay(
  { amount, currency, channel, payer, signal }: OrderRequest,
  reference: string,
  client: SandboxClient,
  walletName: string,
): Promise<void> {
  const { status, text } = await httpCall(`${client.baseUrl}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    signal,
    body: JSON.stringify({
      merchantId: MERCHANT.MERCHANT_ID,
      merchantApiKey: MERCHANT.MERCHANT_API_KEY,
      merchantKey: MERCHANT.MERCHANT_KEY,
      walletName,
      amount,
      paymentCurrency: currency,
      paymentDescription: `Order ${reference}`,
      payerName: payer.name,
      payerReference: reference,
      payerAccountId: 1,
      profileId: 1,
      ...(channel === 'mobile-money' ? { payerMobile: payer.mobile } : {}),
    }),
  });
  if (!isSuccess(status)) {
    throw new AdapterError(`the sandbox answered ${status}: ${text.slice(0, 500)}`);
  }
}
