import { rmSync, statSync, writeFileSync } from 'node:fs';
import { openStore } from '../../../../src/server/store/file/embedded-store.ts';
import { Journal } from '../../../../src/server/store/file/journal.ts';
import { encodeHeader, HEADER_BYTES } from '../../../../src/server/store/file/journal-line.ts';
import type { Lease } from '../../../../src/server/store/file/lease.ts';
import type { DataFolder } from '../data-folder.ts';
import { image, payment, put, state } from '../samples.ts';
import { pay, paymentIds, StoresUnderTest } from '../stores-under-test.ts';

const stores = new StoresUnderTest();

describe('the journal', () => {
  it('has every commit of a process that was killed before it wrote them into the state file', async () => {
    const killedFolder = await stores.killedWith('payment-1', 'payment-2');
    expect(JSON.parse(killedFolder.contents()['state.json'] ?? '')).toMatchObject({ lastCommit: 0, sessions: [] });
    expect(await paymentIds(await stores.open(killedFolder))).toEqual(['payment-1', 'payment-2']);
    expect(killedFolder.warnings).toEqual([]);
  });

  it('contains one line for each commit, numbered from 1, after a line that names its format', async () => {
    const killedFolder = await stores.killedWith('payment-1', 'payment-2');
    const [first, ...lines] = killedFolder.linesOf(killedFolder.journal);
    expect(first).toMatch(/^\{"format":6,"first":1,"last":2 +,"crc":"[0-9a-f]{8}"\}$/);
    const crc = expect.stringMatching(/^[0-9a-f]{8}$/);
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { number: 1, session: 'shop', state: state(), changes: [put('payments', payment('payment-1'))], crc },
      { number: 2, session: 'shop', state: state(), changes: [put('payments', payment('payment-2'))], crc },
    ]);
  });

  it('reports its size, and does not exist for a store in memory', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder, { checkpointIntervalMs: 1e9 });
    const empty = store.journalBytes;
    await pay(store, 'payment-1');
    expect([empty, store.journalBytes]).toEqual([HEADER_BYTES, statSync(folder.journal).size]);
    const memory = await openStore({ file: ':memory:', syncToDisk: false, onWarning: () => undefined });
    expect(memory.journalBytes).toBeUndefined();
  });

  it('gets all commits of one turn in one write, after which all are durable', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder);
    const empty = statSync(folder.journal).size;
    const order: string[] = [];
    const commits = ['payment-1', 'payment-2', 'payment-3'].map((id) => pay(store, id).then(() => order.push(id)));
    expect(statSync(folder.journal).size).toBe(empty);
    await Promise.race(commits);
    expect(folder.linesOf(folder.journal)).toHaveLength(5);
    await Promise.all(commits);
    expect(order).toEqual(['payment-1', 'payment-2', 'payment-3']);
  });

  it('is moved into the state file at a stop, and removed', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder);
    await pay(store, 'payment-1');
    await store.close();
    expect(Object.keys(folder.contents())).toEqual(['state.json']);
  });

  it('of a killed process is moved into the state file when the next process stops, if not earlier', async () => {
    const killedFolder = await stores.killedWith('payment-1');
    const store = await stores.open(killedFolder);
    await pay(store, 'payment-2');
    await store.close();
    expect(Object.keys(killedFolder.contents())).toEqual(['state.json']);
    expect(JSON.parse(killedFolder.contents()['state.json'] ?? '')).toMatchObject({ lastCommit: 2 });
  });

  it('can contain lines that are longer than one read, and more lines than fit into one read', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder);
    const long = 'A'.repeat(3 << 20);
    await store.commit({ session: 'shop', state: state(), changes: [put('images', image('image-1', long))] });
    await Promise.all(Array.from({ length: 3_000 }, (_, number) => pay(store, `payment-${number + 1}`)));
    const reopened = await stores.open(stores.copyAsKilled(folder));
    expect(reopened.get('shop', 'images', 'image-1')?.base64).toBe(long);
    expect(await paymentIds(reopened)).toHaveLength(3_000);
  });

  describe('that is torn at its end', () => {
    /** The files of a process that was killed before it had confirmed the second of three payments. */
    async function killedWithOneConfirmed(): Promise<DataFolder> {
      const killedFolder = await stores.killedWith('payment-1', 'payment-2', 'payment-3');
      killedFolder.edit(killedFolder.journal, (lines) =>
        lines.with(0, encodeHeader({ first: 1, last: 1 }).toString().trimEnd()),
      );
      return killedFolder;
    }

    it('loses only the torn lines, with a warning that counts them', async () => {
      const killedFolder = await killedWithOneConfirmed();
      killedFolder.edit(killedFolder.journal, (lines) => lines.with(2, 'x').join('\n').slice(0, -40));
      const store = await stores.open(killedFolder);
      expect(await paymentIds(store)).toEqual(['payment-1']);
      expect(killedFolder.warnings).toEqual([
        expect.stringContaining(`${killedFolder.journal}: the last 2 lines were torn`),
      ]);

      await pay(store, 'payment-4');
      const reopened = await stores.open(stores.copyAsKilled(killedFolder));
      expect(await paymentIds(reopened)).toEqual(['payment-1', 'payment-4']);
    });

    it('treats a last line without its newline as torn, because it was not confirmed', async () => {
      const killedFolder = await killedWithOneConfirmed();
      killedFolder.edit(killedFolder.journal, (lines) => lines.join('\n').trimEnd());
      expect(await paymentIds(await stores.open(killedFolder))).toEqual(['payment-1', 'payment-2']);
      expect(killedFolder.warnings).toEqual([expect.stringContaining('the last line was torn')]);
    });

    it('starts again if it is only an empty file', async () => {
      const killedFolder = stores.newFolder();
      writeFileSync(killedFolder.journal, '');
      const store = await stores.open(killedFolder);
      await pay(store, 'payment-1');
      expect(await paymentIds(await stores.open(stores.copyAsKilled(killedFolder)))).toEqual(['payment-1']);
    });
  });

  it.each([
    ['missing', (killedFolder: DataFolder) => rmSync(killedFolder.journal)],
    ['empty', (killedFolder: DataFolder) => writeFileSync(killedFolder.journal, '')],
  ])(
    'is refused if it is %s although the state file requires it, until the state file is edited by hand',
    async (_, damage) => {
      const killedFolder = await stores.killedWith('payment-1');
      damage(killedFolder);
      const before = killedFolder.contents();
      await expect(killedFolder.open()).rejects.toMatchObject({
        name: 'StoreError',
        file: killedFolder.journal,
        message: expect.stringContaining('is missing or empty'),
      });
      expect(killedFolder.contents()).toEqual(before);
      killedFolder.edit(killedFolder.file, (lines) =>
        lines.map((line) => line.replace('"journal": "open"', '"journal": "none"')),
      );
      expect(await paymentIds(await stores.open(killedFolder))).toEqual([]);
    },
  );

  it('does not count as written while a commit waits for the lease, because a checkpoint must not contain that commit yet', async () => {
    let confirm = (): void => undefined;
    const confirmation = new Promise<void>((resolve) => {
      confirm = resolve;
    });
    const lease = { isFresh: false, confirm: () => confirmation, assertOwned: () => undefined } as unknown as Lease;
    const callbacks = { onWritten: () => undefined, onRewritten: () => undefined, onRefused: () => undefined };
    const options = { lease, syncToDisk: false, onRecovered: () => undefined, ...callbacks };
    const journal = new Journal(stores.newFolder().journal, 0, { first: 1, last: 0 }, options);
    const durable = journal.append('{}\n', () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect(journal.isWritten).toBe(false);
    confirm();
    await durable;
    expect(journal.isWritten).toBe(true);
    await journal.close(true);
  });

  it('can be closed twice, and accepts no more commits afterwards', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder);
    await pay(store, 'payment-1');
    await Promise.all([store.close(), store.close()]);
    await expect(pay(store, 'payment-2')).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('closed'),
    });
    expect(await paymentIds(await stores.open(folder))).toEqual(['payment-1']);
  });

  it('refuses data that cannot be written as JSON, and continues unchanged', async () => {
    const folder = stores.newFolder();
    const store = await stores.open(folder);
    const unwritable = payment('payment-1', { respond: { members: { number: 1n as never } } });
    await expect(
      store.commit({ session: 'shop', state: state(), changes: [put('payments', unwritable)] }),
    ).rejects.toThrow(/BigInt/);
    expect(await store.sessions()).toEqual([]);
    await pay(store, 'payment-2');
    expect(await paymentIds(await stores.open(stores.copyAsKilled(folder)))).toEqual(['payment-2']);
  });
});
