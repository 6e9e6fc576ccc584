import { STATUS_CODES } from 'node:http';
import { redactHeaders, redactSentence } from '../../base/masking/redact.ts';
import { isMembers } from '../../base/members.ts';
import { VERSION } from '../../base/package.ts';
import type { HttpArchive } from '../../base/schema/generated/control.ts';
import type { Delivery } from '../../base/schema/generated/records.ts';
import { formatUtc } from '../../base/time.ts';
import { newTurnPause } from '../../base/timers.ts';
import { requestFor } from '../domain/webhooks/sender.ts';
import type { LoggedCall, LoggedRequest } from '../sessions/request-log.ts';

type Entry = HttpArchive['log']['entries'][number];
type Headers = Readonly<Record<string, string>>;

/** HAR has no form for a request without an answer; browsers write the status 0. */
const NO_ANSWER = { status: 0, headers: {}, body: '' };

/** Calls and delivery attempts as an HTTP Archive 1.2, in the order in which they began by the session's clock. */
export async function archiveOf(
  calls: readonly LoggedCall[],
  deliveries: readonly Delivery[],
  baseUrl: string,
): Promise<HttpArchive> {
  const entries: Entry[] = [];
  const pause = newTurnPause();
  for (const call of calls) {
    entries.push(entryOfCall(call.describe(), baseUrl));
    await pause();
  }
  for (const delivery of deliveries) {
    entries.push(...entriesOfDelivery(delivery));
    await pause();
  }
  return {
    log: {
      version: '1.2',
      creator: { name: 'merchant-sandbox', version: VERSION },
      entries: entries.toSorted((one, other) => (one.startedDateTime < other.startedDateTime ? -1 : 1)),
    },
  };
}

function entryOfCall(call: LoggedRequest, baseUrl: string): Entry {
  const { id, at, milliseconds, method, path, search, headers, body, parts, answer, outcome } = call;
  return {
    startedDateTime: formatUtc(at),
    ...timeOf(milliseconds),
    request: {
      ...requestOf(method, `${baseUrl}${path}${search}`, headers),
      queryString: queryOf(search),
      ...(hasBody(method, headers) ? postDataOf(headers, body, parts) : {}),
    },
    response: responseOf(answer ?? NO_ANSWER),
    comment: outcome === null ? id : `${id}: ${outcome}`,
  };
}

function entriesOfDelivery(delivery: Delivery): Entry[] {
  const { url, method, body } = requestFor(delivery);
  const [address, text] = [redactSentence(url), redactSentence(body)];
  return delivery.attempts.map(({ at, ms, headers, status, response, error }, index) => ({
    startedDateTime: formatUtc(at),
    ...timeOf(ms),
    request: {
      ...requestOf(method, address, redactHeaders(headers)),
      queryString: queryOf(new URL(address).search),
      ...postDataOf(headers, text),
    },
    response: responseOf({ status: status ?? 0, headers: {}, body: redactSentence(response ?? '') }),
    comment: `${delivery.id}, attempt ${index + 1}${error === null ? '' : `: ${error}`}`,
  }));
}

/** Only the total time is known, so all of it is reported as waiting. */
function timeOf(milliseconds: number) {
  return { time: milliseconds, timings: { send: 0, wait: milliseconds, receive: 0 }, cache: {} };
}

/** The body that is logged for a GET without a body is its query. */
function hasBody(method: string, headers: Headers): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return method !== 'GET' || length !== '0' || coding !== undefined;
}

/** The sizes of headers, and of bodies as they were sent, are not logged. */
const UNKNOWN_SIZES = { headersSize: -1, bodySize: -1 };

function requestOf(method: string, url: string, headers: Headers) {
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    ...UNKNOWN_SIZES,
  };
}

function postDataOf(headers: Headers, body: unknown, parts?: LoggedRequest['parts']) {
  if (body === undefined || body === null) {
    return {};
  }
  const mimeType = mediaTypeOf(headers);
  if (isMembers(body) && /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(mimeType)) {
    const params = (parts ?? Object.entries(body)).map(([name, value]) => paramOf(name, value));
    return { postData: { mimeType, params } };
  }
  return { postData: { mimeType, text: typeof body === 'string' ? body : JSON.stringify(body) } };
}

/** The bytes of a file are not logged. */
function paramOf(name: string, value: unknown) {
  if (!isMembers(value)) {
    return { name, value: typeof value === 'string' ? value : JSON.stringify(value) };
  }
  const { fileName, mediaType } = value;
  return { name, fileName: String(fileName ?? ''), contentType: String(mediaType ?? '') };
}

function responseOf({ status, headers, body }: { status: number; headers: Headers; body: string }) {
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    content: { size: Buffer.byteLength(body), mimeType: mediaTypeOf(headers), text: body },
    redirectURL: '',
    ...UNKNOWN_SIZES,
  };
}

function pairsOf(values: Headers): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
}

function mediaTypeOf(headers: Headers): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
}

function queryOf(search: string): { name: string; value: string }[] {
  return [...new URLSearchParams(search)].map(([name, value]) => ({ name, value }));
}
