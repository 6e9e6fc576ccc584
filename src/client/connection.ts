import { readAnswerBytes } from '../base/outbound.ts';
import { delay, steadyNow } from '../base/timers.ts';
import { unlessEmpty } from '../base/unless-empty.ts';
import { ControlError } from './control-error.ts';
import { type HttpAnswer, httpCall, httpStream } from './http-call.ts';
import type { ShownEvent } from './shown.ts';

/** The status of several refusals, such as that of a call while its session moves to another node. */
const UNAVAILABLE = 503;
const MAX_TRIES = 30;
const FIRST_RETRY_MS = 50;
const RETRY_MS = 1000;

/** A stream fails after this many interruptions in a row. An event, or STABLE_MS without interruption, restarts the count. */
const MAX_INTERRUPTIONS = 5;
const STABLE_MS = 10_000;

/** No event is nearly as long. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

/** The position at which a stream continues. */
interface StreamPosition {
  since: number | undefined;
  /** The id of the last event, once there was one. The sandbox ignores `since` if it is set. */
  lastEventId: string | undefined;
}

/** Options for reading events. */
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
    // An unset variable may have been passed as an empty text.
    this.controlToken = unlessEmpty(controlToken)?.trim();
  }

  /** Throws ControlError if the sandbox is not ready or cannot save changes, and Error if the server is not a sandbox. */
  async health(signal?: AbortSignal): Promise<{ status: string; version: string }> {
    const foreignError = new Error(`the server at ${this.baseUrl} is not a merchant-sandbox`);
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
      throw isForeign(error) ? foreignError : error;
    }
    throw foreignError;
  }

  /** A control call by method and path below /_sandbox. Throws ControlError, NoAnswerError, SyntaxError (no JSON) or the signal's reason. */
  async call<Answer>(method: string, path: string, content?: unknown, signal?: AbortSignal): Promise<Answer> {
    const address = `${this.baseUrl}/_sandbox${path}`;
    const body = content === undefined ? undefined : JSON.stringify(content);
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' };
    const { status, text } = await httpCall(address, { method, headers, body, signal });
    const answer = text === '' ? undefined : JSON.parse(text);
    expectSuccess(status, answer);
    return answer as Answer;
  }

  /** The answer of a GET as text, whatever its format. Throws like `call`. */
  async text(path: string): Promise<string> {
    const address = `${this.baseUrl}/_sandbox${path}`;
    const { status, headers, text } = await httpCall(address, { method: 'GET', headers: this.#headers });
    expectSuccess(status, headers['content-type']?.includes('problem+json') ? JSON.parse(text) : undefined);
    return text;
  }

  /**
   * Events as they happen. Ends when the sandbox closes, the session is deleted or the reader stops. If the connection is interrupted,
   * or the session moves to another node, continues after the last event. Throws if that fails, or is interrupted repeatedly.
   */
  async *events({ since, ...options }: EventOptions = {}): AsyncGenerator<ShownEvent> {
    const position: StreamPosition = { since, lastEventId: undefined };
    let interruptionCount = 0;
    let interruption: { error: unknown } | undefined;
    do {
      const startedAt = steadyNow();
      const { lastEventId } = position;
      interruption = undefined;
      try {
        yield* this.#stream(position, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof ControlError) {
          throw error;
        }
        interruption = { error };
      }
      const hasProgress = position.lastEventId !== lastEventId || steadyNow() - startedAt > STABLE_MS;
      // The sandbox itself ends the stream of a session that moves, which is not an interruption.
      interruptionCount = hasProgress || !interruption ? 0 : interruptionCount + 1;
      if (interruptionCount === MAX_INTERRUPTIONS) {
        const after = lastEventId === undefined ? '' : ` after event ${lastEventId}`;
        const problem = `the event stream of ${this.baseUrl} was interrupted ${interruptionCount} times in a row${after}, without a new event`;
        throw new Error(problem, { cause: interruption?.error });
      }
    } while (await this.#waitForSession(interruptionCount > 1 ? RETRY_MS : FIRST_RETRY_MS, options.signal));
    if (interruption) {
      throw interruption.error;
    }
  }

  /** Waits while the sandbox answers with UNAVAILABLE. Resolves with false if the session cannot be read afterwards. */
  async #waitForSession(firstDelayMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES && !signal?.aborted; tries += 1) {
      await delay(tries === 0 ? firstDelayMs : RETRY_MS);
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

  async *#stream(position: StreamPosition, { calls = false, signal }: EventOptions): AsyncGenerator<ShownEvent> {
    signal?.throwIfAborted();
    const { since, lastEventId } = position;
    const query = new URLSearchParams({
      ...(since === undefined ? {} : { since: String(since) }),
      ...(calls ? { calls: 'true' } : {}),
    });
    const headers = { ...this.#headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
    const address = `${this.baseUrl}/_sandbox/events?${query}`;
    const response = await httpStream(address, { headers, signal });
    if (response.statusCode !== 200) {
      const text = (await readAnswerBytes(response, MAX_EVENT_CHARACTERS)).toString();
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
        position.lastEventId = /^id: (.*)$/m.exec(part)?.[1] ?? position.lastEventId;
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

/** Whether an error of /health shows that the server is not a sandbox: errors of a sandbox have its version or one of its problem types. */
function isForeign(error: unknown): boolean {
  if (!(error instanceof ControlError)) {
    return error instanceof SyntaxError;
  }
  const { version, type } = error.problem;
  return typeof version !== 'string' && !String(type).startsWith('urn:merchant-sandbox:');
}
