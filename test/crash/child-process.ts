import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const LOADER = fileURLToPath(new URL('./typescript-loader.mjs', import.meta.url));

/** A real process that runs one of the tests' scripts and talks by lines. */
export class ChildProcess {
  readonly lines: string[] = [];
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<unknown>;
  #onLine: (() => void) | undefined;

  constructor(command: string, args: readonly string[]) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = once(this.#process, 'close').then(() => this.#onLine?.());
    // A line that a kill cut off was not said; readline would hand it over like any other.
    let text = '';
    this.#process.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${text}${chunk}`.split('\n');
      text = lines.pop() ?? '';
      this.lines.push(...lines);
      this.#onLine?.();
    });
  }

  /** A script of the tests in TypeScript, run as it is. */
  static running(script: URL, ...args: string[]): ChildProcess {
    const [command = '', ...rest] = ChildProcess.commandOf(script, ...args);
    return new ChildProcess(command, rest);
  }

  static commandOf(script: URL, ...args: string[]): string[] {
    return [process.execPath, '--import', LOADER, fileURLToPath(script), ...args];
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  say(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  /** Resolves when it has written `count` lines, or has ended before. */
  async linesWritten(count: number): Promise<void> {
    let hasEnded = false;
    void this.#ended.then(() => {
      hasEnded = true;
    });
    while (this.lines.length < count && !hasEnded) {
      await new Promise<void>((resolve) => {
        this.#onLine = resolve;
      });
    }
  }

  /** Ends it without any notice, and resolves when it is gone. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** Resolves with the exit code when it has ended by itself. */
  async exit(): Promise<number | null> {
    await this.#ended;
    return this.#process.exitCode;
  }
}
