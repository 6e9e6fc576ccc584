import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { messageOf } from '../../base/errors.ts';
import { platform } from '../../base/platform.ts';
import { delay } from '../../base/timers.ts';

/** Real milliseconds that a command may take to end when it is asked to. */
const END_TIMEOUT_MS = 3000;

/** Of a longer output, only the end is kept, which usually names the problem. */
const MAX_OUTPUT_CHARACTERS = 1500;

/** A command that runs during the examination, with its child processes: a process group or, on Windows, a tree. */
export class ProcessGroup {
  readonly child: ChildProcess;
  #output = '';
  readonly #guard: ChildProcess | undefined;
  #hasFailed = false;
  /** Synchronous, because it also runs when this process exits. */
  readonly #killTree = () => {
    if (this.child.pid !== undefined) {
      platform.endTree(this.child.pid, 'SIGKILL');
    }
  };

  /** A shell runs the command. */
  constructor(
    command: string,
    { stdin, ...options }: Pick<SpawnOptions, 'cwd' | 'env'> & { stdin: 'ignore' | 'pipe' },
  ) {
    this.child = spawn(command, {
      ...options,
      shell: true,
      // On Windows, a detached process would open a window.
      detached: platform.hasProcessGroups,
      windowsHide: true,
      stdio: [stdin, 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#appendOutput(text));
      stream?.on('error', () => undefined);
    }
    this.child.on('error', (error) => {
      this.#hasFailed = true;
      this.#appendOutput(messageOf(error));
    });
    process.once('exit', this.#killTree);
    this.#guard = startGuard(this.child.pid);
    // Writing to a process that has ended fails; its exit is reported separately.
    this.child.stdin?.on('error', () => undefined);
  }

  get isRunning(): boolean {
    return !this.#hasFailed && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** How it ended, as the end of a sentence. */
  get endText(): string {
    const { exitCode, signalCode } = this.child;
    // A process that failed to start has neither.
    return signalCode !== null ? ` by ${signalCode}` : exitCode !== null ? ` with exit code ${exitCode}` : '';
  }

  /** The end of its output, as the end of a sentence. */
  get outputText(): string {
    const output = this.#output.trim();
    return output === '' ? ', and printed nothing' : `; its last output:\n${output}`;
  }

  async kill(): Promise<void> {
    const exit = this.isRunning ? once(this.child, 'exit') : Promise.resolve();
    this.#killTree();
    await exit;
  }

  async stop(): Promise<void> {
    const { pid } = this.child;
    if (pid !== undefined) {
      const wait = new AbortController();
      const exit = this.isRunning ? once(this.child, 'exit') : Promise.resolve();
      platform.endTree(pid, 'SIGTERM');
      await Promise.race([exit, delay(END_TIMEOUT_MS, wait.signal)]);
      wait.abort();
    }
    this.#killTree();
    process.off('exit', this.#killTree);
    this.#guard?.kill('SIGKILL');
    this.#guard?.stdin?.destroy();
  }

  #appendOutput(text: string): void {
    this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARACTERS);
  }
}

/** Starts a process that ends the group when its input ends, which happens even if this process is killed and cannot clean up. */
function startGuard(pid: number | undefined): ChildProcess | undefined {
  if (pid === undefined || !platform.hasProcessGroups) {
    return undefined;
  }
  const script = `read -r nothing; kill -9 -${pid}`;
  const guard = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Ignored, because the guard is needed only if this process is killed.
  guard.on('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  return guard;
}
