import { codeOf, messageOf } from '../../base/errors.ts';
import { isSuccess } from '../../base/is-success.ts';
import { toDecimalText } from '../../base/money.ts';
import { fetchWhole } from '../../base/outbound.ts';
import type { HttpAdapter, HttpRequest } from '../../base/schema/generated/adapters.ts';
import { valueAt } from '../../base/schema/json-path.ts';
import { tryParseJson } from '../../base/text/try-parse-json.ts';
import { parseUrl } from '../../base/text/url.ts';
import { visit } from '../race/browser.ts';
import { AdapterError, OPTIONAL_CALLS, parseAmount } from '../shop/adapter.ts';
import { assertNotTlsError } from '../shop/certificate.ts';
import { assertPlaceholders, fillIn, fillInJson, type Values, valuesOf } from './placeholders.ts';
import type { AdapterCall, RawAdapter } from './raw-adapter.ts';

const ORDER = { amount: '10.00', currency: '', channel: '', payer: { name: '', mobile: '' } };

/** The members of each input determine the placeholders that a template of the call may contain. */
const CALL_INPUTS: Readonly<Record<AdapterCall['name'], Omit<AdapterCall, 'name'>>> = {
  placeOrder: { order: ORDER },
  orderState: { orderId: '' },
  reconcile: {},
  reset: {},
  refund: { orderId: '' },
  cancel: { orderId: '' },
  backdate: { orderId: '', minutes: 0 },
  returnFromPayment: { orderId: '' },
  payAgain: { orderId: '', channel: '' },
  payOut: { order: ORDER },
  subscribe: { order: ORDER },
  restart: {},
};

/** Error codes of an unreachable shop, which therefore did not refuse the order. */
const UNREACHABLE = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Limits far above any answer with an order or its state. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const ANSWER_TIMEOUT_MS = 5 * 60_000;

/** Characters of an answer that are shown in an error. */
const MAX_SHOWN_CHARACTERS = 300;

/** Without `restart: true`, which is not a request. */
export type HttpTemplates = Omit<HttpAdapter, 'restart'> & { restart?: HttpRequest };

/** An adapter of HTTP templates. `app` overrides the address in the definition. Throws AdapterError. */
export function createHttpAdapter(definition: HttpTemplates, app = definition.app): RawAdapter {
  const calls = OPTIONAL_CALLS.filter((name) => definition[name] !== undefined);
  for (const name of ['placeOrder', 'orderState', ...calls] as const) {
    assertSendable(name, definition[name], app);
  }
  return {
    app,
    webhookUrl: definition.webhookUrl,
    patience: definition.patience,
    reopens: definition.reopens,
    calls,
    ask: async (call, signal) => {
      const request = definition[call.name];
      if (!request) {
        throw new AdapterError(`the adapter does not have ${call.name}`);
      }
      const prepared = requestFor(request, call, app);
      if (call.name === 'returnFromPayment' && prepared.method === 'GET') {
        return openReturnPage(prepared, signal);
      }
      const answer = await send(prepared, call, signal);
      if (call.name === 'placeOrder') {
        return parsePlacedOrder(answer, definition.placeOrder.answer.orderId);
      }
      if (call.name === 'orderState' && answer.status === 404) {
        return null;
      }
      if (!answer.isOk) {
        throw new Error(refusalIn(answer));
      }
      return call.name === 'orderState' ? parseState(answer, definition.orderState.answer) : undefined;
    },
    close: async () => undefined,
  };
}

/** Visits the page instead of sending one request, because a browser follows redirects. */
async function openReturnPage({ url, headers }: ShopRequest, signal: AbortSignal): Promise<{ url: string }> {
  const { isOk, statuses } = await visit(url, signal, headers);
  if (!isOk) {
    throw new Error(`GET ${url} was answered ${statuses.join(', then ')}`);
  }
  return { url };
}

/** Throws AdapterError for a request that could never be sent. */
function assertSendable(name: AdapterCall['name'], request: HttpRequest | undefined, app: string | undefined): void {
  const { method, url = '', headers, body } = request ?? {};
  const values = valuesOf({ name, ...CALL_INPUTS[name] });
  assertPlaceholders({ url, headers, body }, `$.${name}`, Object.keys(values));
  if (body !== undefined && (method ?? defaultMethod(name)) === 'GET') {
    throw new AdapterError(`$.${name}.body: a GET request has no body; set another method`);
  }
  if (!parseUrl(fillIn(url, values, encodeURIComponent), app)) {
    throw new AdapterError(
      `$.${name}.url: ${JSON.stringify(url)} is relative: set app to the address of the shop, or use --app`,
    );
  }
}

function defaultMethod(name: AdapterCall['name']): string {
  return name === 'orderState' || name === 'returnFromPayment' ? 'GET' : 'POST';
}

interface ShopRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

function requestFor(
  { method, url, headers, body }: HttpRequest,
  call: AdapterCall,
  app: string | undefined,
): ShopRequest {
  const values: Values = valuesOf(call);
  const all = new Headers({ accept: '*/*', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) });
  for (const [name, value] of Object.entries(headers ?? {})) {
    all.set(name, fillIn(value, values));
  }
  return {
    method: method ?? defaultMethod(call.name),
    url: new URL(fillIn(url, values, encodeURIComponent), app).href,
    headers: Object.fromEntries(all),
    ...(body === undefined ? {} : { body: JSON.stringify(fillInJson(body, values)) }),
  };
}

interface Answer {
  /** The method and URL. */
  request: string;
  status: number;
  isOk: boolean;
  text: string;
}

async function send({ url, ...request }: ShopRequest, { name }: AdapterCall, signal: AbortSignal): Promise<Answer> {
  const requestText = `${request.method} ${url}`;
  try {
    // Each call opens a connection: the shop may close an idle one just when a call reuses it.
    const options = { ...request, signal, timeoutMs: ANSWER_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
    const { status, body } = await fetchWhole(url, options);
    return { request: requestText, status, isOk: isSuccess(status), text: body.toString() };
  } catch (error) {
    assertNotTlsError(error);
    const why = signal.aborted ? 'no answer arrived in time' : messageOf(error) || String(codeOf(error));
    const message = `${requestText}: ${why}`;
    // A broken connection leaves the customer without an order, as a refusal does. Whether the shop is up is checked separately.
    const isRefusal = name === 'placeOrder' && !UNREACHABLE.has(codeOf(error));
    throw isRefusal ? new Error(message) : new AdapterError(message);
  }
}

function refusalIn({ request, status, text }: Answer): string {
  return `${request} was answered ${status}: ${text.slice(0, MAX_SHOWN_CHARACTERS)}`;
}

/** A shop that refuses an order may still answer with its id. */
function parsePlacedOrder(answer: Answer, path: string): { orderId: unknown } {
  const orderId = valueAt(tryParseJson(answer.text), `$.${path}`);
  if (!answer.isOk) {
    throw Object.assign(new Error(refusalIn(answer)), orderId === undefined || orderId === null ? {} : { orderId });
  }
  if (typeof orderId !== 'string' && typeof orderId !== 'number') {
    throw invalidAnswer(answer, path, 'the id of the order, a string or a number');
  }
  return { orderId };
}

function parseState(answer: Answer, paths: HttpAdapter['orderState']['answer']) {
  // In text that is not JSON, no path matches.
  const body = tryParseJson(answer.text);
  if (body === null) {
    return null;
  }
  const at = (path: string) => valueAt(body, `$.${path}`);
  const state = at(paths.state);
  if (typeof state !== 'string' && typeof state !== 'number') {
    throw invalidAnswer(answer, paths.state, "the shop's own state, a string or a number");
  }
  const fulfilments = parseCount(at(paths.fulfilments));
  if (fulfilments === undefined) {
    throw invalidAnswer(answer, paths.fulfilments, 'an integer, an array, or null for none');
  }
  const isMinor = paths.paidAmountUnit === 'minor';
  const paidAmount = parsePaidAmount(at(paths.paidAmount), isMinor);
  if (paidAmount === undefined) {
    const unit = isMinor ? 'an amount in minor units such as 1050' : 'an amount such as "10.50"';
    throw invalidAnswer(answer, paths.paidAmount, `${unit}, or null for none`);
  }
  return { state: String(state), fulfilments, paidAmount };
}

function invalidAnswer({ request, text }: Answer, path: string, expected: string): AdapterError {
  return new AdapterError(
    `${request}: ${path} of the answer must be ${expected}; the answer was ${text.slice(0, MAX_SHOWN_CHARACTERS) || 'empty'}`,
  );
}

function parseCount(value: unknown): number | undefined {
  const countOrItems = value === null ? 0 : value;
  const count: unknown = Array.isArray(countOrItems) ? countOrItems.length : countOrItems;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}

const MINOR = /^\d{1,15}$/;

/** As decimal text with two places; undefined for a value that is not an amount. */
function parsePaidAmount(value: unknown, isMinor: boolean): string | undefined {
  if (value === null || !isMinor) {
    return parseAmount(value === null ? 0 : value);
  }
  return MINOR.test(String(value)) ? toDecimalText(Number(value)) : undefined;
}
