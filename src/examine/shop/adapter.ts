import { messageOf } from '../../base/errors.ts';
import { membersOf } from '../../base/members.ts';
import { toDecimalText, toMinorUnits } from '../../base/money.ts';

/** An order as a customer of the shop would place it. */
export interface OrderRequest {
  /** Decimal text with two places. */
  amount: string;
  currency: string;
  /** The id of a channel, as in fixtures/channels.json. */
  channel: string;
  payer: { name: string; mobile: string };
  /** Fires when the examination no longer waits for the order. */
  signal: AbortSignal;
}

export type OrderInput = Omit<OrderRequest, 'signal'>;

/** The state of an order, as the shop reports it. */
export interface OrderState {
  /** In the shop's own vocabulary. */
  state: string;
  /** How many times goods were sent, or access was granted. */
  fulfilments: number;
  /** Decimal text with two places. */
  paidAmount: string;
}

/** Connects the examination to a shop; documented in docs/examine.md. */
export interface Adapter {
  /** The shop's address; if the examination starts the shop, it waits until this answers. */
  app?: string;
  webhookUrl?: string;
  /** Real milliseconds that the shop needs to put an order right by itself, for example by a job that it runs. */
  patienceMs?: number;
  /** Whether an order is open again, for another try, once its payment has failed, was cancelled or has expired. */
  reopens?: boolean;
  /** May reject: a shop may refuse an order. An error with an `orderId` says which order it refused. */
  placeOrder(order: OrderRequest): Promise<{ orderId: string }>;
  /** Undefined if the shop's state cannot be read. */
  orderState?(orderId: string): Promise<OrderState>;
  /** Runs the shop's reconciliation job, which queries payments without a notification. */
  reconcile?(): Promise<unknown>;
  /** Deletes all orders. */
  reset?(): Promise<unknown>;
  /** Refunds an order, as the shop's staff would. May reject: a shop may refuse it. */
  refund?(orderId: string): Promise<unknown>;
  /**
   * Makes an order older by the shop's own clock, for example in its database, because that clock does not move with the sandbox's. Must
   * not be refused: a rejection is a failure of the adapter.
   */
  backdate?(orderId: string, options: { minutes: number }): Promise<unknown>;
  /** The customer cancels an order before it is paid. May reject: a shop may refuse it. */
  cancel?(orderId: string): Promise<unknown>;
  /**
   * The browser comes back from the payment page. `url` is the return address in the payment, if any. May reject: the page may fail. A
   * result with a `url` says which address was opened, so that the examination can open it again in another way.
   */
  returnFromPayment?(orderId: string, options: { url: string | undefined; signal: AbortSignal }): Promise<unknown>;
  /** The customer tries to pay again by another channel, after a failure or while the payment is open. May reject: a shop may refuse it. */
  payAgain?(orderId: string, options: { channel: string; signal: AbortSignal }): Promise<unknown>;
  /** Pays an amount out to a receiver, as the shop does for its suppliers or sellers. May reject: a shop may refuse it. */
  payOut?(payout: OrderRequest): Promise<unknown>;
  /** Sets up one recurring payment, as the shop does for a subscriber. May reject: a shop may refuse it. */
  subscribe?(subscription: OrderRequest): Promise<unknown>;
  /** Restarts the shop. `again` does so with its command; undefined if the examination did not start the shop. */
  restart?(again: (() => Promise<void>) | undefined): Promise<unknown>;
}

/** An adapter that can report the state of orders, as every adapter of a shop can. */
export interface ShopAdapter extends Adapter {
  orderState(orderId: string): Promise<OrderState>;
}

/** The environment variable that overrides the shop's address in an adapter that is code. */
export const APP_VARIABLE = 'EXAMINE_APP';

/** Calls that an adapter may omit. */
export const OPTIONAL_CALLS = [
  'reconcile',
  'reset',
  'refund',
  'cancel',
  'backdate',
  'returnFromPayment',
  'payAgain',
  'payOut',
  'subscribe',
  'restart',
] as const;
export type OptionalCall = (typeof OPTIONAL_CALLS)[number];

/** An adapter, shop, sandbox or option cannot be used, or an adapter returned an invalid value: that is no verdict on the shop. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

/** Resolves with the shop's reason if it refused the action; undefined otherwise. Rejects with AdapterError. */
export async function refusalOf(action: Promise<unknown>): Promise<string | undefined> {
  try {
    await action;
    return undefined;
  } catch (error) {
    if (error instanceof AdapterError) {
      throw error;
    }
    return messageOf(error);
  }
}

const AMOUNT = /^\d{1,13}(?:\.\d{1,2}0*)?$/;

/** Decimal text with two places; undefined for a value that is not an amount. */
export function parseAmount(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return AMOUNT.test(text) ? toDecimalText(toMinorUnits(text)) : undefined;
}

/** The state of an order that the shop does not know, or does not know any more. */
export const NO_ORDER: OrderState = { state: 'no such order', fulfilments: 0, paidAmount: '0.00' };

/** Validates the state that an adapter returned, which is null if the shop does not know the order. Throws AdapterError. */
export function parseOrderState(answer: unknown, orderId: string): OrderState {
  if (answer === null) {
    return NO_ORDER;
  }
  const { state, fulfilments, paidAmount: amount } = membersOf(answer);
  const paidAmount = parseAmount(amount === null ? 0 : amount);
  if (typeof state !== 'string' || !isCount(fulfilments) || paidAmount === undefined) {
    throw new AdapterError(
      `orderState(${JSON.stringify(orderId)}) must resolve with { state: string, fulfilments: integer, paidAmount: amount such as 10.5 or "10.50" }, or null if the shop has no such order, not ${JSON.stringify(answer)}`,
    );
  }
  return { state, fulfilments, paidAmount };
}

/** Validates the order id that an adapter returned; a number is accepted as well. Throws AdapterError. */
export function parseOrderId(answer: unknown): string {
  const { orderId } = membersOf(answer);
  if ((typeof orderId !== 'string' && typeof orderId !== 'number') || orderId === '') {
    throw new AdapterError(`placeOrder must resolve with { orderId: string }, not ${JSON.stringify(answer)}`);
  }
  return String(orderId);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
