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
import { assertTrusted } from '../shop/certificate.ts';

/** A call of an adapter with its arguments. */
export interface AdapterCall {
  call: 'placeOrder' | 'orderState' | OptionalCall;
  order?: OrderInput;
  orderId?: string;
  /** The address in the payment to which the browser returns. */
  url?: string | undefined;
  /** The channel by which the customer pays again. */
  channel?: string;
  /** The time by which the order becomes older. */
  minutes?: number;
  /** Restarts the shop by its command. */
  again?: (() => Promise<void>) | undefined;
}

/** The common interface of all forms of adapters. */
export interface AdapterForm {
  app: string | undefined;
  /** May be relative to `app`. */
  webhookUrl: string | undefined;
  /** A time such as 30s. */
  patience: string | undefined;
  reopens: boolean | undefined;
  /** The optional calls that it supports. */
  calls: readonly OptionalCall[];
  /** Rejects with AdapterError if the adapter failed, and with another error if the shop refused. */
  ask(call: AdapterCall, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

/** Real milliseconds that a call may take, except placing an order, which ends with its signal. */
export interface CallLimits {
  callMs: number;
  /** Of a restart: a shop may take a minute to answer. */
  restartMs: number;
}

/** The adapter of a form: each call has a time limit, and its answer is validated. */
export function toAdapter(form: AdapterForm, limits: CallLimits): ShopAdapter {
  const ask = (call: AdapterCall) => askWithin(form, call, call.call === 'restart' ? limits.restartMs : limits.callMs);
  const optional: Required<Pick<ShopAdapter, OptionalCall>> = {
    reconcile: () => ask({ call: 'reconcile' }),
    reset: () => rejectRefusal('reset', ask({ call: 'reset' })),
    refund: (orderId) => ask({ call: 'refund', orderId }),
    cancel: (orderId) => ask({ call: 'cancel', orderId }),
    backdate: (orderId, { minutes }) => rejectRefusal('backdate', ask({ call: 'backdate', orderId, minutes })),
    returnFromPayment: (orderId, { url }) => ask({ call: 'returnFromPayment', orderId, url }),
    payAgain: (orderId, { channel }) => ask({ call: 'payAgain', orderId, channel }),
    payOut: ({ signal, ...order }) => form.ask({ call: 'payOut', order }, signal),
    subscribe: ({ signal, ...order }) => form.ask({ call: 'subscribe', order }, signal),
    restart: (again) => rejectRefusal('restart', ask({ call: 'restart', again })),
  };
  return {
    placeOrder: async ({ signal, ...order }) => ({
      orderId: parseOrderId(await form.ask({ call: 'placeOrder', order }, signal)),
    }),
    orderState: async (orderId) => {
      const name = `orderState(${JSON.stringify(orderId)})`;
      return parseOrderState(await rejectRefusal(name, ask({ call: 'orderState', orderId })), orderId);
    },
    ...Object.fromEntries(form.calls.map((name) => [name, optional[name]])),
  };
}

async function askWithin(form: AdapterForm, call: AdapterCall, limitMs: number): Promise<unknown> {
  const [callAbort, timerAbort] = [new AbortController(), new AbortController()];
  const limit = delay(limitMs, timerAbort.signal).then(async () => {
    if (timerAbort.signal.aborted) {
      return;
    }
    callAbort.abort();
    // A form that handles the signal itself reports a more precise error.
    await endOfTurn();
    throw new AdapterError(`${call.call} was not answered within ${limitMs / 1000} seconds`);
  });
  try {
    return await Promise.race([form.ask(call, callAbort.signal), limit]);
  } finally {
    timerAbort.abort();
  }
}

/** Rejects with AdapterError if the shop refused, because it must not refuse this call. */
async function rejectRefusal(name: string, answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    assertTrusted(error);
    throw error instanceof AdapterError ? error : new AdapterError(`${name} failed: ${messageOf(error)}`);
  }
}
