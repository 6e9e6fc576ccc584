import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { DataFolder } from '../data-folder.ts';
import { paid, pay, StoresUnderTest } from '../stores-under-test.ts';

const stores = new StoresUnderTest();

describe('the journal around a checkpoint', () => {
  it('is skipped as far as the state file has it: the kill came between the state file and the new journal', async () => {
    const folder = stores.folder();
    const store = await stores.open(folder);
    await pay(store, 'payment-1');
    await store.commit({ session: 'shop', wipe: true, changes: [] });
    const left = stores.leftOf(folder);
    await pay(store, 'payment-2');
    await store.close();
    writeFileSync(left.file, folder.contents()['state.json'] ?? '');

    const again = await stores.open(left);
    expect(await paid(again)).toEqual(['payment-2']);
    await pay(again, 'payment-3');
    // That was commit 4, and the old journal ended with commit 2: it must not have gone there.
    expect(await paid(await stores.open(stores.leftOf(left)))).toEqual(['payment-2', 'payment-3']);
  });

  it('is skipped in part where commits came while the state file was written', async () => {
    const folder = stores.folder();
    const store = await stores.open(folder);
    await pay(store, 'payment-1');
    await store.close();
    const state = folder.contents()['state.json'] ?? '';
    rmSync(folder.file);
    const second = await stores.open(folder);
    await pay(second, 'payment-1');
    await pay(second, 'payment-2');
    const left = stores.leftOf(folder);
    writeFileSync(left.file, state);
    expect(await paid(await stores.open(left))).toEqual(['payment-1', 'payment-2']);
  });

  it('is not disturbed by the unfinished files of a checkpoint that was killed', async () => {
    const left = await stores.killedWith('payment-1');
    writeFileSync(`${left.file}.new`, '{"sess');
    writeFileSync(`${left.journal}.new`, '{"form');
    const store = await stores.open(left);
    expect(await paid(store)).toEqual(['payment-1']);
    await store.close();
    expect(Object.keys(left.contents())).toEqual(['state.json']);
  });

  it('goes into the state file in a quiet moment once it has grown, and starts anew with what came since', async () => {
    const folder = stores.folder();
    const store = await stores.open(folder, { journalBytes: 5_000 });
    let commits = 0;
    for (; statSync(folder.journal).size < 5_000; commits += 1) {
      await pay(store, `payment-${commits + 1}`);
    }
    expect(existsSync(folder.file)).toBe(false);
    for (let turns = 0; turns < 1e6 && statSync(folder.journal).size >= 5_000; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(JSON.parse(folder.contents()['state.json'] ?? '')).toMatchObject({ lastCommit: commits });
    await pay(store, 'payment-99');
    expect(folder.linesOf(folder.journal)).toEqual([
      '{"format":2}',
      expect.stringContaining(`{"number":${commits + 1},`),
      '',
    ]);
  });

  it('leaves, at any moment of any checkpoint, files that hold every confirmed commit', async () => {
    for (const syncToDisk of [false, true]) {
      const folder = stores.folder();
      const store = await stores.open(folder, { journalBytes: 2_000, syncToDisk });
      const confirmed: string[] = [];
      const lefts: { left: DataFolder; confirmed: string[] }[] = [];
      for (let number = 1; number <= 120; number += 1) {
        const id = `payment-${number}`;
        void pay(store, id).then(() => confirmed.push(id));
        await new Promise((resolve) => setImmediate(resolve));
        if (number % 2 === 0) {
          lefts.push({ left: stores.leftOf(folder), confirmed: [...confirmed] });
        }
      }
      const withState = lefts.filter(({ left }) => existsSync(left.file));
      expect(withState.length).toBeGreaterThan(10);
      for (const { left } of withState) {
        const { lastCommit, sessions } = JSON.parse(left.contents()['state.json'] ?? '');
        expect(sessions.shop.payments).toHaveLength(lastCommit);
      }
      for (const { left, confirmed: expected } of lefts) {
        const again = await left.open();
        const kept = await paid(again);
        expect(kept.slice(0, expected.length)).toEqual(expected);
        expect(kept).toEqual(kept.map((_, index) => `payment-${index + 1}`));
        expect(left.warnings).toEqual([]);
        await again.close();
      }
    }
  });

  describe('where the disk says no', () => {
    it('keeps everything, with a warning, while the state file cannot be written', async () => {
      const folder = stores.folder();
      const store = await stores.open(folder);
      await pay(store, 'payment-1');
      mkdirSync(`${folder.file}.new`);
      await store.close();
      expect(folder.warnings).toEqual([expect.stringContaining(`${folder.file} could not be written`)]);
      rmSync(`${folder.file}.new`, { recursive: true });
      expect(existsSync(folder.file)).toBe(false);
      expect(await paid(await stores.open(folder))).toEqual(['payment-1']);
    });

    it('keeps everything, with a warning, while a new journal cannot be begun', async () => {
      const folder = stores.folder();
      const store = await stores.open(folder);
      await pay(store, 'payment-1');
      mkdirSync(`${folder.journal}.new`);
      await store.close();
      expect(folder.warnings).toHaveLength(1);
      rmSync(`${folder.journal}.new`, { recursive: true });
      expect(Object.keys(folder.contents()).sort()).toEqual(['state.json', 'state.json.journal']);
      expect(await paid(await stores.open(folder))).toEqual(['payment-1']);
    });
  });
});
