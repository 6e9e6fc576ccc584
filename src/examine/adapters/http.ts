import { codeOf, messageOf } from '../../base/errors.ts';
import { membersOf } from '../../base/members.ts';
import { toDecimalText, toMinorUnits } from '../../base/money.ts';
import type { HttpAdapter, HttpRequest } from '../../base/schema/adapters.ts';
import { valueAt } from '../../base/schema/json-path.ts';
import { parseUrl } from '../../base/text/url.ts';
import { AdapterError, OPTIONAL_CALLS } from '../adapter.ts';
import type { AdapterCall, Form } from './form.ts';
import { expectPlaceholders, filled, filledJson, type Values, valuesOf } from './placeholders.ts';

const ORDER = { amount: '10.00', currency: '', channel: '', payer: { name: '', mobile: '' } };

/** What each call is given, to know which placeholders it may have. */
const GIVEN: Readonly<Record<AdapterCall['call'], Omit<AdapterCall, 'call'>>> = {
  placeOrder: { order: ORDER },
  orderState: { orderId: '' },
  reconcile: {},
  reset: {},
  refund: { orderId: '' },
  cancel: { orderId: '' },
  restart: {},
};

/** Where nobody was there to refuse an order. */
const ABSENT: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Characters of an answer that are shown. */
const SHOWN = 300;

/** An adapter of HTTP templates. `app` goes before the definition's own. Throws AdapterError. */
export function httpForm(definition: HttpAdapter, app = definition.app): Form {
  const calls = OPTIONAL_CALLS.filter((name) => definition[name] !== undefined);
  for (const call of ['placeOrder', 'orderState', ...calls] as const) {
    expectRequest(call, definition[call], app);
  }
  return {
    app,
    webhookUrl: definition.webhookUrl,
    calls,
    ask: async (call, signal) => {
      const request = definition[call.call];
      if (!request) {
        throw new AdapterError(`the adapter does not have ${call.call}`);
      }
      const answer = await send(requestFor(request, call, app), call, signal);
      if (call.call === 'placeOrder') {
        return placedIn(answer, definition.placeOrder.answer.orderId);
      }
      if (!answer.isOk) {
        throw new Error(refusalIn(answer));
      }
      return call.call === 'orderState' ? stateIn(answer, definition.orderState.answer) : undefined;
    },
    close: async () => undefined,
  };
}

/** Throws AdapterError for what could never be sent. */
function expectRequest(call: AdapterCall['call'], request: HttpRequest | undefined, app: string | undefined): void {
  const { method, url = '', headers, body } = request ?? {};
  const values = valuesOf({ call, ...GIVEN[call] });
  expectPlaceholders({ url, headers, body }, `$.${call}`, Object.keys(values));
  if (body !== undefined && (method ?? usualMethod(call)) === 'GET') {
    throw new AdapterError(`$.${call}.body: a GET request has no body; set another method`);
  }
  if (!parseUrl(filled(url, values, encodeURIComponent), app)) {
    throw new AdapterError(
      `$.${call}.url: ${JSON.stringify(url)} is relative: set app to the address of the shop, or use --app`,
    );
  }
}

function usualMethod(call: AdapterCall['call']): string {
  return call === 'orderState' ? 'GET' : 'POST';
}

function requestFor({ method, url, headers, body }: HttpRequest, call: AdapterCall, app: string | undefined): Request {
  const values: Values = valuesOf(call);
  const all = new Headers(body === undefined ? {} : { 'Content-Type': 'application/json' });
  for (const [name, value] of Object.entries(headers ?? {})) {
    all.set(name, filled(value, values));
  }
  return new Request(new URL(filled(url, values, encodeURIComponent), app), {
    method: method ?? usualMethod(call.call),
    headers: all,
    // Another page is no answer to the call.
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(filledJson(body, values)) }),
  });
}

interface Answer {
  /** The request, in words. */
  asked: string;
  status: number;
  isOk: boolean;
  text: string;
}

async function send(request: Request, { call }: AdapterCall, signal: AbortSignal): Promise<Answer> {
  const asked = `${request.method} ${request.url}`;
  try {
    const answer = await fetch(request, { signal });
    return { asked, status: answer.status, isOk: answer.ok, text: await answer.text() };
  } catch (error) {
    const { cause } = membersOf(error);
    const why = signal.aborted ? 'no answer arrived in time' : messageOf(cause ?? error) || String(codeOf(cause));
    // A customer whose connection breaks has no order; whether the shop is there at all, the examination looks itself.
    const isRefusal = call === 'placeOrder' && !ABSENT.has(codeOf(cause));
    throw new (isRefusal ? Error : AdapterError)(`${asked}: ${why}`);
  }
}

function refusalIn({ asked, status, text }: Answer): string {
  return `${asked} was answered ${status}: ${text.slice(0, SHOWN)}`;
}

/** A shop that refuses an order may say which one it keeps. */
function placedIn(answer: Answer, path: string): { orderId: unknown } {
  const orderId = valueAt(jsonIn(answer), `$.${path}`);
  if (!answer.isOk) {
    throw Object.assign(new Error(refusalIn(answer)), orderId === undefined || orderId === null ? {} : { orderId });
  }
  if (typeof orderId !== 'string' && typeof orderId !== 'number') {
    throw unfit(answer, path, 'the id of the order, a string or a number');
  }
  return { orderId };
}

function stateIn(answer: Answer, paths: HttpAdapter['orderState']['answer']) {
  const body = jsonIn(answer);
  const at = (path: string) => valueAt(body, `$.${path}`);
  const state = at(paths.state);
  if (typeof state !== 'string' && typeof state !== 'number') {
    throw unfit(answer, paths.state, "the shop's own state, a string or a number");
  }
  const fulfilments = countOf(at(paths.fulfilments));
  if (fulfilments === undefined) {
    throw unfit(answer, paths.fulfilments, 'an integer, an array, or null for none');
  }
  const isMinor = paths.paidAmountUnit === 'minor';
  const paidAmount = moneyOf(at(paths.paidAmount), isMinor);
  if (paidAmount === undefined) {
    const unit = isMinor ? 'an amount in minor units such as 1050' : 'an amount such as "10.50"';
    throw unfit(answer, paths.paidAmount, `${unit}, or null for none`);
  }
  return { state: String(state), fulfilments, paidAmount };
}

/** Whether it is JSON, the paths will find out: of what is none they find nothing. */
function jsonIn({ text }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unfit({ asked, text }: Answer, path: string, expected: string): AdapterError {
  return new AdapterError(
    `${asked}: ${path} of the answer must be ${expected}; the answer was ${text.slice(0, SHOWN) || 'empty'}`,
  );
}

/** Undefined for what is no count. */
function countOf(value: unknown): number | undefined {
  if (value === null || Array.isArray(value)) {
    return value?.length ?? 0;
  }
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

const MAJOR = /^\d{1,13}(?:\.\d{1,2}0*)?$/;
const MINOR = /^\d{1,15}$/;

/** As decimal text with two places; undefined for what is no amount. */
function moneyOf(value: unknown, isMinor: boolean): string | undefined {
  if (value === null) {
    return '0.00';
  }
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (!(isMinor ? MINOR : MAJOR).test(text)) {
    return undefined;
  }
  return toDecimalText(isMinor ? Number(text) : toMinorUnits(text));
}
