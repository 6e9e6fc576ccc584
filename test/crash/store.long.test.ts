import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openStore } from '../../src/server/store/file/embedded-store.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ChildProcess } from './child-process.ts';

const SCRIPT = new URL('./commits-until-killed.ts', import.meta.url);
const FILLS_DISK = new URL('./commits-until-refused.ts', import.meta.url);
const ROUNDS = 4;
const newFolder = temporaryFolders();

/** The same "random" moments in every run of the tests. */
function* moments(seed: number): Generator<number, number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield 1 + (state % 700);
  }
}

/** Payments with the amounts that the process had confirmed when it was killed. */
function confirmedIn(lines: readonly string[]): Map<string, number> {
  return new Map(lines.map((line) => line.split(' ')).map(([id = '', amount]) => [id, Number(amount)]));
}

describe('a process that is killed while it stores payments', () => {
  it.each([
    { journalBytes: 32 << 20, sync: 'no sync', what: 'with all commits in the journal' },
    { journalBytes: 40_000, sync: 'no sync', what: 'in the midst of checkpoints' },
    { journalBytes: 40_000, sync: 'sync', what: 'in the midst of checkpoints, each commit synced' },
  ])('has lost no confirmed commit: $what', async ({ journalBytes, sync }) => {
    const file = join(newFolder(), 'state.json');
    const confirmed = new Map<string, number>();
    const moment = moments(journalBytes);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const child = ChildProcess.running(SCRIPT, file, String(journalBytes), String(round * 10_000), sync);
      await child.linesWritten(moment.next().value);
      await child.kill();
      for (const [id, amount] of confirmedIn(child.lines)) {
        confirmed.set(id, amount);
      }
      expect(await lostFrom(file, confirmed)).toEqual([]);
    }
    expect(confirmed.size).toBeGreaterThan(200);
    // Checkpoints did happen: by their own, or at the starts.
    expect(existsSync(file)).toBe(true);
  });

  it('a store on a full disk refuses and hides what it cannot write, and keeps everything else', async () => {
    const file = join(newFolder(), 'state.json');
    const limited = ['-c', 'ulimit -f 100; exec "$@"', 'sh', ...ChildProcess.commandOf(FILLS_DISK, file)];
    const child = new ChildProcess('sh', limited);
    expect(await child.exit()).toBe(0);
    const refusals = child.lines.filter((line) => !line.startsWith('payment-'));
    expect(refusals).toEqual([
      expect.stringContaining(
        `Refusal: the change was refused, because it could not be written to ${file}.journal (EFBIG`,
      ),
      'not seen, degraded',
      'afterwards well',
    ]);
    const confirmed = confirmedIn(child.lines.filter((line) => line.startsWith('payment-')));
    expect(confirmed.size).toBeGreaterThan(10);
    expect(await lostFrom(file, confirmed)).toEqual([]);

    const store = await openStore({ file, syncToDisk: false, onWarning: failOnWarning });
    expect((await store.list('odd', 'payments', { limit: 999 })).items).toHaveLength(confirmed.size);
    await store.close();
  });
});

function failOnWarning(message: string): never {
  throw new Error(`a warning that nobody expected: ${message}`);
}

/**
 * Which confirmed payments are not there as they were confirmed, or as they became later. Looks at a copy, so that the next
 * process starts from what the killed one left.
 */
async function lostFrom(file: string, confirmed: ReadonlyMap<string, number>): Promise<string[]> {
  const copy = newFolder();
  for (const name of readdirSync(dirname(file)).filter((each) => !each.includes('.lock'))) {
    copyFileSync(join(dirname(file), name), join(copy, name));
  }
  const store = await openStore({ file: join(copy, basename(file)), syncToDisk: false, onWarning: () => undefined });
  const losses: string[] = [];
  for (const [id, amount] of confirmed) {
    const number = Number(id.replace('payment-', ''));
    const session = number % 2 === 0 ? 'even' : 'odd';
    const payment = await store.get(session, 'payments', id);
    const stored = await store.find(session, 'payments', 'paymentCode', `code-${number % 50}`);
    if (!payment || payment.amount < amount || !stored.some((each) => isDeepStrictEqual(each, payment))) {
      losses.push(`${id} ${amount}`);
    }
  }
  await store.close();
  return losses;
}
