import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { codeOf, messageOf } from '../../base/errors.ts';
import { headerPairs } from '../../base/header-pairs.ts';
import { sendRequest } from '../../base/outbound.ts';
import { NOT_REACHABLE } from '../recording.ts';
import { Tap } from './tap.ts';

export interface Destination {
  base: URL;
  path: string;
}

export interface Forwarding {
  body: Tap;
  answer: { status: number; headers: readonly string[]; body: Tap | undefined } | undefined;
  error: string | undefined;
}

const BAD_GATEWAY = 502;
/** Real milliseconds until the end of an answer, longer than most callers wait. */
const MAX_ANSWER_MS = 15 * 60_000;
const CALLER_GONE = 'the caller closed the connection before the end of the answer';
/** Headers about one connection (RFC 9110, 7.6.1) and its framing, which do not apply to the recorder's connections. */
const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|http2-settings|expect)$/i;

/** Forwards a request, and returns its answer to the caller. Never rejects: errors are in the result. */
export async function relay(request: IncomingMessage, response: ServerResponse, to: Destination): Promise<Forwarding> {
  const forwarding: Forwarding = { body: new Tap(request), answer: undefined, error: undefined };
  const callerGone = new AbortController();
  let isConnected = false;
  let answerError: unknown;
  response.once('close', () => callerGone.abort(new Error(CALLER_GONE)));
  try {
    const body = await buffer(request);
    const call = { method: request.method, target: to.path, headers: headersFor(request, to, body), body };
    const options = {
      ...call,
      signal: callerGone.signal,
      timeoutMs: MAX_ANSWER_MS,
      onConnected: () => {
        isConnected = true;
      },
    };
    await sendRequest(to.base, options, (answer) => {
      answer.once('error', (error) => {
        answerError = error;
      });
      return sendBack(answer, response, forwarding);
    });
  } catch (error) {
    // An incomplete answer closes the caller's connection, too. The caller has left only if the answer itself had no error.
    if (callerGone.signal.aborted && (answerError ?? callerGone.signal.reason) === callerGone.signal.reason) {
      forwarding.error = CALLER_GONE;
    } else {
      fail(error, isConnected, { response, forwarding, to });
    }
  }
  return forwarding;
}

/** Answers with the reason, or breaks the connection if the service did. */
function fail(
  error: unknown,
  isConnected: boolean,
  { response, forwarding, to }: { response: ServerResponse; forwarding: Forwarding; to: Destination },
): void {
  const { answer } = forwarding;
  const { origin } = to.base;
  const message = messageOf(error) || String(codeOf(error));
  if (isInvalid(error)) {
    const invalidPart = answer ? `the answer with status ${answer.status}` : 'the request';
    forwarding.error = `${invalidPart} cannot be passed on: ${message}`;
    refuse(response, forwarding.error);
  } else if (!isConnected) {
    forwarding.error = NOT_REACHABLE;
    refuse(response, `${origin} cannot be reached: ${message}`);
  } else if (String(codeOf(error)).startsWith('HPE_')) {
    forwarding.error = `${origin} does not answer in HTTP: ${message}`;
    refuse(response, forwarding.error);
  } else {
    forwarding.error = `${origin} broke the connection: ${message}`;
    response.destroy();
  }
}

async function sendBack(answer: IncomingMessage, response: ServerResponse, forwarding: Forwarding): Promise<void> {
  const { statusCode: status = BAD_GATEWAY, statusMessage = '', rawHeaders } = answer;
  const body = new Tap(answer);
  forwarding.answer = { status, headers: rawHeaders, body };
  response.sendDate = false;
  response.writeHead(status, statusMessage, withoutConnection(rawHeaders).flat());
  // Sends the head before the body arrives, and with unchanged bytes: flushHeaders would write UTF-8.
  response.write(Buffer.alloc(0));
  await pipeline(answer, response);
}

function headersFor({ rawHeaders }: IncomingMessage, { base }: Destination, body: Buffer): string[] {
  const pairs = withoutConnection(rawHeaders).filter(([name]) => !/^(?:host|content-length)$/i.test(name));
  const hasBody = headerPairs(rawHeaders).some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const length = hasBody ? [['Content-Length', String(body.length)]] : [];
  return [['Host', base.host], ...pairs, ...length].flat();
}

function withoutConnection(rawHeaders: readonly string[]): [name: string, value: string][] {
  return headerPairs(rawHeaders).filter(([name]) => !HOP_BY_HOP.test(name));
}

/** Node.js refuses to send some values that it accepts when reading, such as the status 000. */
function isInvalid(error: unknown): boolean {
  return /^ERR_(?:HTTP|INVALID|UNESCAPED)_/.test(String(codeOf(error)));
}

/** Answers the caller in place of the service, with the reason; breaks the connection if an answer has begun. */
export function refuse(response: ServerResponse, why: string, status = BAD_GATEWAY): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, STATUS_CODES[status] ?? '', { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`This is the recorder of merchant-sandbox: ${why}\n`);
}
