import { appendFileSync, rmSync } from 'node:fs';
import { pay, StoresUnderTest } from '../stores-under-test.ts';

const stores = new StoresUnderTest();

describe('a start with a corrupted journal', () => {
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
      'a session that begins without its state',
      (lines) => lines.with(1, lines[1]?.replace(/"state":\{.*?\},"changes"/, '"changes"') ?? ''),
      2,
      /state/,
    ],
    ['no first line', (lines) => lines.slice(1), 1, /no known format/],
    ['the first line of another version', (lines) => lines.with(0, '{"format":3}'), 1, /format 3.*reads format 2/],
  ];

  it.each(damages)('refuses %s, names file and line, and changes nothing', async (_, corruption, line, message) => {
    const left = await stores.killedWith('payment-1', 'payment-2', 'payment-3');
    left.edit(left.journal, corruption);
    const before = left.contents();
    const refusal = { name: 'StoreError', file: left.journal, line, message: expect.stringMatching(message) };
    await expect(left.open()).rejects.toMatchObject(refusal);
    expect(left.contents()).toEqual(before);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const left = await stores.killedWith('payment-1');
    appendFileSync(left.journal, Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    await expect(left.open()).rejects.toMatchObject({
      file: left.journal,
      line: 3,
      message: expect.stringContaining('UTF-8'),
    });
  });

  it('refuses corruption also before a torn line, and leaves the torn line where it is', async () => {
    const left = await stores.killedWith('payment-1', 'payment-2');
    left.edit(left.journal, (lines) => lines.with(1, 'x').join('\n').slice(0, -9));
    const before = left.contents();
    await expect(left.open()).rejects.toMatchObject({ line: 2 });
    expect(left.contents()).toEqual(before);
    expect(left.warnings).toEqual([]);
  });

  it('refuses a journal whose state file is gone', async () => {
    const folder = stores.folder();
    const first = await stores.open(folder);
    await pay(first, 'payment-1');
    await first.close();
    await pay(await stores.open(folder), 'payment-2');
    const left = stores.leftOf(folder);
    rmSync(left.file);
    await expect(left.open()).rejects.toMatchObject({
      line: 2,
      message: expect.stringContaining('commit 1 should stand here'),
    });
  });
});
