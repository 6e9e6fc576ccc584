import { messageOf } from '../../base/errors.ts';
import { delay, endOfTurn } from '../../base/timers.ts';
import {
  AdapterError,
  type OptionalCall,
  type OrderInput,
  parseOrderId,
  parseOrderState,
  type ShopAdapter,
} from '../shop/adapter.ts';
import { assertNotTlsError } from '../shop/certificate.ts';

export interface AdapterCall {
  name: 'placeOrder' | 'orderState' | OptionalCall;
  order?: OrderInput;
  orderId?: string;
  /** The return address in the payment. */
  url?: string | undefined;
  /** The channel by which the customer pays again. */
  channel?: string;
  /** The time by which the order becomes older. */
  minutes?: number;
  /** Restarts the shop by its command. */
  again?: (() => Promise<void>) | undefined;
}

/** An adapter as it was loaded, before `toShopAdapter` limits its calls and validates its answers. */
export interface RawAdapter {
  app: string | undefined;
  /** May be relative to `app`. */
  webhookUrl: string | undefined;
  /** The time that the shop needs to put an order right by itself, such as 30s. */
  patience: string | undefined;
  /** Whether an order is open again after its payment failed, was cancelled or expired. */
  reopens: boolean | undefined;
  /** The optional calls that it supports. */
  calls: readonly OptionalCall[];
  /** Rejects with AdapterError if the adapter failed, and with another error if the shop refused, or if the code of a module threw one. */
  ask(call: AdapterCall, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

/** Real milliseconds that a call may take, except placeOrder, payOut and subscribe, which end with the signal of their order. */
export interface CallLimits {
  callMs: number;
  /** For a restart, because a shop may take a minute to answer. */
  restartMs: number;
}

export function toShopAdapter(raw: RawAdapter, limits: CallLimits): ShopAdapter {
  const ask = (call: AdapterCall) => askWithin(raw, call, call.name === 'restart' ? limits.restartMs : limits.callMs);
  const optional: Required<Pick<ShopAdapter, OptionalCall>> = {
    reconcile: () => ask({ name: 'reconcile' }),
    reset: () => rejectRefusal('reset', ask({ name: 'reset' })),
    refund: (orderId) => ask({ name: 'refund', orderId }),
    cancel: (orderId) => ask({ name: 'cancel', orderId }),
    backdate: (orderId, { minutes }) => rejectRefusal('backdate', ask({ name: 'backdate', orderId, minutes })),
    returnFromPayment: (orderId, { url }) => ask({ name: 'returnFromPayment', orderId, url }),
    payAgain: (orderId, { channel }) => ask({ name: 'payAgain', orderId, channel }),
    payOut: ({ signal, ...order }) => raw.ask({ name: 'payOut', order }, signal),
    subscribe: ({ signal, ...order }) => raw.ask({ name: 'subscribe', order }, signal),
    restart: (again) => rejectRefusal('restart', ask({ name: 'restart', again })),
  };
  return {
    placeOrder: async ({ signal, ...order }) => ({
      orderId: parseOrderId(await raw.ask({ name: 'placeOrder', order }, signal)),
    }),
    orderState: async (orderId) => {
      const callText = `orderState(${JSON.stringify(orderId)})`;
      return parseOrderState(await rejectRefusal(callText, ask({ name: 'orderState', orderId })), orderId);
    },
    ...Object.fromEntries(raw.calls.map((name) => [name, optional[name]])),
  };
}

async function askWithin(raw: RawAdapter, call: AdapterCall, limitMs: number): Promise<unknown> {
  const [callAbort, timerAbort] = [new AbortController(), new AbortController()];
  const limit = delay(limitMs, timerAbort.signal).then(async () => {
    if (timerAbort.signal.aborted) {
      return;
    }
    callAbort.abort();
    // An adapter that handles the signal itself reports a more precise error.
    await endOfTurn();
    throw new AdapterError(`${call.name} was not answered within ${limitMs / 1000} seconds`);
  });
  try {
    return await Promise.race([raw.ask(call, callAbort.signal), limit]);
  } finally {
    timerAbort.abort();
  }
}

/** Rejects with AdapterError if the shop refused, because it must not refuse this call. */
async function rejectRefusal(name: string, answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    assertNotTlsError(error);
    throw error instanceof AdapterError ? error : new AdapterError(`${name} failed: ${messageOf(error)}`);
  }
}
