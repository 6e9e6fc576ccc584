import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { endOfTurn } from '../../../../src/base/timers.ts';
import type { DataFolder } from '../data-folder.ts';
import { pay, paymentIds, StoresUnderTest } from '../stores-under-test.ts';

const stores = new StoresUnderTest();

function lastCommitIn(folder: DataFolder): number {
  return JSON.parse(readFileSync(folder.file, 'utf8')).lastCommit;
}

/** Waits for a change on disk. Fails after a minute, so that the run ends. */
async function waitUntil(isDone: () => boolean): Promise<void> {
  const start = performance.now();
  while (!isDone()) {
    if (performance.now() - start > 60_000) {
      throw new Error('the change did not happen within a minute');
    }
    await endOfTurn();
  }
}

/** Waits until the state file contains N commits. */
function waitForState(folder: DataFolder, commits: number): Promise<void> {
  return waitUntil(() => lastCommitIn(folder) === commits);
}

describe('the journal around a checkpoint', () => {
  it('is not applied again if the process was killed after it had written the state file, before it began a new journal', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder);
    await pay(store, 'payment-1');
    await store.commit({ session: 'shop', wipe: true, changes: [] });
    const killedFolder = stores.copyAsKilled(folder);
    await pay(store, 'payment-2');
    await store.close();
    writeFileSync(killedFolder.file, folder.contents()['state.json'] ?? '');

    const reopened = await stores.open(killedFolder);
    expect(await paymentIds(reopened)).toEqual(['payment-2']);
    await pay(reopened, 'payment-3');
    // That was commit 4, but the old journal ended with commit 2, so it must not have been appended there.
    expect(await paymentIds(await stores.open(stores.copyAsKilled(killedFolder)))).toEqual(['payment-2', 'payment-3']);
  });

  it('is applied from the first commit that the state file lacks, if commits arrived while that file was written', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder);
    await pay(store, 'payment-1');
    await store.close();
    const state = folder.contents()['state.json'] ?? '';
    rmSync(folder.file);
    const second = await stores.open(folder);
    await pay(second, 'payment-1');
    await pay(second, 'payment-2');
    const killedFolder = stores.copyAsKilled(folder);
    writeFileSync(killedFolder.file, state);
    expect(await paymentIds(await stores.open(killedFolder))).toEqual(['payment-1', 'payment-2']);
  });

  it('is not disturbed by the unfinished files of a checkpoint that was killed', async () => {
    const killedFolder = await stores.killedWith('payment-1');
    writeFileSync(`${killedFolder.file}.new`, '{"sess');
    writeFileSync(`${killedFolder.journal}.new`, '{"form');
    const store = await stores.open(killedFolder);
    expect(await paymentIds(store)).toEqual(['payment-1']);
    await store.close();
    expect(Object.keys(killedFolder.contents())).toEqual(['state.json']);
  });

  it('moves into the state file in a quiet moment after it has grown, and starts again', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder, { checkpointBytes: 5_000 });
    let commits = 0;
    for (; statSync(folder.journal).size < 5_000; commits += 1) {
      await pay(store, `payment-${commits + 1}`);
    }
    await waitForState(folder, commits);
    await waitUntil(() => statSync(folder.journal).size < 5_000);
    await pay(store, 'payment-99');
    expect(folder.linesOf(folder.journal)).toEqual([
      expect.stringContaining(`{"format":6,"first":${commits + 1},"last":${commits + 1} `),
      expect.stringContaining(`{"number":${commits + 1},`),
      '',
    ]);
  });

  it('has every confirmed commit, together with the state file, at any moment of a checkpoint', async () => {
    for (const syncToDisk of [false, true]) {
      const folder = stores.newFolder();
      const store = await stores.open(folder, { checkpointBytes: 2_000, syncToDisk });
      const confirmed: string[] = [];
      const killedStates: { folder: DataFolder; confirmed: string[] }[] = [];
      const nonEmptyStates: { lastCommit: number; sessions: { payments: unknown[] }[] }[] = [];
      // The number of commits during a checkpoint depends on the disk, so the loop continues until it has seen enough of them.
      for (let number = 1; number <= 120 || nonEmptyStates.length <= 10; number += 1) {
        const id = `payment-${number}`;
        void pay(store, id).then(() => confirmed.push(id));
        await endOfTurn();
        if (number % 2 === 0) {
          const killedFolder = stores.copyAsKilled(folder);
          const state = JSON.parse(killedFolder.contents()['state.json'] ?? '');
          if (state.lastCommit > 0) {
            nonEmptyStates.push(state);
          }
          if (state.lastCommit > 0 || number <= 120) {
            killedStates.push({ folder: killedFolder, confirmed: [...confirmed] });
          }
        }
      }
      for (const { lastCommit, sessions } of nonEmptyStates) {
        expect(sessions[0]?.payments).toHaveLength(lastCommit);
      }
      for (const { folder: killedFolder, confirmed: expected } of killedStates) {
        const reopened = await killedFolder.open();
        const storedIds = await paymentIds(reopened);
        expect(storedIds.slice(0, expected.length)).toEqual(expected);
        expect(storedIds).toEqual(storedIds.map((_, index) => `payment-${index + 1}`));
        expect(killedFolder.warnings).toEqual([]);
        await reopened.close();
      }
    }
  });

  describe('with a small state', () => {
    it('has a state file next to it from the start', async () => {
      const folder = stores.newFolder();
      await stores.open(folder);
      expect(JSON.parse(folder.contents()['state.json'] ?? '')).toMatchObject({ lastCommit: 0, sessions: [] });
    });

    it('is written to the state file in quiet moments, without a request, repeatedly', async () => {
      const folder = stores.newFolder();
      const store = await stores.open(folder, { checkpointIntervalMs: 1 });
      await pay(store, 'payment-1');
      await waitForState(folder, 1);
      await pay(store, 'payment-2');
      await pay(store, 'payment-3');
      await waitForState(folder, 3);
      expect(await paymentIds(await stores.open(stores.copyAsKilled(folder)))).toEqual([
        'payment-1',
        'payment-2',
        'payment-3',
      ]);
    });

    it('is written to the state file even if commits keep arriving', async () => {
      const folder = stores.newFolder();
      const store = await stores.open(folder, { checkpointBytes: 1, checkpointIntervalMs: 1 });
      const commits = 200;
      for (let number = 1; number <= commits; number += 1) {
        void pay(store, `payment-${number}`);
        await endOfTurn();
      }
      await waitForState(folder, commits);
    });
  });

  describe('on a disk that refuses writes', () => {
    it('keeps all data, with a warning, while the state file cannot be written', async () => {
      const folder = stores.newFolder();
      const store = await stores.open(folder);
      await pay(store, 'payment-1');
      mkdirSync(`${folder.file}.new`);
      await store.close();
      expect(folder.warnings).toEqual([expect.stringContaining(`${folder.file} could not be written`)]);
      rmSync(`${folder.file}.new`, { recursive: true });
      expect(lastCommitIn(folder)).toBe(0);
      expect(await paymentIds(await stores.open(folder))).toEqual(['payment-1']);
    });

    it('keeps all data, with a warning, while a new journal cannot be started', async () => {
      const folder = stores.newFolder();
      const store = await stores.open(folder);
      await pay(store, 'payment-1');
      mkdirSync(`${folder.journal}.new`);
      await store.close();
      expect(folder.warnings).toHaveLength(1);
      rmSync(`${folder.journal}.new`, { recursive: true });
      expect(Object.keys(folder.contents()).sort()).toEqual(['state.json', 'state.json.journal']);
      expect(await paymentIds(await stores.open(folder))).toEqual(['payment-1']);
    });
  });
});
