import { codeOf, messageOf } from '../../base/errors.ts';
import { isRedirect, isSuccess } from '../../base/is-success.ts';
import { fetchWhole, type OutboundAnswer } from '../../base/outbound.ts';
import { parseUrl } from '../../base/text/url.ts';
import { AdapterError, type OrderState, parseOrderState } from '../shop/adapter.ts';
import { runCommand } from '../shop/state-command.ts';

const REFERENCE_PLACEHOLDER = '{reference}';
const LOOKUP_TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 20;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Reads the state of an order. Throws AdapterError. */
export type OrderLookup = (reference: string) => Promise<OrderState>;

/**
 * `template` is an address, or a command for a shell, that returns the state of the order `{reference}` as JSON, as an adapter's
 * orderState does. References have no characters with a special meaning in shells. Throws AdapterError.
 */
export function createOrderLookup(template: string): OrderLookup {
  if (!template.includes(REFERENCE_PLACEHOLDER)) {
    throw new AdapterError(
      `the check must contain ${REFERENCE_PLACEHOLDER}, for the reference of the order: ${template}`,
    );
  }
  const isAddress = /^https?:/i.test(template);
  if (isAddress && !parseUrl(template)) {
    throw new AdapterError(`the check is not a valid URL: ${template}`);
  }
  return async (reference) => {
    const text = isAddress
      ? await fetchText(template.replaceAll(REFERENCE_PLACEHOLDER, () => encodeURIComponent(reference)))
      : await runCommand(template.replaceAll(REFERENCE_PLACEHOLDER, () => reference));
    return parseOrderState(text === undefined ? null : parseAnswer(text), reference);
  };
}

/** Undefined for 404, because the order is not known then. */
async function fetchText(address: string): Promise<string | undefined> {
  const { status, body } = await fetchAnswer(address);
  if (status === 404) {
    return undefined;
  }
  if (!isSuccess(status)) {
    throw new AdapterError(`${address} answered ${status}`);
  }
  return body.toString();
}

async function fetchAnswer(address: string): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(LOOKUP_TIMEOUT_MS);
  try {
    let next = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const request = { headers: { accept: '*/*' }, signal, timeoutMs: LOOKUP_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
      const answer = await fetchWhole(next, request);
      const { location } = answer.headers;
      if (!isRedirect(answer.status) || location === undefined) {
        return answer;
      }
      next = new URL(location, next).href;
    }
    throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    const why = signal.aborted ? 'no answer arrived in time' : messageOf(error) || codeOf(error);
    throw new AdapterError(`${address} cannot be reached: ${why}`);
  }
}

/** The value may be null, which also means that the order is unknown. */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AdapterError(`the check must answer with JSON, not ${JSON.stringify(text.slice(0, 200))}`);
  }
}
