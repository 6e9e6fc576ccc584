import { once } from 'node:events';
import { membersOf } from '../../base/members.ts';
import type { ProgramAdapter } from '../../base/schema/generated/adapters.ts';
import { tryParseJson } from '../../base/text/try-parse-json.ts';
import { delay } from '../../base/timers.ts';
import { AdapterError } from '../shop/adapter.ts';
import { ProcessGroup } from '../shop/process-group.ts';
import { type AdapterCall, APP_VARIABLE, type Form } from './form.ts';

/** Real milliseconds to read the remaining output of a program that has ended. */
const LAST_LINES_MS = 1000;

/** Characters of a line that a program may print, and of one that are shown. */
const LONGEST_LINE = 1_000_000;
const SHOWN = 300;

/** An adapter that is any program, asked and answering by JSON lines. It is started with the first call, in the adapter's folder. */
export function programForm(
  { app, webhookUrl, patience, reopens, program, calls = [] }: ProgramAdapter,
  folder: string,
  given: string | undefined,
): Form {
  const running = new Program(program, folder, given === undefined ? {} : { [APP_VARIABLE]: given });
  return {
    app,
    webhookUrl,
    patience,
    reopens,
    calls,
    ask: (call, signal) => running.ask(call, signal),
    close: () => running.stop(),
  };
}

interface Asked {
  answer(result: unknown): void;
  fail(error: Error): void;
}

class Program {
  readonly #command: string;
  readonly #folder: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #asked = new Map<number, Asked>();
  #group: ProcessGroup | undefined;
  #lastId = 0;
  /** Why it gets no more calls, and whether a call has reported this. */
  #failure: { error: AdapterError; isTold: boolean } | undefined;

  constructor(command: string, folder: string, variables: Readonly<Record<string, string>>) {
    this.#command = command;
    this.#folder = folder;
    this.#variables = variables;
  }

  async ask({ call, order, orderId, url, channel, minutes }: AdapterCall, signal: AbortSignal): Promise<unknown> {
    // A failure during one order must not affect the next one.
    if (this.#failure?.isTold && (call === 'reset' || call === 'placeOrder')) {
      const failed = this.#group;
      [this.#failure, this.#group] = [undefined, undefined];
      await failed?.stop();
    }
    if (this.#failure) {
      this.#failure.isTold = true;
      throw this.#failure.error;
    }
    const group = this.#started();
    this.#lastId += 1;
    const id = this.#lastId;
    const giveUp = () => this.#fail(group, `the program did not answer ${call} in time`);
    signal.addEventListener('abort', giveUp);
    try {
      return await new Promise((answer, fail) => {
        this.#asked.set(id, { answer, fail });
        group.child.stdin?.write(`${JSON.stringify({ id, call, order, orderId, url, channel, minutes })}\n`);
      });
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async stop(): Promise<void> {
    await this.#group?.stop();
  }

  #started(): ProcessGroup {
    if (this.#group) {
      return this.#group;
    }
    const env = { ...process.env, ...this.#variables };
    const group = new ProcessGroup(this.#command, { stdin: 'pipe', cwd: this.#folder, env });
    this.#group = group;
    let text = '';
    group.child.stdout?.on('data', (more: string) => {
      const lines = (text + more).split('\n');
      text = lines.pop() ?? '';
      for (const line of [...lines, ...(text.length > LONGEST_LINE ? [text] : [])]) {
        this.#take(group, line.trim());
      }
      if (text.length > LONGEST_LINE) {
        text = '';
      }
    });
    const onEnd = () => void this.#ended(group);
    group.child.once('exit', onEnd).once('error', onEnd);
    return group;
  }

  async #ended(group: ProcessGroup): Promise<void> {
    const { child } = group;
    const isRead = new AbortController();
    await Promise.race([once(child, 'close').catch(() => undefined), delay(LAST_LINES_MS, isRead.signal)]);
    isRead.abort();
    this.#fail(group, `the program ended${group.howItEnded}`);
  }

  #take(group: ProcessGroup, line: string): void {
    if (line === '' || this.#failure || group !== this.#group) {
      return;
    }
    const said = answerIn(line);
    if (!said) {
      this.#fail(group, `the program printed a line that is not an answer: ${line.slice(0, SHOWN)}`);
      return;
    }
    const asked = this.#asked.get(said.id);
    if (!asked) {
      this.#fail(group, `the program answered call ${said.id}, which is not waiting for one: ${line.slice(0, SHOWN)}`);
      return;
    }
    this.#asked.delete(said.id);
    if (said.error) {
      asked.fail(said.error);
    } else {
      asked.answer(said.result);
    }
  }

  /** Ends the program: it cannot be relied on any more. */
  #fail(group: ProcessGroup, why: string): void {
    if (this.#failure || group !== this.#group) {
      return;
    }
    const error = new AdapterError(`${why}${group.lastOutput}`);
    this.#failure = { error, isTold: this.#asked.size > 0 };
    for (const { fail } of this.#asked.values()) {
      fail(error);
    }
    this.#asked.clear();
    void group.stop();
  }
}

/** The answer in a line with the number of its call; undefined if the line is not an answer. */
function answerIn(line: string): { id: number; result: unknown; error: Error | undefined } | undefined {
  const { id, result, error, orderId } = membersOf(tryParseJson(line));
  const isRefusal = error !== undefined;
  if (typeof id !== 'number' || isRefusal === (result !== undefined) || (isRefusal && typeof error !== 'string')) {
    return undefined;
  }
  const refusal = isRefusal
    ? Object.assign(new Error(String(error)), orderId === undefined ? {} : { orderId })
    : undefined;
  return { id, result, error: refusal };
}
