import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { codeOf } from './errors.ts';
import { blockProcess } from './timers.ts';

/** Error codes of Windows while another process, such as a virus scanner or an indexer, has a file open. */
const IN_USE: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Their sum is longer than most scans take. */
const RETRY_DELAYS_MS = [5, 10, 20, 40, 80, 160, 320];

/** Calls whose behaviour depends on the operating system; tests replace them with those of another system. */
export interface SystemCalls {
  name: NodeJS.Platform;
  rename(from: string, to: string): void;
  exists(path: string): boolean;
  remove(path: string): void;
  syncFolder(folder: string): void;
  kill(pid: number, signal: NodeJS.Signals | 0): void;
  run(program: string, args: readonly string[]): void;
  parent(): number;
  blockProcess(milliseconds: number): void;
}

const OWN_SYSTEM: SystemCalls = {
  name: process.platform,
  rename: renameSync,
  exists: existsSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder(folder) {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
  kill: (pid, signal) => process.kill(pid, signal),
  run: (program, args) => spawnSync(program, args, { stdio: 'ignore', windowsHide: true }),
  parent: () => process.ppid,
  blockProcess,
};

/** All behaviour that depends on the operating system. No other module reads its name. */
export class Platform {
  readonly #system: SystemCalls;
  readonly #isWindows: boolean;

  constructor(system: SystemCalls = OWN_SYSTEM) {
    this.#system = system;
    this.#isWindows = system.name === 'win32';
  }

  /** Whether files have an owner and permissions. On Windows, a file in the user's folder belongs to the user. */
  get hasModes(): boolean {
    return !this.#isWindows;
  }

  /** Whether a process and its children can be signalled together. */
  get hasProcessGroups(): boolean {
    return !this.#isWindows;
  }

  /** Signals that request a shutdown. Windows has no SIGTERM, but SIGBREAK for Ctrl+Break, and SIGHUP ten seconds before it ends a closed console. */
  get endSignals(): readonly NodeJS.Signals[] {
    return this.#isWindows ? ['SIGINT', 'SIGHUP', 'SIGBREAK'] : ['SIGTERM', 'SIGINT', 'SIGHUP'];
  }

  /** Runs work on a file. On Windows, it is retried up to seven times while another program has the file open. */
  retryWhileInUse<T>(work: () => T): T {
    for (const wait of this.#isWindows ? RETRY_DELAYS_MS : []) {
      try {
        return work();
      } catch (error) {
        if (!IN_USE.has(codeOf(error))) {
          throw error;
        }
        this.#system.blockProcess(wait);
      }
    }
    return work();
  }

  /** Replaces a file by another one. On Windows, this process must not have it open. */
  replaceFile(from: string, to: string): void {
    this.retryWhileInUse(() => this.#system.rename(from, to));
  }

  /**
   * Replaces a file that this process has open by another one. Windows refuses that, but allows renaming an open file, so the old
   * file is renamed first. This may be interrupted in between, so `finishReplacing` must be called before the file is read again.
   */
  replaceOpenFile(from: string, to: string): void {
    if (!this.#isWindows || !this.#system.exists(to)) {
      this.replaceFile(from, to);
      return;
    }
    const old = oldNameOf(to);
    this.retryWhileInUse(() => this.#system.rename(to, old));
    try {
      this.replaceFile(from, to);
    } catch (error) {
      this.retryWhileInUse(() => this.#system.rename(old, to));
      throw error;
    }
    this.removeFile(old);
  }

  /** Restores a file whose replacement was interrupted, or removes the old file that the replacement left behind. */
  finishReplacing(path: string): void {
    const old = oldNameOf(path);
    if (!this.#isWindows || !this.#system.exists(old)) {
      return;
    }
    if (this.#system.exists(path)) {
      this.removeFile(old);
    } else {
      this.replaceFile(old, path);
    }
  }

  /** Removes a file if it exists. */
  removeFile(path: string): void {
    this.retryWhileInUse(() => this.#system.remove(path));
  }

  /** Makes a rename in a folder durable. Windows does so itself, and refuses to sync a folder. */
  syncFolder(folder: string): void {
    if (!this.#isWindows) {
      this.#system.syncFolder(folder);
    }
  }

  /** Whether two results of `stat` are of one file. On Windows, `stat` and `fstat` may number the same volume differently. */
  isSameFile(one: { ino: number; dev: number }, other: { ino: number; dev: number }): boolean {
    return one.ino === other.ino && (this.#isWindows || one.dev === other.dev);
  }

  /** Signals a process and its children (its process group); does nothing if they have ended. On Windows, they end at once. */
  endTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
    try {
      if (this.#isWindows) {
        this.#system.run('taskkill', ['/pid', String(pid), '/t', '/f']);
      } else {
        this.#system.kill(-pid, signal);
      }
    } catch {
      // The processes have ended.
    }
  }

  /** Whether the process that started this one has ended. An orphan is given another parent, but not on Windows. */
  isParentGone(parent: number): boolean {
    if (!this.#isWindows) {
      return this.#system.parent() !== parent;
    }
    try {
      this.#system.kill(parent, 0);
      return false;
    } catch (error) {
      // EPERM means that the parent runs, and belongs to another user.
      return codeOf(error) !== 'EPERM';
    }
  }

  /** The program and arguments to which an address is appended to open it. Never a shell, because a shell would interpret the address. */
  get opener(): [string, ...string[]] {
    switch (this.#system.name) {
      case 'win32':
        return ['rundll32', 'url.dll,FileProtocolHandler'];
      case 'darwin':
        return ['open'];
      default:
        return ['xdg-open'];
    }
  }

  /**
   * The folder for data of the user's programs. On Windows it is the local one, because the roaming folder is copied to every machine that
   * the user logs on to, and a private key must not be.
   */
  userData(environment: Readonly<Record<string, string | undefined>>, home: () => string): string {
    switch (this.#system.name) {
      case 'win32':
        return absolutePath(environment['LOCALAPPDATA']) ?? join(home(), 'AppData', 'Local');
      case 'darwin':
        return join(home(), 'Library', 'Application Support');
      default:
        return absolutePath(environment['XDG_DATA_HOME']) ?? join(home(), '.local', 'share');
    }
  }
}

export const platform = new Platform();

function oldNameOf(path: string): string {
  return `${path}.old`;
}

/** Empty and relative values count as not set, as the XDG Base Directory Specification requires. */
function absolutePath(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}
