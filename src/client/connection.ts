import { delay } from '../timers.ts';
import { ControlError } from './control-error.ts';
import type { ShownEvent } from './shown.ts';

/** What a node answers while a session is on its way, and how often and when, in milliseconds, it is asked again. */
const UNAVAILABLE = 503;
const MOST_TRIES = 30;
const SOON_MS = 50;
const RETRY_MS = 1000;

/** Which events to read. */
interface EventOptions {
  /** Only those after this event id; left out, those that happen from now on. */
  since?: number | undefined;
  /** Also the calls of the merchant API, as `request.answered`. */
  calls?: boolean;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** One session's control calls, by HTTP. */
export class ControlConnection {
  /** Where the merchant API of the session is; its control API stands below it. */
  readonly baseUrl: string;
  readonly controlToken: string | undefined;

  constructor(baseUrl: string, controlToken: string | undefined) {
    this.baseUrl = baseUrl;
    this.controlToken = controlToken;
  }

  /** Any control call, by its method and its path below /_sandbox. Throws ControlError. */
  async call<Answer>(method: string, path: string, body?: unknown, signal: AbortSignal | null = null): Promise<Answer> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' };
    const response = await fetch(`${this.baseUrl}/_sandbox${path}`, { method, headers, signal, ...content });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) {
      throw new ControlError(response.status, answer ?? {});
    }
    return answer as Answer;
  }

  /**
   * Events as they happen. Ends when the sandbox closes, the session is deleted or the reader stops; goes on behind the last one where
   * the session has only moved to another node.
   */
  async *events({ since, ...options }: EventOptions = {}): AsyncGenerator<ShownEvent> {
    let last = since;
    let cut: { error: unknown } | undefined;
    for (let isBack = true; isBack; isBack = await this.#isBack(options.signal)) {
      try {
        for await (const event of this.#stream({ ...options, since: last })) {
          last = event.id;
          yield event;
        }
        cut = undefined;
      } catch (error) {
        if (options.signal?.aborted || error instanceof ControlError) {
          throw error;
        }
        cut = { error };
      }
    }
    if (cut) {
      throw cut.error;
    }
  }

  /** Whether the session answers: again, where it is on its way. */
  async #isBack(signal: AbortSignal | undefined): Promise<boolean> {
    for (let tries = 0; tries < MOST_TRIES && !signal?.aborted; tries += 1) {
      await delay(tries === 0 ? SOON_MS : RETRY_MS);
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

  async *#stream({ since, calls = false, signal }: EventOptions): AsyncGenerator<ShownEvent> {
    const stop = new AbortController();
    const end = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', end);
    try {
      signal?.throwIfAborted();
      const query = new URLSearchParams({
        ...(since === undefined ? {} : { since: String(since) }),
        ...(calls ? { calls: 'true' } : {}),
      });
      const address = `${this.baseUrl}/_sandbox/events?${query}`;
      const response = await fetch(address, { headers: this.#headers, signal: stop.signal });
      if (!response.ok || !response.body) {
        throw new ControlError(response.status, JSON.parse(await response.text()));
      }
      let text = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const parts = `${text}${chunk}`.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          if (data !== undefined) {
            yield JSON.parse(data) as ShownEvent;
          }
        }
      }
    } finally {
      signal?.removeEventListener('abort', end);
      stop.abort();
    }
  }

  get #headers(): Record<string, string> {
    return this.controlToken === undefined ? {} : { 'x-sandbox-control-token': this.controlToken };
  }
}
