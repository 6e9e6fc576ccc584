import { existsSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { Store } from '../../../../src/server/store/store.ts';
import type { DataFolder } from '../data-folder.ts';
import { pay, paymentIds, StoresUnderTest } from '../stores-under-test.ts';

const { jest } = import.meta;
const stores = new StoresUnderTest();

/** An open store with two payments: one in the state file, one in the journal. */
async function openFolder(): Promise<{ folder: DataFolder; store: Store }> {
  const folder = stores.newFolder();
  const first = await stores.open(folder);
  await pay(first, 'payment-1');
  await first.close();
  const store = await stores.open(folder);
  await pay(store, 'payment-2');
  return { folder, store };
}

/** Mocks only periodic checks; all other timers are real. */
const ONLY_INTERVALS = {
  doNotFake: ['setImmediate', 'setTimeout', 'nextTick', 'queueMicrotask', 'performance', 'Date'],
} as const satisfies Parameters<typeof jest.useFakeTimers>[0];

beforeEach(() => {
  jest.useFakeTimers(ONLY_INTERVALS);
});
afterEach(() => {
  jest.useRealTimers();
});

/** Advances the intervals until a condition is true. */
async function waitUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    jest.advanceTimersByTime(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('a data file that is not written yet is not reported as removed', async () => {
  const folder = stores.newFolder();
  let isOpen = false;
  const opening = stores.open(folder).finally(() => {
    isOpen = true;
  });
  await waitUntil(() => isOpen);
  await opening;
  expect(folder.warnings).toEqual([]);
});

describe('data files that are touched while they are in use', () => {
  const removals: [string, (folder: DataFolder) => void][] = [
    ['removed', (folder) => rmSync(folder.journal)],
    ['renamed', (folder) => renameSync(folder.journal, `${folder.journal}.old`)],
    [
      'replaced by another file',
      (folder) => {
        writeFileSync(`${folder.path}/other`, 'x');
        renameSync(`${folder.path}/other`, folder.journal);
      },
    ],
  ];

  it.each(removals)('lose no change that is confirmed after the journal was %s', async (_, remove) => {
    const { folder, store } = await openFolder();
    remove(folder);
    await pay(store, 'payment-3');
    expect(await paymentIds(await stores.open(stores.copyAsKilled(folder)))).toEqual([
      'payment-1',
      'payment-2',
      'payment-3',
    ]);
  });

  it.each([
    ['the journal is removed', (folder: DataFolder) => rmSync(folder.journal)],
    ['the state file is removed', (folder: DataFolder) => rmSync(folder.file)],
    ['the state file is emptied', (folder: DataFolder) => truncateSync(folder.file)],
    ['the journal replaces the state file', (folder: DataFolder) => renameSync(folder.journal, folder.file)],
  ])('are rewritten with a warning, without a new commit, when %s', async (_, remove) => {
    const { folder, store } = await openFolder();
    remove(folder);
    await waitUntil(() => folder.warnings.length > 0);
    await store.close();
    expect(folder.warnings[0]).toMatch(/was removed or changed from outside, and is written again$/);
    expect(await paymentIds(await stores.open(folder))).toEqual(['payment-1', 'payment-2']);
  });

  it('are complete after a stop, even right after the state file was removed', async () => {
    const { folder, store } = await openFolder();
    await store.close();
    const reopened = await stores.open(folder);
    rmSync(folder.file);
    await reopened.close();
    expect(await paymentIds(await stores.open(folder))).toEqual(['payment-1', 'payment-2']);
  });

  it.each([
    ['nothing', () => undefined],
    ['another folder', (path: string) => mkdirSync(path)],
  ])('are not written while their folder is moved away, with %s in its place', async (_, leave) => {
    const { folder, store } = await openFolder();
    const elsewhere = stores.newFolder();
    renameSync(folder.path, elsewhere.path);
    leave(folder.path);
    const before = elsewhere.linesOf(elsewhere.journal);
    await expect(pay(store, 'payment-3')).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining(`its lock ${folder.file}.lock is gone. Put the folder back as it was`),
    });
    expect(store.failure).toContain('is gone');
    expect(elsewhere.linesOf(elsewhere.journal)).toEqual(before);
    expect(existsSync(folder.file)).toBe(false);

    rmSync(folder.path, { recursive: true, force: true });
    renameSync(elsewhere.path, folder.path);
    await waitUntil(() => store.failure === undefined);
    await pay(store, 'payment-4');
    expect(await paymentIds(await stores.open(stores.copyAsKilled(folder)))).toEqual([
      'payment-1',
      'payment-2',
      'payment-4',
    ]);
  });

  it.each([
    ['the folder is moved away', (folder: DataFolder) => renameSync(folder.path, stores.newFolder().path)],
    ['the lock is removed', (folder: DataFolder) => rmSync(`${folder.file}.lock`)],
  ])('are recognized as lost, and no change is accepted, if %s', async (_, remove) => {
    const { folder, store } = await openFolder();
    const killedFolder = stores.copyAsKilled(folder);
    remove(folder);
    await waitUntil(() => store.failure !== undefined);
    await expect(pay(store, 'payment-3')).rejects.toMatchObject({ kind: 'storage' });
    expect(await paymentIds(store)).toEqual(['payment-1', 'payment-2']);
    await store.close();
    expect(await paymentIds(await stores.open(killedFolder))).toEqual(['payment-1', 'payment-2']);
  });
});

describe('an empty state file', () => {
  it('is used for new data, with a warning, if nothing shows that a sandbox wrote it', async () => {
    const folder = stores.newFolder();
    writeFileSync(folder.file, '');
    expect(await paymentIds(await stores.open(folder))).toEqual([]);
    expect(folder.warnings).toEqual([`${folder.file} is empty; the sandbox begins with no data in it`]);
  });

  it('is refused, and not changed, if the key of a sandbox is beside it', async () => {
    const folder = stores.newFolder();
    writeFileSync(folder.file, '');
    writeFileSync(`${folder.file}.key`, 'a key');
    const before = folder.contents();
    await expect(folder.open()).rejects.toMatchObject({
      name: 'StoreError',
      file: folder.file,
      message: expect.stringMatching(
        /is empty, but .*\.key beside it.*Put the data back; or, to begin with no data, delete/,
      ),
    });
    expect(folder.contents()).toEqual(before);
    rmSync(folder.file);
    expect(await paymentIds(await stores.open(folder))).toEqual([]);
  });

  it('is refused if the journal lacks some of its commits, and is restored if the journal has all of them', async () => {
    const recoverableFolder = await stores.killedWith('payment-1');
    truncateSync(recoverableFolder.file);
    writeFileSync(`${recoverableFolder.file}.key`, 'a key');
    expect(await paymentIds(await stores.open(recoverableFolder))).toEqual(['payment-1']);
    const { folder } = await openFolder();
    const killedFolder = stores.copyAsKilled(folder);
    truncateSync(killedFolder.file);
    await expect(killedFolder.open()).rejects.toThrow(
      'the journal begins with commit 2, but the state file ends with commit 0',
    );
  });
});
