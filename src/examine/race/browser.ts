import { isRedirect } from '../../base/is-success.ts';
import { membersOf } from '../../base/members.ts';
import { fetchWhole } from '../../base/outbound.ts';
import { appendQuery, parseUrl } from '../../base/text/url.ts';
import type { Observation } from '../observation/observation.ts';
import type { Adapter } from '../shop/adapter.ts';

const PAGE_TIMEOUT_MS = 20_000;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Browsers give up after about this number. */
const MAX_REDIRECTS = 20;

export interface BrowserVisit {
  /** The statuses of all answers, such as 302 and 200. */
  statuses: readonly number[];
  isOk: boolean;
}

/**
 * Opens an address as a browser without cookies does. Follows redirects, but only within the shop, and keeps the cookies that are set on
 * the way. Rejects if the shop does not answer.
 */
export async function visit(
  address: string,
  signal: AbortSignal,
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<BrowserVisit> {
  const statuses: number[] = [];
  const cookies = new Map<string, string>();
  let url = new URL(address);
  for (;;) {
    const headers = {
      accept: 'text/html,*/*;q=0.8',
      ...extraHeaders,
      ...(cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
    };
    const answer = await fetchWhole(url, {
      headers,
      signal,
      timeoutMs: PAGE_TIMEOUT_MS,
      maxBytes: MAX_PAGE_BYTES,
      canBeCut: true,
    });
    statuses.push(answer.status);
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const { location } = answer.headers;
    const next = isRedirect(answer.status) && location !== undefined ? parseUrl(location, url.href) : undefined;
    if (next?.origin !== url.origin || statuses.length > MAX_REDIRECTS) {
      return { statuses, isOk: answer.status < 400 };
    }
    url = next;
  }
}

/** Names of members with the return address and, of these, those with the address for a payment that failed. */
const RETURN_MEMBER = /redirect|return|success/i;
const FAILURE_MEMBER = /fail|cancel|error/i;
const FAILED_STATES: ReadonlySet<string> = new Set(['Failed', 'Cancelled', 'Expired']);

/** The first return address in a request, within the shop, and preferably for the last payment's outcome; undefined without one. */
export function returnAddressIn(
  { requests, payments }: Pick<Observation, 'requests' | 'payments'>,
  { app, webhookUrl }: Pick<Adapter, 'app' | 'webhookUrl'>,
): string | undefined {
  const payment = payments.at(-1);
  const isFailed = FAILED_STATES.has(payment?.state ?? '');
  const isForOutcome = (name: string) => FAILURE_MEMBER.test(name) === isFailed;
  const origin = parseUrl(app ?? '')?.origin;
  const address = requests
    .flatMap(({ body }) => Object.entries(membersOf(body)))
    .filter(([name]) => RETURN_MEMBER.test(name))
    .toSorted(([one], [other]) => Number(isForOutcome(other)) - Number(isForOutcome(one)))
    .map(([, value]) => (typeof value === 'string' ? parseUrl(value) : undefined))
    .find((url) => url !== undefined && url.href !== webhookUrl && (origin === undefined || url.origin === origin));
  // The payment page of a link adds the same parameters.
  return address && payment?.origin === 'link'
    ? appendQuery(address.href, { reference: payment.payerReference, status: payment.status })
    : address?.href;
}

/** Names of parameters that may contain the outcome of a payment. */
const OUTCOME_PARAMETER = /status|state|result|outcome|success|paid|code/i;

/** The address as a payer would forge it: `status` and all parameters that may be the outcome show a success. */
export function forgePaid(address: string): string {
  const url = new URL(address);
  for (const [name, value] of [...url.searchParams]) {
    if (OUTCOME_PARAMETER.test(name)) {
      url.searchParams.set(name, paidValueLike(value));
    }
  }
  url.searchParams.set('status', paidValueLike(url.searchParams.get('status') ?? ''));
  return url.href;
}

/** The word, boolean or code of success in the form of `value`; such a code is usually zero, as in 00. */
function paidValueLike(value: string): string {
  if (/^(?:true|false)$/i.test(value)) {
    return 'true';
  }
  return /^\d+$/.test(value)
    ? '0'.repeat(value.length)
    : value === value.toLowerCase() && value !== ''
      ? 'paid'
      : 'Paid';
}
