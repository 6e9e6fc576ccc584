import type { IncomingMessage, ServerResponse } from 'node:http';
import { estimateBytes } from '../../base/estimate-bytes.ts';
import { redact, redactHeaders, redactSentence, redactText } from '../../base/masking/redact.ts';
import type { Instant } from '../../base/time.ts';
import type { CallEntry, CallFacts, CallOrigin } from '../sessions/history-entry.ts';
import type { Session } from '../sessions/session.ts';
import { onClosed } from './connection.ts';
import type { HttpCall } from './entry-point.ts';

/** Maximum characters of an answer in a history, because answers of control calls can contain all records of a session. */
export const MAX_ANSWER_LENGTH = 65_536;

interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

const bodies = new WeakMap<IncomingMessage, Buffer>();
const calls = new WeakMap<ServerResponse, HistoryCall>();

/** For body parsers: stores the bytes that they read. */
export function keepBody(request: IncomingMessage, _response: ServerResponse, bytes: Buffer): void {
  bodies.set(request, bytes);
}

/** Records a control call or a page, with its answer, in the session's history. */
export function recordCall(
  session: Session,
  origin: Exclude<CallOrigin, 'merchant'>,
  { request, response, address }: Pick<HttpCall, 'request' | 'response' | 'address'>,
): void {
  const call = new HistoryCall(session, origin, request, address);
  calls.set(response, call);
  onClosed(response, () => call.end(null));
}

/** Does nothing for a response whose call is not recorded. */
export function recordAnswer(response: ServerResponse, answer: Answer): void {
  calls.get(response)?.end(answer);
}

class HistoryCall implements CallEntry {
  readonly kind = 'call';
  readonly id: string;
  readonly origin: Exclude<CallOrigin, 'merchant'>;
  readonly at: Instant;
  readonly #history: Session['history'];
  readonly #recording: object | undefined;
  readonly #method: string;
  readonly #address: string;
  readonly #headers: IncomingMessage['headers'];
  readonly #body: Buffer | undefined;
  #answer: Answer | null = null;
  #hasEnded = false;

  constructor(
    { history, clock }: Session,
    origin: Exclude<CallOrigin, 'merchant'>,
    request: IncomingMessage,
    address: string,
  ) {
    this.id = history.nextId(origin);
    this.origin = origin;
    this.at = clock.now();
    this.#history = history;
    this.#method = request.method ?? '';
    this.#address = address;
    this.#headers = request.headers;
    this.#body = bodies.get(request);
    this.#recording = history.beginCall(this);
  }

  get bytes(): number {
    return estimateBytes(this.#headers) + estimateBytes(this.#body) + estimateBytes(this.#answer);
  }

  end(answer: Answer | null): void {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#answer = answer && { ...answer, text: answer.text.slice(0, MAX_ANSWER_LENGTH) };
      this.#history.endCall(this, this.#recording);
    }
  }

  describe(): CallFacts {
    const [path = '', ...search] = this.#address.split(/(?=\?)/);
    const answer = this.#answer;
    return {
      method: this.#method,
      path: redactSentence(path),
      search: redactSentence(search.join('')),
      headers: redactHeaders(this.#headers),
      body: maskedText(this.#body?.toString() ?? ''),
      answer: answer && {
        status: answer.status,
        headers: redactHeaders(answer.headers),
        body: maskedText(answer.text),
      },
    };
  }
}

function maskedText(text: string): string {
  try {
    return JSON.stringify(redact(JSON.parse(text)));
  } catch {
    return redactText(text);
  }
}
