import { once } from 'node:events';
import { membersOf } from '../../base/members.ts';
import type { ProgramAdapter } from '../../base/schema/generated/adapters.ts';
import { tryParseJson } from '../../base/text/try-parse-json.ts';
import { delay } from '../../base/timers.ts';
import { AdapterError, APP_VARIABLE } from '../shop/adapter.ts';
import { ProcessGroup } from '../shop/process-group.ts';
import type { AdapterCall, RawAdapter } from './raw-adapter.ts';

/** Real milliseconds to read the remaining output of a program that has ended. */
const OUTPUT_END_TIMEOUT_MS = 1000;

/** The maximum number of characters in a line that a program prints, and in an error that shows one. */
const MAX_LINE_CHARACTERS = 1_000_000;
const MAX_SHOWN_CHARACTERS = 300;

/** An adapter that is a program: it reads calls and prints answers as lines of JSON. The first call starts it, in the adapter's folder. */
export function createProgramAdapter(
  { app, webhookUrl, patience, reopens, program, calls = [] }: ProgramAdapter,
  folder: string,
  appOverride: string | undefined,
): RawAdapter {
  const adapterProgram = new Program(program, folder, appOverride === undefined ? {} : { [APP_VARIABLE]: appOverride });
  return {
    app,
    webhookUrl,
    patience,
    reopens,
    calls,
    ask: (call, signal) => adapterProgram.ask(call, signal),
    close: () => adapterProgram.stop(),
  };
}

interface PendingCall {
  answer(result: unknown): void;
  fail(error: Error): void;
}

class Program {
  readonly #command: string;
  readonly #folder: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #pending = new Map<number, PendingCall>();
  #group: ProcessGroup | undefined;
  #lastId = 0;
  /** Why the program gets no more calls. Once a call was rejected with this error, the next order or reset starts the program again. */
  #failure: { error: AdapterError; isReported: boolean } | undefined;

  constructor(command: string, folder: string, variables: Readonly<Record<string, string>>) {
    this.#command = command;
    this.#folder = folder;
    this.#variables = variables;
  }

  async ask({ name, order, orderId, url, channel, minutes }: AdapterCall, signal: AbortSignal): Promise<unknown> {
    // A failure during one order must not affect the next one.
    if (this.#failure?.isReported && (name === 'reset' || name === 'placeOrder')) {
      const failed = this.#group;
      [this.#failure, this.#group] = [undefined, undefined];
      await failed?.stop();
    }
    if (this.#failure) {
      this.#failure.isReported = true;
      throw this.#failure.error;
    }
    const group = this.#ensureStarted();
    this.#lastId += 1;
    const id = this.#lastId;
    const giveUp = () => this.#fail(group, `the program did not answer ${name} in time`);
    signal.addEventListener('abort', giveUp);
    try {
      return await new Promise((answer, fail) => {
        this.#pending.set(id, { answer, fail });
        group.child.stdin?.write(`${JSON.stringify({ id, call: name, order, orderId, url, channel, minutes })}\n`);
      });
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async stop(): Promise<void> {
    await this.#group?.stop();
  }

  #ensureStarted(): ProcessGroup {
    if (this.#group) {
      return this.#group;
    }
    const env = { ...process.env, ...this.#variables };
    const group = new ProcessGroup(this.#command, { stdin: 'pipe', cwd: this.#folder, env });
    this.#group = group;
    let text = '';
    group.child.stdout?.on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      const rest = lines.pop() ?? '';
      // A line that is too long is handled before it ends: its beginning is not a valid answer.
      const isTooLong = rest.length > MAX_LINE_CHARACTERS;
      text = isTooLong ? '' : rest;
      for (const line of isTooLong ? [...lines, rest] : lines) {
        this.#handleLine(group, line.trim());
      }
    });
    const onEnd = () => void this.#handleEnd(group);
    group.child.once('exit', onEnd).once('error', onEnd);
    return group;
  }

  async #handleEnd(group: ProcessGroup): Promise<void> {
    const { child } = group;
    const wait = new AbortController();
    await Promise.race([once(child, 'close').catch(() => undefined), delay(OUTPUT_END_TIMEOUT_MS, wait.signal)]);
    wait.abort();
    this.#fail(group, `the program ended${group.endText}`);
  }

  #handleLine(group: ProcessGroup, line: string): void {
    if (line === '' || this.#failure || group !== this.#group) {
      return;
    }
    const answer = parseAnswer(line);
    const shownText = line.slice(0, MAX_SHOWN_CHARACTERS);
    if (!answer) {
      this.#fail(group, `the program printed a line that is not an answer: ${shownText}`);
      return;
    }
    const call = this.#pending.get(answer.id);
    if (!call) {
      this.#fail(group, `the program answered call ${answer.id}, which is not waiting for one: ${shownText}`);
      return;
    }
    this.#pending.delete(answer.id);
    if (answer.error) {
      call.fail(answer.error);
    } else {
      call.answer(answer.result);
    }
  }

  /** Ends the program, because it cannot be relied on any more. */
  #fail(group: ProcessGroup, why: string): void {
    if (this.#failure || group !== this.#group) {
      return;
    }
    const error = new AdapterError(`${why}${group.outputText}`);
    this.#failure = { error, isReported: this.#pending.size > 0 };
    for (const { fail } of this.#pending.values()) {
      fail(error);
    }
    this.#pending.clear();
    void group.stop();
  }
}

/** Undefined for a line without an id, or with both or neither of a result and an error. */
function parseAnswer(line: string): { id: number; result: unknown; error: Error | undefined } | undefined {
  const { id, result, error, orderId } = membersOf(tryParseJson(line));
  const [isRefusal, hasResult] = [error !== undefined, result !== undefined];
  if (typeof id !== 'number' || isRefusal === hasResult || (isRefusal && typeof error !== 'string')) {
    return undefined;
  }
  const refusal = isRefusal
    ? Object.assign(new Error(String(error)), orderId === undefined ? {} : { orderId })
    : undefined;
  return { id, result, error: refusal };
}
