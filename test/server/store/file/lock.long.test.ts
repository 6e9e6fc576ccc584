import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataFile } from '../../../../src/server/store/file/data-file.ts';
import { openStore } from '../../../../src/server/store/file/embedded-store.ts';
import { Tables } from '../../../../src/server/store/memory/tables.ts';
import { ChildProcess } from '../../../crash/child-process.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { DataFolder } from '../data-folder.ts';
import { state } from '../samples.ts';
import { pay, paymentIds } from '../stores-under-test.ts';

const HOLDS_STORE = new URL('./holds-store.ts', import.meta.url);
const CONTENDS = new URL('./contends-for-lock.ts', import.meta.url);
const newFolder = temporaryFolders();
const children: ChildProcess[] = [];

function run(script: URL, ...args: string[]): ChildProcess {
  const child = ChildProcess.run(script, ...args);
  children.push(child);
  return child;
}

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
});

describe('a store’s file', () => {
  it('is refused to a second process, with the id of the first, until the first process closes it', async () => {
    const folder = new DataFolder(newFolder());
    const first = run(HOLDS_STORE, folder.file);
    await first.waitForLines(1);
    expect(first.lines).toEqual(['held']);
    await expect(folder.open()).rejects.toMatchObject({
      name: 'StoreError',
      file: folder.file,
      message: expect.stringContaining(`${folder.file} is in use by process ${first.pid}.`),
    });

    first.sendLine('close');
    await first.waitForLines(2);
    const second = await folder.open();
    await second.close();
  });

  it('is refused to another process that opens it through a link', async () => {
    const folder = new DataFolder(newFolder());
    const store = await folder.open();
    await store.commit({ session: 'shop', state: state(), changes: [] });
    await store.close();
    const reopened = await folder.open();
    const link = join(newFolder(), 'link.json');
    symlinkSync(folder.file, link);
    const other = run(HOLDS_STORE, link);
    await other.waitForLines(1);
    expect(other.lines).toEqual([expect.stringContaining(`in use by process ${process.pid}`)]);
    await reopened.close();
  });

  it('is refused to a second store in the same process', async () => {
    const folder = new DataFolder(newFolder());
    const store = await folder.open();
    await expect(folder.open()).rejects.toThrow('in use by this very process');
    await store.close();
    await (await folder.open()).close();
  });

  it('is released if its data cannot be read', async () => {
    const folder = new DataFolder(newFolder());
    writeFileSync(folder.file, 'x');
    await expect(folder.open()).rejects.toThrow('not JSON');
    expect(readdirSync(folder.path)).toEqual(['state.json']);
  });

  it('is taken over at once from a process that was killed', async () => {
    const folder = new DataFolder(newFolder());
    const first = run(HOLDS_STORE, folder.file);
    await first.waitForLines(1);
    await first.kill();
    expect(existsSync(`${folder.file}.lock`)).toBe(true);
    const store = await folder.open();
    expect(readFileSync(`${folder.file}.lock`, 'utf8')).toContain(`"pid":${process.pid}`);
    await store.close();
    expect(readdirSync(folder.path)).toEqual(['state.json']);
  });

  const leftLocks: [string, string][] = [
    [
      'whose process id is now that of this process, as in a container',
      JSON.stringify({ pid: process.pid, started: '1', token: 'a' }),
    ],
    ['whose process id is now that of another program', JSON.stringify({ pid: 1, started: '999999999', token: 'a' })],
    ['that was emptied by a power cut', ''],
    ['that is not a lock', '{"pid":"x"}'],
  ];
  const onLinux = process.platform === 'linux' ? it.each(leftLocks) : it.each(leftLocks.slice(2));

  onLinux('is taken over from a lock %s', async (_, lock) => {
    const folder = new DataFolder(newFolder());
    writeFileSync(`${folder.file}.lock`, lock);
    await (await folder.open()).close();
    expect(readdirSync(folder.path)).toEqual(['state.json']);
  });

  it('is taken over even if another process was killed while taking it over', async () => {
    const folder = new DataFolder(newFolder());
    writeFileSync(`${folder.file}.lock`, JSON.stringify({ pid: 2 ** 30, started: '', token: 'a' }));
    writeFileSync(`${folder.file}.lock.a`, JSON.stringify({ pid: 2 ** 30, started: '', token: 'b' }));
    await (await folder.open()).close();
    expect(readdirSync(folder.path)).toEqual(['state.json']);
  });

  it('has only the leftover lock files of dead processes removed when it is opened', async () => {
    const folder = new DataFolder(newFolder());
    const writeCandidate = (name: string, text: string) => writeFileSync(`${folder.file}.lock.${name}.new`, text);
    writeCandidate('dead', JSON.stringify({ pid: 2 ** 30, started: '', token: 'a' }));
    writeCandidate('alive', JSON.stringify({ pid: process.pid, started: '', token: 'b' }));
    writeCandidate('begun', '');
    await (await folder.open()).close();
    expect(readdirSync(folder.path)).toEqual(['state.json', 'state.json.lock.alive.new', 'state.json.lock.begun.new']);
  });

  it('is locked by exactly one process, even if many take it over at the same time', async () => {
    const folder = new DataFolder(newFolder());
    const contenders = Array.from({ length: 4 }, () => run(CONTENDS, folder.file, '150'));
    await Promise.all(contenders.map((contender) => contender.waitForLines(1)));
    for (const contender of contenders) {
      contender.sendLine('go');
    }
    await Promise.all(contenders.map((contender) => contender.exitCode()));
    expect(contenders.map(({ lines }) => lines)).toEqual(contenders.map(() => ['ready', 'done']));
  });

  describe('locked by a process that is not visible from here', () => {
    const elsewhere = (beat: number) =>
      `${JSON.stringify({ pid: 7, started: '1', place: 'another system', token: 'theirs', beat })}\n`;

    it('is refused as soon as its lease is renewed', async () => {
      const folder = new DataFolder(newFolder());
      writeFileSync(`${folder.file}.lock`, elsewhere(1_000_000_000));
      const opening = folder.open();
      writeFileSync(`${folder.file}.lock`, elsewhere(1_000_000_001));
      await expect(opening).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringContaining('in use by process 7 of another container or machine'),
      });
      expect(readdirSync(folder.path)).toEqual(['state.json.lock']);
    });

    it('is taken over after its lease was not renewed for some seconds', async () => {
      const folder = new DataFolder(newFolder());
      writeFileSync(`${folder.file}.lock`, elsewhere(1_000_000_000));
      await (await folder.open()).close();
      expect(readdirSync(folder.path)).toEqual(['state.json']);
    });

    it('is no longer written to by a process whose lock was taken', async () => {
      const folder = new DataFolder(newFolder());
      const store = await folder.open();
      await pay(store, 'payment-1');
      const takenLock = `${folder.file}.taken`;
      writeFileSync(takenLock, elsewhere(1_000_000_000));
      renameSync(takenLock, `${folder.file}.lock`);
      while (store.failure === undefined) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      const before = folder.contents();
      await expect(pay(store, 'payment-2')).rejects.toThrow('process 7 of another container or machine has taken it');
      expect(await paymentIds(store)).toEqual(['payment-1']);
      await store.close();
      expect(folder.contents()).toEqual(before);
    });
  });

  // Namespaces of process ids can only be created if the system permits it. The tests above check the same without them.
  const canUnshare =
    spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' }).status === 0;
  if (canUnshare) {
    it('is refused to a process in a separate namespace, as in another container', async () => {
      const folder = new DataFolder(newFolder());
      const store = await folder.open();
      const command = ChildProcess.commandOf(HOLDS_STORE, folder.file);
      const other = new ChildProcess('unshare', ['--pid', '--fork', '--mount-proc', ...command]);
      children.push(other);
      await other.waitForLines(1);
      expect(other.lines).toEqual([expect.stringContaining(`in use by process ${process.pid} of another container`)]);
      await store.close();
    });
  }
});

it('a store opens although reading its file took longer than its lease lasts', async () => {
  const { jest } = import.meta;
  const now = performance.now.bind(performance);
  let pausedMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + pausedMs);
  const file = join(newFolder(), 'state.json');
  const store = await openStore({ file, syncToDisk: false, onWarning: () => undefined });
  await store.commit({ session: 'shop', state: state(), changes: [] });
  await store.close();
  const tables = new Tables();
  const load = tables.load.bind(tables);
  tables.load = (...session) => {
    pausedMs = 10_000;
    load(...session);
  };
  const dataFile = await DataFile.open({ file, syncToDisk: false, onWarning: () => undefined }, tables);
  expect(dataFile.failure).toBeUndefined();
  await dataFile.close();
  clock.mockRestore();
});
