import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '../../../../src/base/platform.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const OPEN_FILES = '/proc/self/fd';
const temporaryFolder = temporaryFolders();

function permissionError(call: string): Error {
  return Object.assign(new Error(`EPERM: operation not permitted, ${call}`), { code: 'EPERM' });
}

function isOpen(path: string): boolean {
  return readdirSync(OPEN_FILES).some((descriptor) => {
    try {
      return readlinkSync(join(OPEN_FILES, descriptor)) === path;
    } catch {
      // The descriptor of this search has been closed.
      return false;
    }
  });
}

function firstCommitIn(journal: string): number {
  return JSON.parse(readFileSync(journal, 'utf8').split('\n')[0] ?? '').first;
}

/** The files of this machine, with the errors of Windows. */
const windows = new Platform({
  name: 'win32',
  rename(from, to) {
    if (isOpen(to)) {
      throw permissionError(`rename '${from}' -> '${to}'`);
    }
    renameSync(from, to);
  },
  exists: existsSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder: () => {
    throw permissionError('fsync');
  },
  kill: (pid, signal) => process.kill(pid, signal),
  run: () => undefined,
  parent: () => process.ppid,
  blockProcess: () => undefined,
});

// Only Linux shows which files a process has open.
if (existsSync(OPEN_FILES)) {
  it('the store writes and shortens its journal on systems that cannot replace open files or sync folders', async () => {
    import.meta.jest.unstable_mockModule('../../../../src/base/platform.ts', () => ({ platform: windows }));
    const { openStore } = await import('../../../../src/server/store/file/embedded-store.ts');
    const { paymentIds, pay } = await import('../stores-under-test.ts');
    const file = join(temporaryFolder(), 'state.json');
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const store = await openStore({ file, syncToDisk: true, checkpointIntervalMs: 0, onWarning });
    await pay(store, 'payment-1');
    // Waits until the state file contains the commit, and the journal begins after it.
    while (firstCommitIn(`${file}.journal`) === 1 && warnings.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await pay(store, 'payment-2');
    await store.close();

    const reopened = await openStore({ file, syncToDisk: true, onWarning });
    expect([await paymentIds(reopened), warnings]).toEqual([['payment-1', 'payment-2'], []]);
    await reopened.close();
    expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.old'))).toEqual([]);
  });
}
