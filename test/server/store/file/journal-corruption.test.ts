import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { sealLines } from '../../../../src/server/store/file/checksum.ts';
import { pay, StoresUnderTest } from '../stores-under-test.ts';

const stores = new StoresUnderTest();

/** The lines with correct checksums, so that only their content is wrong. */
function withChecksums([header = '', ...lines]: string[]): string[] {
  return [
    header,
    ...lines.map((line) =>
      line === ''
        ? ''
        : sealLines([line.replace(/,"crc":.*/, '}')])
            .toString()
            .trimEnd(),
    ),
  ];
}

describe('a start with a corrupted journal', () => {
  const damages: [string, (lines: string[]) => string[], number, RegExp][] = [
    ['a line that is not JSON', (lines) => lines.with(1, lines[1]?.replace('{', '') ?? ''), 2, /checksum/],
    ['an empty line', (lines) => lines.toSpliced(2, 0, ''), 3, /checksum/],
    ['a line that is missing', (lines) => lines.toSpliced(2, 1), 3, /expected commit 2 here, but found commit 3/],
    ['a duplicate line', (lines) => lines.toSpliced(2, 0, lines[1] ?? ''), 3, /expected commit 2 here/],
    [
      'two swapped lines',
      (lines) => lines.with(1, lines[2] ?? '').with(2, lines[1] ?? ''),
      2,
      /expected commit 1 here/,
    ],
    ['a journal cut off after a line', (lines) => lines.toSpliced(3, 1), 4, /commits 3 to 3 should follow/],
    [
      'a journal cut off within a confirmed line',
      (lines) => [...lines.slice(0, 3), lines[3]?.slice(0, -9) ?? ''],
      4,
      /expected commit 3 here, but the end/,
    ],
    ['only the first line', (lines) => [lines[0] ?? '', ''], 2, /commits 1 to 3 should follow/],
    [
      'a first line with another last number',
      (lines) => lines.with(0, lines[0]?.replace('"last":3', '"last":2') ?? ''),
      1,
      /checksum/,
    ],
    [
      'an unknown collection',
      (lines) => withChecksums(lines.with(3, lines[3]?.replace('payments', 'purses') ?? '')),
      4,
      /collection/,
    ],
    ['a line without the required members', (lines) => withChecksums(lines.with(2, '{"number":2}')), 3, /\$\.session/],
    ['a value that is not an object', (lines) => lines.with(2, 'null'), 3, /checksum/],
    [
      'a record under another id',
      (lines) => withChecksums(lines.with(1, lines[1]?.replace('"id":"payment-1"', '"id":"payment-9"') ?? '')),
      2,
      /payment-9/,
    ],
    [
      'a session that begins without its state',
      (lines) => withChecksums(lines.with(1, lines[1]?.replace(/"state":\{.*?\},"changes"/, '"changes"') ?? '')),
      2,
      /state/,
    ],
    ['a journal without its first line', (lines) => lines.slice(1), 1, /no known format/],
    ['the first line of another version', (lines) => lines.with(0, '{"format":2}'), 1, /format 2.*reads format 6/],
  ];

  it.each(damages)('refuses %s, names file and line, and changes nothing', async (_, corruption, line, message) => {
    const killedFolder = await stores.killedWith('payment-1', 'payment-2', 'payment-3');
    killedFolder.edit(killedFolder.journal, corruption);
    const before = killedFolder.contents();
    const refusal = { name: 'StoreError', file: killedFolder.journal, line, message: expect.stringMatching(message) };
    await expect(killedFolder.open()).rejects.toMatchObject(refusal);
    expect(killedFolder.contents()).toEqual(before);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const killedFolder = await stores.killedWith('payment-1');
    const bytes = readFileSync(killedFolder.journal);
    bytes[bytes.length - 50] = 0xff;
    writeFileSync(killedFolder.journal, bytes);
    await expect(killedFolder.open()).rejects.toMatchObject({
      file: killedFolder.journal,
      line: 2,
      message: expect.stringContaining('checksum'),
    });
  });

  it('refuses corruption also before a torn line, and does not change the torn line', async () => {
    const killedFolder = await stores.killedWith('payment-1', 'payment-2');
    killedFolder.edit(killedFolder.journal, (lines) => lines.with(1, 'x').join('\n').slice(0, -9));
    const before = killedFolder.contents();
    await expect(killedFolder.open()).rejects.toMatchObject({ line: 2 });
    expect(killedFolder.contents()).toEqual(before);
    expect(killedFolder.warnings).toEqual([]);
  });

  it('refuses a journal whose state file is missing', async () => {
    const folder = stores.newFolder();
    const first = await stores.open(folder);
    await pay(first, 'payment-1');
    await first.close();
    await pay(await stores.open(folder), 'payment-2');
    const killedFolder = stores.copyAsKilled(folder);
    rmSync(killedFolder.file);
    await expect(killedFolder.open()).rejects.toMatchObject({
      line: 1,
      message: expect.stringContaining('begins with commit 2, but the state file ends with commit 0'),
    });
  });
});
