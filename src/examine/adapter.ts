import { membersOf } from '../base/members.ts';

/** An order as a customer of the shop would place it. */
export interface WantedOrder {
  /** Decimal text with two places. */
  amount: string;
  currency: string;
  /** The id of a channel, as in fixtures/channels.json. */
  channel: string;
  payer: { name: string; mobile: string };
  /** Fires when nobody waits for the order any more. */
  signal: AbortSignal;
}

/** What the shop says of an order. */
export interface OrderState {
  /** The shop's own word. */
  state: string;
  /** How often the goods left. */
  fulfilments: number;
  /** Decimal text with two places. */
  paidAmount: string;
}

/** What tells the examination about a shop. Source: ours; docs/examine.md has the contract. */
export interface Adapter {
  /** The shop's address, to know when it is up. */
  app?: string;
  /** Where it takes notifications. */
  webhookUrl?: string;
  /** May reject: a shop may refuse an order. An error with an `orderId` says which order it refused. */
  placeOrder(order: WantedOrder): Promise<{ orderId: string }>;
  /** Left out where the shop's side cannot be seen. */
  orderState?(orderId: string): Promise<OrderState>;
  /** Lets the shop ask for what it may have missed, as its own job does in production. */
  reconcile?(): Promise<unknown>;
  /** Puts the shop back to no orders. */
  reset?(): Promise<unknown>;
  /** The shop's staff gives the money of an order back. May reject: a shop may refuse it. */
  refund?(orderId: string): Promise<unknown>;
  /** The customer cancels an order before it is paid. May reject: a shop may refuse it. */
  cancel?(orderId: string): Promise<unknown>;
  /** Ends the shop and starts it anew. `again` does so with its command; undefined where the examination did not start it. */
  restart?(again: (() => Promise<void>) | undefined): Promise<unknown>;
}

/** An adapter that says what became of orders, as that of a shop does. */
export interface ShopAdapter extends Adapter {
  orderState(orderId: string): Promise<OrderState>;
}

/** Calls that an adapter may do without. */
export const OPTIONAL_CALLS = ['reconcile', 'reset', 'refund', 'cancel', 'restart'] as const;
export type OptionalCall = (typeof OPTIONAL_CALLS)[number];

/** An adapter that cannot be used, or that says what no adapter may. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

const MONEY = /^\d+\.\d{2}$/;

/** What an adapter says of an order, checked. Throws AdapterError. */
export function orderStateIn(said: unknown, orderId: string): OrderState {
  const { state, fulfilments, paidAmount: told } = membersOf(said);
  const paidAmount = told === null ? '0.00' : told;
  const isFit =
    typeof state === 'string' && isCount(fulfilments) && typeof paidAmount === 'string' && MONEY.test(paidAmount);
  if (!isFit) {
    throw new AdapterError(
      `orderState(${JSON.stringify(orderId)}) must resolve with { state: string, fulfilments: integer, paidAmount: string such as "10.00" }, not ${JSON.stringify(said)}`,
    );
  }
  return { state, fulfilments, paidAmount };
}

/** How an adapter names the order that it placed, checked: a number will do. Throws AdapterError. */
export function orderIdIn(said: unknown): string {
  const { orderId } = membersOf(said);
  if ((typeof orderId !== 'string' && typeof orderId !== 'number') || orderId === '') {
    throw new AdapterError(`placeOrder must resolve with { orderId: string }, not ${JSON.stringify(said)}`);
  }
  return String(orderId);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
