import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { DataFolder } from './data-folder.ts';
import { head, image, payment, put } from './samples.ts';

const newFolder = temporaryFolders();
const folderOf = () => new DataFolder(newFolder());
const stores: Store[] = [];

async function open(folder: DataFolder, options: Parameters<DataFolder['open']>[0] = {}): Promise<Store> {
  const store = await folder.open(options);
  stores.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

function pay(store: Store, id: string): Promise<void> {
  return store.commit({ session: 'shop', head: head(), changes: [put('payments', payment(id))] });
}

async function paid(store: Store): Promise<string[]> {
  return (await store.list('shop', 'payments', { limit: 9_999 })).items.map(({ id }) => id);
}

/** What is left of a process that was killed after it had kept the payments, each in a commit of its own. */
async function killedWith(...ids: string[]): Promise<DataFolder> {
  const folder = folderOf();
  const store = await open(folder);
  for (const id of ids) {
    await pay(store, id);
  }
  return folder.leaveTo(folderOf());
}

describe('the journal', () => {
  it('has every commit of a process that was killed before it wrote a state file', async () => {
    const left = await killedWith('payment-1', 'payment-2');
    expect(existsSync(left.file)).toBe(false);
    expect(await paid(await open(left))).toEqual(['payment-1', 'payment-2']);
    expect(left.warnings).toEqual([]);
  });

  it('holds one line for each commit, numbered from 1, behind a line that names its format', async () => {
    const left = await killedWith('payment-1', 'payment-2');
    const [first, ...lines] = left.linesOf(left.journal);
    expect(first).toBe('{"format":1}');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { number: 1, session: 'shop', head: head(), changes: [put('payments', payment('payment-1'))] },
      { number: 2, session: 'shop', head: head(), changes: [put('payments', payment('payment-2'))] },
    ]);
  });

  it('takes all commits of one turn in one write, after which they are durable together', async () => {
    const folder = folderOf();
    const store = await open(folder);
    const empty = statSync(folder.journal).size;
    const order: string[] = [];
    const commits = ['payment-1', 'payment-2', 'payment-3'].map((id) => pay(store, id).then(() => order.push(id)));
    expect(statSync(folder.journal).size).toBe(empty);
    await Promise.race(commits);
    expect(folder.linesOf(folder.journal)).toHaveLength(5);
    await Promise.all(commits);
    expect(order).toEqual(['payment-1', 'payment-2', 'payment-3']);
  });

  it('goes into the state file at a stop, and leaves that alone', async () => {
    const folder = folderOf();
    const store = await open(folder);
    await pay(store, 'payment-1');
    await store.close();
    expect(Object.keys(folder.contents())).toEqual(['state.json']);
  });

  it('goes into the state file at a start', async () => {
    const left = await killedWith('payment-1');
    const store = await open(left);
    await pay(store, 'payment-2');
    // A stop waits for what the start began; the journal of the killed one is gone with it.
    await store.close();
    expect(Object.keys(left.contents())).toEqual(['state.json']);
    expect(JSON.parse(left.contents()['state.json'] ?? '')).toMatchObject({ lastCommit: 2 });
  });

  it('takes lines that are longer than a read, and more of them than one read holds', async () => {
    const folder = folderOf();
    const store = await open(folder);
    const long = 'A'.repeat(3 << 20);
    await store.commit({ session: 'shop', head: head(), changes: [put('images', image('image-1', long))] });
    await Promise.all(Array.from({ length: 3_000 }, (_, number) => pay(store, `payment-${number}`)));
    const again = await open(folder.leaveTo(folderOf()));
    expect((await again.get('shop', 'images', 'image-1'))?.base64).toBe(long);
    expect(await paid(again)).toHaveLength(3_000);
  });

  describe('torn at its end', () => {
    it('loses the torn line with a warning, and nothing else, now or after the next commit', async () => {
      const left = await killedWith('payment-1', 'payment-2');
      left.edit(left.journal, (lines) => lines.join('\n').slice(0, -40));
      const store = await open(left);
      expect(await paid(store)).toEqual(['payment-1']);
      expect(left.warnings).toEqual([expect.stringContaining(`${left.journal}: the last line was torn`)]);

      await pay(store, 'payment-3');
      const again = await open(left.leaveTo(folderOf()));
      expect(await paid(again)).toEqual(['payment-1', 'payment-3']);
    });

    it('takes a line without its newline as torn, even where it is whole: nobody was told that it is kept', async () => {
      const left = await killedWith('payment-1', 'payment-2');
      left.edit(left.journal, (lines) => lines.join('\n').trimEnd());
      expect(await paid(await open(left))).toEqual(['payment-1']);
      expect(left.warnings).toHaveLength(1);
    });

    it('begins anew where not even the first line was written', async () => {
      for (const text of ['', '{"for']) {
        const left = folderOf();
        writeFileSync(left.journal, text);
        const store = await open(left);
        await pay(store, 'payment-1');
        expect(await paid(await open(left.leaveTo(folderOf())))).toEqual(['payment-1']);
      }
    });
  });

  describe('damaged elsewhere', () => {
    const damages: [string, (lines: string[]) => string[], number, RegExp][] = [
      ['a line that is not JSON', (lines) => lines.with(1, lines[1]?.replace('{', '') ?? ''), 2, /not JSON/],
      ['an empty line', (lines) => lines.toSpliced(2, 0, ''), 3, /not JSON/],
      ['a line that is missing', (lines) => lines.toSpliced(2, 1), 3, /commit 2 should stand here, but it is commit 3/],
      [
        'a line that stands there twice',
        (lines) => lines.toSpliced(2, 0, lines[1] ?? ''),
        3,
        /commit 2 should stand here/,
      ],
      [
        'a collection that there is not',
        (lines) => lines.with(3, lines[3]?.replace('payments', 'purses') ?? ''),
        4,
        /collection/,
      ],
      [
        'a record without a field',
        (lines) => lines.with(2, lines[2]?.replace('"amount":1000,', '') ?? ''),
        3,
        /\$\.amount/,
      ],
      [
        'a record with a field too many',
        (lines) => lines.with(2, lines[2]?.replace('"amount"', '"sum":1,"amount"') ?? ''),
        3,
        /\$\.sum/,
      ],
      ['a line of another shape', (lines) => lines.with(2, '{"number":2}'), 3, /\$\.session/],
      ['a value that is no object', (lines) => lines.with(2, 'null'), 3, /wrong shape/],
      [
        'a record under another id',
        (lines) => lines.with(1, lines[1]?.replace('"id":"payment-1"', '"id":"payment-9"') ?? ''),
        2,
        /payment-9/,
      ],
      [
        'a session that begins without its head',
        (lines) => lines.with(1, lines[1]?.replace(/"head":\{.*?\},"changes"/, '"changes"') ?? ''),
        2,
        /head/,
      ],
      ['no first line', (lines) => lines.slice(1), 1, /no known format/],
      ['the first line of another version', (lines) => lines.with(0, '{"format":2}'), 1, /format 2.*reads format 1/],
    ];

    it.each(damages)('refuses %s, names file and line, and changes nothing', async (_, damage, line, message) => {
      const left = await killedWith('payment-1', 'payment-2', 'payment-3');
      left.edit(left.journal, damage);
      const before = left.contents();
      const refusal = { name: 'StoreError', file: left.journal, line, message: expect.stringMatching(message) };
      await expect(left.open()).rejects.toMatchObject(refusal);
      expect(left.contents()).toEqual(before);
    });

    it('refuses bytes that are not UTF-8', async () => {
      const left = await killedWith('payment-1');
      appendFileSync(left.journal, Buffer.from([0x22, 0xff, 0x22, 0x0a]));
      await expect(left.open()).rejects.toMatchObject({
        file: left.journal,
        line: 3,
        message: expect.stringContaining('UTF-8'),
      });
    });

    it('refuses damage also before a torn line, and leaves the torn line where it is', async () => {
      const left = await killedWith('payment-1', 'payment-2');
      left.edit(left.journal, (lines) => lines.with(1, 'x').join('\n').slice(0, -9));
      const before = left.contents();
      await expect(left.open()).rejects.toMatchObject({ line: 2 });
      expect(left.contents()).toEqual(before);
      expect(left.warnings).toEqual([]);
    });

    it('refuses a journal whose state file is gone', async () => {
      const folder = folderOf();
      const first = await open(folder);
      await pay(first, 'payment-1');
      await first.close();
      await pay(await open(folder), 'payment-2');
      const left = folder.leaveTo(folderOf());
      rmSync(left.file);
      await expect(left.open()).rejects.toMatchObject({
        line: 2,
        message: expect.stringContaining('commit 1 should stand here'),
      });
    });
  });

  describe('around a checkpoint', () => {
    it('is skipped as far as the state file has it: the kill came between the state file and the new journal', async () => {
      const folder = folderOf();
      const store = await open(folder);
      await pay(store, 'payment-1');
      await store.commit({ session: 'shop', wipe: true, changes: [] });
      const left = folder.leaveTo(folderOf());
      await pay(store, 'payment-2');
      await store.close();
      writeFileSync(left.file, folder.contents()['state.json'] ?? '');

      const again = await open(left);
      expect(await paid(again)).toEqual(['payment-2']);
      await pay(again, 'payment-3');
      // That was commit 4, and the old journal ended with commit 2: it must not have gone there.
      expect(await paid(await open(left.leaveTo(folderOf())))).toEqual(['payment-2', 'payment-3']);
    });

    it('is skipped in part where commits came while the state file was written', async () => {
      const folder = folderOf();
      const store = await open(folder);
      await pay(store, 'payment-1');
      await store.close();
      const state = folder.contents()['state.json'] ?? '';
      rmSync(folder.file);
      const second = await open(folder);
      await pay(second, 'payment-1');
      await pay(second, 'payment-2');
      const left = folder.leaveTo(folderOf());
      writeFileSync(left.file, state);
      expect(await paid(await open(left))).toEqual(['payment-1', 'payment-2']);
    });

    it('is not disturbed by the unfinished files of a checkpoint that was killed', async () => {
      const left = await killedWith('payment-1');
      writeFileSync(`${left.file}.new`, '{"sess');
      writeFileSync(`${left.journal}.new`, '{"form');
      const store = await open(left);
      expect(await paid(store)).toEqual(['payment-1']);
      await store.close();
      expect(Object.keys(left.contents())).toEqual(['state.json']);
    });

    it('goes into the state file in a quiet moment once it has grown, and starts anew with what came since', async () => {
      const folder = folderOf();
      const store = await open(folder, { journalBytes: 5_000 });
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
        '{"format":1}',
        expect.stringContaining(`{"number":${commits + 1},`),
        '',
      ]);
    });

    it('leaves, at any moment of any checkpoint, files that hold every confirmed commit', async () => {
      for (const syncToDisk of [false, true]) {
        const folder = folderOf();
        const store = await open(folder, { journalBytes: 2_000, syncToDisk });
        const confirmed: string[] = [];
        const lefts: { left: DataFolder; confirmed: string[] }[] = [];
        for (let number = 1; number <= 120; number += 1) {
          const id = `payment-${number}`;
          void pay(store, id).then(() => confirmed.push(id));
          await new Promise((resolve) => setImmediate(resolve));
          if (number % 2 === 0) {
            lefts.push({ left: folder.leaveTo(folderOf()), confirmed: [...confirmed] });
          }
        }
        const withState = lefts.filter(({ left }) => existsSync(left.file));
        expect(withState.length).toBeGreaterThan(10);
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
  });

  describe('where the disk says no', () => {
    it('keeps everything, with a warning, while the state file cannot be written', async () => {
      const folder = folderOf();
      const store = await open(folder);
      await pay(store, 'payment-1');
      mkdirSync(`${folder.file}.new`);
      await store.close();
      expect(folder.warnings).toEqual([expect.stringContaining(`${folder.file} could not be written`)]);
      rmSync(`${folder.file}.new`, { recursive: true });
      expect(existsSync(folder.file)).toBe(false);
      expect(await paid(await open(folder))).toEqual(['payment-1']);
    });

    it('keeps everything, with a warning, while a new journal cannot be begun', async () => {
      const folder = folderOf();
      const store = await open(folder);
      await pay(store, 'payment-1');
      mkdirSync(`${folder.journal}.new`);
      await store.close();
      expect(folder.warnings).toHaveLength(1);
      rmSync(`${folder.journal}.new`, { recursive: true });
      expect(Object.keys(folder.contents()).sort()).toEqual(['state.json', 'state.json.journal']);
      expect(await paid(await open(folder))).toEqual(['payment-1']);
    });
  });

  it('takes no more commits once it is closed, and closes only once', async () => {
    const folder = folderOf();
    const store = await open(folder);
    await pay(store, 'payment-1');
    await Promise.all([store.close(), store.close()]);
    await expect(pay(store, 'payment-2')).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('closed'),
    });
    expect(await paid(await open(folder))).toEqual(['payment-1']);
  });

  it('refuses what cannot be written as JSON, and goes on as if it had not come', async () => {
    const folder = folderOf();
    const store = await open(folder);
    const unwritable = payment('payment-1', { answer: { number: 1n } });
    await expect(
      store.commit({ session: 'shop', head: head(), changes: [put('payments', unwritable)] }),
    ).rejects.toThrow(/BigInt/);
    expect(await store.sessions()).toEqual([]);
    await pay(store, 'payment-2');
    expect(await paid(await open(folder.leaveTo(folderOf())))).toEqual(['payment-2']);
  });
});
