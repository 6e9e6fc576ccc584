import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delay, steadyNow } from '../base/timers.ts';
import { AdapterError } from './adapter.ts';

/** Real milliseconds that a shop may take to answer after its start, and to end when it is asked to. */
const LONGEST_START_MS = 60_000;
const LONGEST_END_MS = 3000;
const LOOK_MS = 50;
const LONGEST_LOOK_MS = 2000;

/** Characters of what a shop printed last that are shown where it ended. */
const LAST_OUTPUT = 1500;

export interface ShopCommand {
  /** As a shell reads it. */
  command: string;
  /** The shop's address. */
  app: string;
  environment: Readonly<Record<string, string>>;
}

/** A shop that is started for an examination, and ended after it. */
export class ShopProcess {
  readonly #command: ShopCommand;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(command: ShopCommand) {
    this.#command = command;
  }

  /** Resolves when the shop answers. Throws AdapterError where it does not, or where another one answers already. */
  async start(): Promise<void> {
    const { command, app, environment } = this.#command;
    if (await answers(app)) {
      throw new AdapterError(`something answers at ${app} already: end it first, so that the right shop is examined`);
    }
    this.#output = '';
    const child = spawn(command, {
      shell: true,
      // A group of its own, which ends with whatever the command started.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-LAST_OUTPUT);
      });
    }
    const began = steadyNow();
    while (!(await answers(app))) {
      if (!this.isRunning) {
        throw new AdapterError(`the shop ended before it answered at ${app}${this.#lastWords()}`);
      }
      if (steadyNow() - began > LONGEST_START_MS) {
        throw new AdapterError(`the shop did not answer at ${app} within a minute${this.#lastWords()}`);
      }
      await delay(LOOK_MS);
    }
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Throws AdapterError where the shop has ended by itself. */
  expectRunning(): void {
    if (!this.isRunning) {
      throw new AdapterError(`the shop ended${this.#lastWords()}`);
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child?.pid) {
      return;
    }
    const ended = this.isRunning ? once(child, 'exit') : Promise.resolve();
    kill(child.pid, 'SIGTERM');
    await Promise.race([ended, delay(LONGEST_END_MS)]);
    kill(child.pid, 'SIGKILL');
  }

  /** Ends the shop and starts it anew. Throws AdapterError. */
  async restart(): Promise<void> {
    await this.stop();
    const began = steadyNow();
    while ((await answers(this.#command.app)) && steadyNow() - began < LONGEST_END_MS) {
      await delay(LOOK_MS);
    }
    await this.start();
  }

  #lastWords(): string {
    const output = this.#output.trim();
    return output === '' ? ', and printed nothing' : `; the last that it printed:\n${output}`;
  }
}

/** Ends a process and all that it started; those that have ended are left alone. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}

/** Whether anything answers HTTP there, with whatever status. */
export async function answers(address: string): Promise<boolean> {
  return fetch(address, { signal: AbortSignal.timeout(LONGEST_LOOK_MS) }).then(
    async (answer) => {
      await answer.body?.cancel();
      return true;
    },
    () => false,
  );
}
