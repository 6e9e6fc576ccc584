import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Platform, type SystemCalls } from '../../src/base/platform.ts';

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A system with its files by path. Windows refuses to replace a file that this process has open; any system refuses a scanned one. */
class SimulatedSystem implements SystemCalls {
  readonly files = new Map<string, string>();
  /** Paths of files that this process has open. */
  readonly open = new Set<string>();
  /** Paths of files that a scanner has open, with the number of calls that it still refuses. */
  readonly scanned = new Map<string, number>();
  readonly calls: string[] = [];
  readonly running = new Set<number>();
  waitedMs = 0;

  constructor(readonly name: NodeJS.Platform) {}

  rename(from: string, to: string): void {
    this.calls.push(`rename ${from} ${to}`);
    this.#scan(from);
    this.#scan(to);
    if (this.name === 'win32' && this.files.has(to) && this.open.has(to)) {
      throw failure('EPERM');
    }
    const content = this.files.get(from);
    if (content === undefined) {
      throw failure('ENOENT');
    }
    this.files.delete(from);
    this.files.set(to, content);
    if (this.open.delete(from)) {
      this.open.add(to);
    }
  }

  exists(path: string): boolean {
    return this.files.has(path);
  }

  remove(path: string): void {
    this.#scan(path);
    this.files.delete(path);
  }

  syncFolder(folder: string): void {
    this.calls.push(`sync ${folder}`);
    if (this.name === 'win32') {
      throw failure('EPERM');
    }
  }

  kill(pid: number, signal: NodeJS.Signals | 0): void {
    this.calls.push(`kill ${pid} ${signal}`);
    if (!this.running.has(Math.abs(pid))) {
      throw failure('ESRCH');
    }
  }

  run(program: string, args: readonly string[]): void {
    this.calls.push([program, ...args].join(' '));
  }

  parent(): number {
    return 1;
  }

  blockProcess(milliseconds: number): void {
    this.waitedMs += milliseconds;
  }

  #scan(path: string): void {
    const remaining = this.scanned.get(path) ?? 0;
    if (remaining > 0) {
      this.scanned.set(path, remaining - 1);
      throw failure('EBUSY');
    }
  }
}

function simulated(name: NodeJS.Platform, files: Record<string, string> = {}) {
  const system = new SimulatedSystem(name);
  for (const [path, content] of Object.entries(files)) {
    system.files.set(path, content);
  }
  return { system, platform: new Platform(system) };
}

const filesOf = ({ files }: SimulatedSystem) => Object.fromEntries(files);

describe('a file on Windows', () => {
  it('is replaced once a scanner has closed it', () => {
    const { system, platform } = simulated('win32', { new: 'new', file: 'old' });
    system.scanned.set('file', 3);
    platform.replaceFile('new', 'file');
    expect(filesOf(system)).toEqual({ file: 'new' });
    expect(system.waitedMs).toBeGreaterThan(0);
  });

  it('is not replaced if it stays open, and the wait ends within a second', () => {
    const { system, platform } = simulated('win32', { new: 'new', file: 'old' });
    system.scanned.set('file', Number.POSITIVE_INFINITY);
    expect(() => platform.replaceFile('new', 'file')).toThrow('EBUSY');
    expect(filesOf(system)).toEqual({ new: 'new', file: 'old' });
    expect(system.waitedMs).toBeLessThan(1000);
  });

  it('is renamed before its replacement if this process has it open', () => {
    const { system, platform } = simulated('win32', { new: 'new', file: 'old' });
    system.open.add('file');
    expect(() => platform.replaceFile('new', 'file')).toThrow('EPERM');
    platform.replaceOpenFile('new', 'file');
    expect(filesOf(system)).toEqual({ file: 'new' });
  });

  it('is restored if its replacement fails', () => {
    const { system, platform } = simulated('win32', { new: 'new', file: 'old' });
    system.open.add('file');
    system.scanned.set('new', 20);
    expect(() => platform.replaceOpenFile('new', 'file')).toThrow('EBUSY');
    expect(filesOf(system)).toEqual({ new: 'new', file: 'old' });
  });

  it.each([
    ['was interrupted between its two steps', { 'file.old': 'old', new: 'new' }, { file: 'old', new: 'new' }],
    ['was interrupted before the old file was removed', { 'file.old': 'old', file: 'new' }, { file: 'new' }],
    ['never began', { file: 'old' }, { file: 'old' }],
  ])('is complete after a replacement that %s', (_, before, after) => {
    const { system, platform } = simulated('win32', before);
    platform.finishReplacing('file');
    expect(filesOf(system)).toEqual(after);
  });

  it('is recognized by its inode number, regardless of the volume number', () => {
    const { platform } = simulated('win32');
    expect(platform.isSameFile({ ino: 1, dev: 1 }, { ino: 1, dev: 2 })).toBe(true);
    expect(platform.isSameFile({ ino: 1, dev: 1 }, { ino: 2, dev: 1 })).toBe(false);
  });

  it('is not followed by a sync of its folder, which Windows refuses', () => {
    const { system, platform } = simulated('win32');
    platform.syncFolder('folder');
    expect(system.calls).toEqual([]);
  });
});

describe.each(['linux', 'darwin'] as const)('a file on %s', (name) => {
  it('is replaced in one step, even if it is open', () => {
    const { system, platform } = simulated(name, { new: 'new', file: 'old' });
    system.open.add('file');
    platform.replaceOpenFile('new', 'file');
    expect(system.calls).toEqual(['rename new file']);
    platform.syncFolder('folder');
    expect(system.calls).toContain('sync folder');
  });

  it('is not replaced if the system refuses, because there is no second try', () => {
    const { system, platform } = simulated(name, { new: 'new', file: 'old' });
    system.scanned.set('file', 1);
    expect(() => platform.replaceFile('new', 'file')).toThrow('EBUSY');
    expect(system.waitedMs).toBe(0);
  });

  it('is a different file on a different volume', () => {
    expect(simulated(name).platform.isSameFile({ ino: 1, dev: 1 }, { ino: 1, dev: 2 })).toBe(false);
  });
});

describe('a process and its children', () => {
  it('are asked to end as a group', () => {
    const { system, platform } = simulated('darwin');
    system.running.add(7);
    platform.endTree(7, 'SIGTERM');
    expect(system.calls).toEqual(['kill -7 SIGTERM']);
  });

  it('are ended by taskkill on Windows, which has no groups', () => {
    const { system, platform } = simulated('win32');
    platform.endTree(7, 'SIGTERM');
    expect([platform.hasProcessGroups, system.calls]).toEqual([false, ['taskkill /pid 7 /t /f']]);
  });

  it('may have ended already, which causes no error', () => {
    expect(() => simulated('linux').platform.endTree(7, 'SIGKILL')).not.toThrow();
  });
});

describe('the parent process', () => {
  it('counts as ended on Linux if this process has a different parent', () => {
    const { platform } = simulated('linux');
    expect([platform.isParentGone(1), platform.isParentGone(7)]).toEqual([false, true]);
  });

  it('counts as ended on Windows if no process has its id, because there a process never gets a different parent', () => {
    const { system, platform } = simulated('win32');
    system.running.add(7);
    expect([platform.isParentGone(7), platform.isParentGone(8)]).toEqual([false, true]);
  });
});

it.each([
  ['win32', ['SIGINT', 'SIGHUP', 'SIGBREAK']],
  ['darwin', ['SIGTERM', 'SIGINT', 'SIGHUP']],
] as const)('the signals that end the sandbox on %s are those that the system sends', (name, signals) => {
  expect(simulated(name).platform.endSignals).toEqual(signals);
});

it.each(['win32', 'darwin', 'linux'] as const)('a browser is opened without a shell on %s', (name) => {
  expect(simulated(name).platform.opener.join(' ')).not.toMatch(/\b(cmd|powershell|sh|start)\b/i);
});

it.each([
  ['linux', {}, join('home', '.local', 'share')],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data'],
  ['linux', { XDG_DATA_HOME: '' }, join('home', '.local', 'share')],
  ['linux', { XDG_DATA_HOME: 'relative' }, join('home', '.local', 'share')],
  ['darwin', { XDG_DATA_HOME: '/data' }, join('home', 'Library', 'Application Support')],
  ['win32', { LOCALAPPDATA: '/local' }, '/local'],
  ['win32', {}, join('home', 'AppData', 'Local')],
] as const)("the user's data on %s with %j are in %s", (name, environment, folder) => {
  expect(simulated(name).platform.userData(environment, () => 'home')).toBe(folder);
});

it('no other source file reads the name of the system', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const readers = files.filter((name) =>
    /process\.platform|os\.platform|\bplatform\(\)/.test(readFileSync(join('src', name), 'utf8')),
  );
  expect(readers.map((name) => name.split(sep).join('/'))).toEqual(['base/platform.ts']);
});
