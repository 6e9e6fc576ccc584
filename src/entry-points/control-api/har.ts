import { STATUS_CODES } from 'node:http';
import { VERSION } from '../../base/package.ts';
import type { HttpArchive } from '../../base/schema/control.ts';
import type { Delivery } from '../../base/schema/records.ts';
import { MASK, secretLooksIn } from '../../base/text/redact.ts';
import { formatUtc } from '../../base/time.ts';
import { passesLuhn } from '../../domain/channels/redirect/cards.ts';
import type { LoggedRequest } from '../../sessions/request-log.ts';

type Entry = HttpArchive['log']['entries'][number];
type Headers = Readonly<Record<string, string>>;

/** The archive has no word for a request without an answer; browsers write 0. */
const NO_ANSWER = { status: 0, headers: {}, body: '' };

/** Calls and attempts at notifications as an HTTP Archive 1.2, in the order in which they began by the session's clock. */
export function archiveOf(
  calls: readonly LoggedRequest[],
  deliveries: readonly Delivery[],
  baseUrl: string,
): HttpArchive {
  const entries = [...calls.map((call) => entryOfCall(call, baseUrl)), ...deliveries.flatMap(entriesOfDelivery)];
  return {
    log: {
      version: '1.2',
      creator: { name: 'merchant-sandbox', version: VERSION },
      entries: entries.toSorted((one, other) => (one.startedDateTime < other.startedDateTime ? -1 : 1)),
    },
  };
}

function entryOfCall(call: LoggedRequest, baseUrl: string): Entry {
  const { id, at, milliseconds, method, path, query, headers, body, answer, outcome } = call;
  const search = new URLSearchParams(query).toString();
  return {
    startedDateTime: formatUtc(at),
    ...timeOf(milliseconds),
    request: {
      ...requestOf(method, `${baseUrl}${path}${search === '' ? '' : `?${search}`}`, headers),
      queryString: pairsOf(query),
      ...(method === 'GET' ? {} : postDataOf(headers, body)),
    },
    response: responseOf(answer ?? NO_ANSWER),
    comment: outcome === null ? id : `${id}: ${outcome}`,
  };
}

function entriesOfDelivery({ id, url, rules, body, attempts }: Delivery): Entry[] {
  return attempts.map(({ at, ms, headers, status, response, error }, index) => ({
    startedDateTime: formatUtc(at),
    ...timeOf(ms),
    request: {
      ...requestOf(rules?.method ?? 'POST', url, headers),
      queryString: pairsOf(Object.fromEntries(new URL(url).searchParams)),
      ...postDataOf(headers, body),
    },
    response: responseOf({ status: status ?? 0, headers: {}, body: response ?? '' }),
    comment: `${id}, attempt ${index + 1}${error === null ? '' : `: ${error}`}`,
  }));
}

/** Only the whole is known, which is all waiting then. */
function timeOf(milliseconds: number) {
  return { time: milliseconds, timings: { send: 0, wait: milliseconds, receive: 0 }, cache: {} };
}

/** The sizes of heads, and of bodies as they were sent, are not kept. */
const UNKNOWN_SIZES = { headersSize: -1, bodySize: -1 };

function requestOf(method: string, url: string, headers: Headers) {
  return {
    method,
    url: withoutCards(url),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    ...UNKNOWN_SIZES,
  };
}

function postDataOf(headers: Headers, body: unknown) {
  if (body === undefined || body === null) {
    return {};
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { postData: { mimeType: mediaTypeOf(headers), text: withoutCards(text) } };
}

function responseOf({ status, headers, body }: { status: number; headers: Headers; body: string }) {
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    content: { size: Buffer.byteLength(body), mimeType: mediaTypeOf(headers), text: withoutCards(body) },
    redirectURL: '',
    ...UNKNOWN_SIZES,
  };
}

function pairsOf(values: Headers): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: withoutCards(String(value)) }));
}

function mediaTypeOf(headers: Headers): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

/** What leaves the machine has no card numbers, wherever they stand. */
function withoutCards(text: string): string {
  const cards = secretLooksIn(text).cards.filter((card) => passesLuhn(card.replace(/\D/g, '')));
  return cards.reduce((masked, card) => masked.replaceAll(card, MASK), text);
}
