import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../base/errors.ts';
import { afterMilliseconds } from '../base/timers.ts';

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
  orderState(orderId: string): Promise<OrderState>;
  /** Lets the shop ask for what it may have missed, as its own job does in production. */
  reconcile?(): Promise<unknown>;
  /** Puts the shop back to no orders. */
  reset?(): Promise<unknown>;
}

/** An adapter that cannot be used, or that says what no adapter may. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

const NEEDED = ['placeOrder', 'orderState'] as const;
const OPTIONAL = ['reconcile', 'reset'] as const;
const TEXTS = ['app', 'webhookUrl'] as const;

/** The build turns `import()` into `require()`, which takes no module that awaits something at its top level. */
const importModule = new Function('address', 'return import(address)') as (
  address: string,
) => Promise<Record<string, unknown>>;

/** Loads an adapter from a module. Throws AdapterError. */
export async function loadAdapter(file: string): Promise<Adapter> {
  let module: Record<string, unknown>;
  try {
    module = await importModule(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw new AdapterError(`${file} cannot be loaded: ${messageOf(error)}`);
  }
  const problems = [
    ...NEEDED.filter((name) => typeof module[name] !== 'function').map((name) => `it must export the function ${name}`),
    ...OPTIONAL.filter((name) => module[name] !== undefined && typeof module[name] !== 'function').map(
      (name) => `${name} must be a function`,
    ),
    ...TEXTS.filter((name) => module[name] !== undefined && typeof module[name] !== 'string').map(
      (name) => `${name} must be a text`,
    ),
  ];
  if (problems.length > 0) {
    throw new AdapterError(`${file} is no adapter: ${problems.join('; ')}`);
  }
  return module as unknown as Adapter;
}

/** Real milliseconds that a function of an adapter may take, but for `placeOrder`, whose order has a time of its own. */
const LONGEST_CALL_MS = 20_000;

/** What a function of an adapter resolves with. Throws AdapterError where it takes too long: it may be waiting for ever. */
export function awaited<Result>(call: string, result: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const words = `${call} did not resolve within ${LONGEST_CALL_MS / 1000} seconds`;
    const stop = afterMilliseconds(LONGEST_CALL_MS, () => reject(new AdapterError(words)));
    Promise.resolve(result).then(resolve, reject).finally(stop);
  });
}

const MONEY = /^\d+\.\d{2}$/;

/** What an adapter says of an order, checked. Throws AdapterError. */
export async function orderStateOf(adapter: Adapter, orderId: string): Promise<OrderState> {
  let said: unknown;
  try {
    said = await awaited('it', adapter.orderState(orderId));
  } catch (error) {
    throw new AdapterError(`orderState(${JSON.stringify(orderId)}) failed: ${messageOf(error)}`);
  }
  const { state, fulfilments, paidAmount } = (said ?? {}) as Partial<OrderState>;
  const isFit = typeof state === 'string' && Number.isInteger(fulfilments) && MONEY.test(String(paidAmount));
  if (!isFit) {
    throw new AdapterError(
      `orderState(${JSON.stringify(orderId)}) must resolve with { state: text, fulfilments: whole number, paidAmount: text such as "10.00" }, not ${JSON.stringify(said)}`,
    );
  }
  return { state, fulfilments: Number(fulfilments), paidAmount: String(paidAmount) };
}
