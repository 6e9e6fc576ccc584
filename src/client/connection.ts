import { readBytes } from '../base/outbound.ts';
import { delay, steadyNow } from '../base/timers.ts';
import { unlessEmpty } from '../base/unless-empty.ts';
import { ControlError } from './control-error.ts';
import { type HttpAnswer, httpCall, httpStream } from './http-call.ts';
import type { ShownEvent } from './shown.ts';

/** Statuses of a node while a session is moving, and the delays of retries, in milliseconds. */
const UNAVAILABLE = 503;
const MOST_TRIES = 30;
const SOON_MS = 50;
const RETRY_MS = 1000;

/** How many times in a row a stream may be cut before anything comes; one that was open for LONG_MS does not count. */
const MOST_CUTS = 5;
const LONG_MS = 10_000;

/** Far more than any event has. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** Where a stream continues. */
interface Place {
  since: number | undefined;
  /** Of the last event that came; it counts for more than `since`. */
  lastEventId: string | undefined;
}

/** Which events to read. */
interface EventOptions {
  /** Only those after this event id. Default: from now on. */
  since?: number | undefined;
  /** Also the calls of the merchant API, as `request.answered`. */
  calls?: boolean;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** One session's control calls, by HTTP. */
export class ControlConnection {
  /** Address of the session's merchant API; its control API is below it. */
  readonly baseUrl: string;
  readonly controlToken: string | undefined;

  constructor(baseUrl: string, controlToken: string | undefined) {
    this.baseUrl = baseUrl;
    // Empty if it is from an unset variable.
    this.controlToken = unlessEmpty(controlToken)?.trim();
  }

  /** Throws ControlError where changes are not kept, and another error where what answers is no sandbox. */
  async health(signal?: AbortSignal): Promise<{ status: string; version: string }> {
    const foreign = new Error(`the server at ${this.baseUrl} is not a merchant-sandbox`);
    try {
      const health = await this.call<{ status: string; version: string } | undefined>(
        'GET',
        '/health',
        undefined,
        signal,
      );
      if (typeof health?.version === 'string') {
        return health;
      }
    } catch (error) {
      throw isForeign(error) ? foreign : error;
    }
    throw foreign;
  }

  /** Any control call, by its method and its path below /_sandbox. Throws ControlError, NoAnswerError, or the signal's reason. */
  async call<Answer>(method: string, path: string, content?: unknown, signal?: AbortSignal): Promise<Answer> {
    const address = `${this.baseUrl}/_sandbox${path}`;
    const body = content === undefined ? undefined : JSON.stringify(content);
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' };
    const { status, text } = await httpCall(address, { method, headers, body, signal });
    const answer = text === '' ? undefined : JSON.parse(text);
    expectSuccess(status, answer);
    return answer as Answer;
  }

  /** The text of a GET whose answer is not JSON. Throws like `call`. */
  async text(path: string): Promise<string> {
    const address = `${this.baseUrl}/_sandbox${path}`;
    const { status, headers, text } = await httpCall(address, { method: 'GET', headers: this.#headers });
    expectSuccess(status, headers['content-type']?.includes('problem+json') ? JSON.parse(text) : undefined);
    return text;
  }

  /**
   * Events as they happen. Ends when the sandbox closes, the session is deleted or the reader stops. If the connection was cut, or the
   * session moved to another node, continues after the last event. Throws if it is cut repeatedly before any event arrives.
   */
  async *events({ since, ...options }: EventOptions = {}): AsyncGenerator<ShownEvent> {
    const place: Place = { since, lastEventId: undefined };
    let cuts = 0;
    let cut: { error: unknown } | undefined;
    for (let isBack = true; isBack; isBack = await this.#isBack(cuts > 1 ? RETRY_MS : SOON_MS, options.signal)) {
      const began = steadyNow();
      const { lastEventId } = place;
      cut = undefined;
      try {
        yield* this.#stream(place, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof ControlError) {
          throw error;
        }
        cut = { error };
      }
      const isFurther = place.lastEventId !== lastEventId || steadyNow() - began > LONG_MS;
      // One that the sandbox ended, as for a session that moves, is no cut.
      cuts = isFurther || !cut ? 0 : cuts + 1;
      if (cuts === MOST_CUTS) {
        const behind = lastEventId === undefined ? '' : ` behind event ${lastEventId}`;
        const words = `the events of ${this.baseUrl} do not come: their stream was cut ${cuts} times${behind} before anything came`;
        throw new Error(words, { cause: cut?.error });
      }
    }
    if (cut) {
      throw cut.error;
    }
  }

  /** Whether the session answers: again, where it is on its way. */
  async #isBack(afterMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    for (let tries = 0; tries < MOST_TRIES && !signal?.aborted; tries += 1) {
      await delay(tries === 0 ? afterMs : RETRY_MS);
      try {
        await this.call('GET', '/clock', undefined, signal);
        return true;
      } catch (error) {
        if (!(error instanceof ControlError) || error.status !== UNAVAILABLE) {
          return false;
        }
      }
    }
    return false;
  }

  async *#stream(place: Place, { calls = false, signal }: EventOptions): AsyncGenerator<ShownEvent> {
    signal?.throwIfAborted();
    const { since, lastEventId } = place;
    const query = new URLSearchParams({
      ...(since === undefined ? {} : { since: String(since) }),
      ...(calls ? { calls: 'true' } : {}),
    });
    const headers = { ...this.#headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    const address = `${this.baseUrl}/_sandbox/events?${query}`;
    const response = await httpStream(address, { headers, signal });
    if (response.statusCode !== 200) {
      const text = (await readBytes(response, MAX_EVENT_CHARACTERS)).toString();
      throw new ControlError(response.statusCode ?? 0, text === '' ? {} : JSON.parse(text));
    }
    let text = '';
    // Leaving this loop closes the connection.
    for await (const chunk of response.setEncoding('utf8')) {
      const parts = `${text}${chunk}`.split('\n\n');
      text = parts.pop() ?? '';
      if (text.length > MAX_EVENT_CHARACTERS) {
        throw new Error(`an event has more than ${MAX_EVENT_CHARACTERS} characters`);
      }
      for (const part of parts) {
        place.lastEventId = /^id: (.*)$/m.exec(part)?.[1] ?? place.lastEventId;
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) {
          yield JSON.parse(data) as ShownEvent;
        }
      }
    }
  }

  get #headers(): Record<string, string> {
    return this.controlToken === undefined ? {} : { 'x-sandbox-control-token': this.controlToken };
  }
}

function expectSuccess(status: HttpAnswer['status'], answer: Record<string, unknown> = {}): void {
  if (status < 200 || status > 299) {
    throw new ControlError(status, answer);
  }
}

/** Whether an answer came that no sandbox gives. */
function isForeign(error: unknown): boolean {
  if (!(error instanceof ControlError)) {
    return error instanceof SyntaxError;
  }
  const { version, type } = error.problem;
  return typeof version !== 'string' && !String(type).startsWith('urn:merchant-sandbox:');
}
