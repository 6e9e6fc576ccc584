import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openStore } from '../../src/server/store/file/embedded-store.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ChildProcess } from './child-process.ts';

const SCRIPT = new URL('./commits-until-killed.ts', import.meta.url);
const FULL_DISK_SCRIPT = new URL('./commits-until-refused.ts', import.meta.url);
const ROUNDS = 4;
const newFolder = temporaryFolders();

/** Pseudorandom numbers of lines after which a process is killed, the same in every run. */
function* lineCounts(seed: number): Generator<number, number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield 1 + (state % 700);
  }
}

/** The last confirmed amount of each payment. */
function confirmedAmounts(lines: readonly string[]): Map<string, number> {
  return new Map(lines.map((line) => line.split(' ')).map(([id = '', amount]) => [id, Number(amount)]));
}

describe('a process that is killed while it stores payments', () => {
  it.each([
    { checkpointBytes: 32 << 20, sync: 'no sync', when: 'with a large journal' },
    { checkpointBytes: 40_000, sync: 'no sync', when: 'during checkpoints' },
    { checkpointBytes: 40_000, sync: 'sync', when: 'during checkpoints, with each commit synced' },
  ])('loses no confirmed commit $when', async ({ checkpointBytes, sync }) => {
    const file = join(newFolder(), 'state.json');
    const confirmed = new Map<string, number>();
    const counts = lineCounts(checkpointBytes);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const child = ChildProcess.run(SCRIPT, file, String(checkpointBytes), String(round * 10_000), sync);
      await child.waitForLines(counts.next().value);
      await child.kill();
      for (const [id, amount] of confirmedAmounts(child.lines)) {
        confirmed.set(id, amount);
      }
      expect(await lostPayments(file, confirmed)).toEqual([]);
    }
    expect(confirmed.size).toBeGreaterThan(200);
    expect(existsSync(file)).toBe(true);
  });
});

it('a store on a full disk refuses and hides a change that it cannot write, and keeps all others', async () => {
  const file = join(newFolder(), 'state.json');
  const limitedCommand = ['-c', 'ulimit -f 100; exec "$@"', 'sh', ...ChildProcess.commandOf(FULL_DISK_SCRIPT, file)];
  const child = new ChildProcess('sh', limitedCommand);
  expect(await child.exitCode()).toBe(0);
  const refusals = child.lines.filter((line) => !line.startsWith('payment-'));
  expect(refusals).toEqual([
    expect.stringContaining(
      `Refusal: the change was refused, because it could not be written to ${file}.journal (EFBIG`,
    ),
    'not stored, degraded',
    'afterwards ok',
  ]);
  const confirmed = confirmedAmounts(child.lines.filter((line) => line.startsWith('payment-')));
  expect(confirmed.size).toBeGreaterThan(10);
  expect(await lostPayments(file, confirmed)).toEqual([]);

  const store = await openStore({ file, syncToDisk: false, onWarning: failOnWarning });
  expect((await store.list('odd', 'payments', { limit: 999 })).items).toHaveLength(confirmed.size);
  await store.close();
});

function failOnWarning(message: string): never {
  throw new Error(`unexpected warning: ${message}`);
}

/** The confirmed payments that are missing or outdated. Opens a copy, because opening repairs the files that the next process must start from. */
async function lostPayments(file: string, confirmed: ReadonlyMap<string, number>): Promise<string[]> {
  const copy = newFolder();
  for (const name of readdirSync(dirname(file)).filter((each) => !each.includes('.lock'))) {
    copyFileSync(join(dirname(file), name), join(copy, name));
  }
  const store = await openStore({ file: join(copy, basename(file)), syncToDisk: false, onWarning: () => undefined });
  const losses: string[] = [];
  for (const [id, amount] of confirmed) {
    const number = Number(id.replace('payment-', ''));
    const session = number % 2 === 0 ? 'even' : 'odd';
    const payment = store.get(session, 'payments', id);
    const stored = store.find(session, 'payments', 'paymentCode', `code-${number % 50}`);
    if (!payment || payment.amount < amount || !stored.some((each) => isDeepStrictEqual(each, payment))) {
      losses.push(`${id} ${amount}`);
    }
  }
  await store.close();
  return losses;
}
