import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const LOADER = fileURLToPath(new URL('./typescript-loader.mjs', import.meta.url));

/** A process that runs a script of the tests. Both sides send lines. */
export class ChildProcess {
  readonly lines: string[] = [];
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<unknown>;
  #onLine: (() => void) | undefined;

  constructor(command: string, args: readonly string[]) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = once(this.#process, 'close').then(() => this.#onLine?.());
    // Not readline, because it would report a line that a kill interrupted like a complete one.
    let incompleteLine = '';
    this.#process.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = `${incompleteLine}${chunk}`.split('\n');
      incompleteLine = lines.pop() ?? '';
      this.lines.push(...lines);
      this.#onLine?.();
    });
  }

  /** Runs a TypeScript file without a build. */
  static run(script: URL, ...args: string[]): ChildProcess {
    const [command = '', ...rest] = ChildProcess.commandOf(script, ...args);
    return new ChildProcess(command, rest);
  }

  static commandOf(script: URL, ...args: string[]): string[] {
    return [process.execPath, '--import', LOADER, fileURLToPath(script), ...args];
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  sendLine(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  /** Resolves when it has written `count` lines, or has ended. */
  async waitForLines(count: number): Promise<void> {
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

  /** Resolves when it has ended. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** Waits until the process ends by itself; null if a signal ended it. */
  async exitCode(): Promise<number | null> {
    await this.#ended;
    return this.#process.exitCode;
  }
}
