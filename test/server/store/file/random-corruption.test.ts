import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Store } from '../../../../src/server/store/store.ts';
import { type Random, randomFrom } from '../../../random.ts';
import type { DataFolder } from '../data-folder.ts';
import { payment, put, state } from '../samples.ts';
import { StoresUnderTest } from '../stores-under-test.ts';

const stores = new StoresUnderTest();
/** `npm run crash -- --corruptions N --seed S` sets the number of files, and the seed that repeats their corruptions. */
const ROUNDS = Number(process.env['CORRUPTIONS'] ?? 150);
const SEED = Number(process.env['CRASH_SEED'] ?? 9);

/** Changes of a file's bytes. Undefined removes the file. */
const CORRUPTIONS: Record<string, (bytes: Buffer, random: Random) => Buffer | undefined> = {
  'a flipped bit': (bytes, random) => {
    const at = random(bytes.length);
    bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << random(8)), at);
    return bytes;
  },
  'a cut anywhere': (bytes, random) => bytes.subarray(0, random(bytes.length)),
  'a cut at the end of a line': (bytes, random) => changeLines(bytes, (lines) => lines.slice(0, random(lines.length))),
  'a missing line': (bytes, random) => changeLines(bytes, (lines) => lines.toSpliced(random(lines.length), 1)),
  'a doubled line': (bytes, random) =>
    changeLines(bytes, (lines) => {
      const at = random(lines.length);
      return lines.toSpliced(at, 0, lines[at] ?? '');
    }),
  'two swapped lines': (bytes, random) =>
    changeLines(bytes, (lines) => {
      const [one, other] = [random(lines.length), random(lines.length)];
      return lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');
    }),
  'a run of zeros': (bytes, random) => {
    const at = random(bytes.length);
    return bytes.fill(0, at, Math.min(bytes.length, at + 1 + random(64)));
  },
  'missing bytes': (bytes, random) => {
    const at = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(200))]);
  },
  'a missing file': () => undefined,
};

function changeLines(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  return Buffer.from(change(lines).join(''), 'latin1');
}

/** A state file with some commits, and a journal with later commits of two sessions. */
async function createKilledFolder(): Promise<DataFolder> {
  const folder = stores.newFolder();
  const first = await stores.open(folder);
  await commitPayments(first, ['1', 'shop', '10'], 1);
  await first.close();
  const second = await stores.open(folder);
  await commitPayments(second, ['1', '2'], 10);
  return stores.copyAsKilled(folder);
}

async function commitPayments(store: Store, sessions: string[], from: number): Promise<void> {
  for (let number = from; number < from + 6; number += 1) {
    const session = sessions[number % sessions.length] ?? '';
    const changes = [put('payments', payment(`payment-${number}`, { amount: number }))];
    await store.commit({ session, state: state({ rngPosition: number }), changes });
  }
}

async function everythingIn(store: Store): Promise<unknown> {
  const sessions = await store.sessions();
  return Promise.all(
    sessions.map(async (session) => [session, (await store.list(session.name, 'payments', { limit: 99 })).items]),
  );
}

it(`a corrupted file is reported or loses no data: ${ROUNDS} files`, async () => {
  const random = randomFrom(SEED);
  const intactFolder = await createKilledFolder();
  const before = intactFolder.contents();
  const intactStore = await stores.open(stores.copyAsKilled(intactFolder));
  const expected = await everythingIn(intactStore);
  const kinds = Object.keys(CORRUPTIONS);
  const counts = { refused: 0, warned: 0, harmless: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const kind = kinds[round % kinds.length] ?? '';
    const killedFolder = stores.copyAsKilled(intactFolder);
    const file = random(2) === 0 ? killedFolder.file : killedFolder.journal;
    const corrupted = CORRUPTIONS[kind]?.(readFileSync(file), random);
    if (corrupted) {
      writeFileSync(file, corrupted);
    } else {
      rmSync(file);
    }
    const after = killedFolder.contents();
    // A missing state file is only noticed because of the journal beside it, which the error names.
    const reportedFile = kind === 'a missing file' || corrupted?.length === 0 ? killedFolder.journal : file;
    const label = `${kind} in ${file}, round ${round}`;
    try {
      const store = await killedFolder.open();
      const stored = await everythingIn(store);
      await store.close();
      // A changed state file is accepted as far as it is valid, with a warning. A changed journal is not accepted.
      const isWarned =
        file === killedFolder.file &&
        killedFolder.warnings.some((each) => each.startsWith(`${file} was changed outside`));
      if (isWarned) {
        counts.warned += 1;
      } else {
        expect([label, stored]).toEqual([label, expected]);
        counts.harmless += 1;
      }
    } catch (error) {
      expect([label, error]).toEqual([label, expect.objectContaining({ name: 'StoreError', file: reportedFile })]);
      expect([label, killedFolder.contents()]).toEqual([label, after]);
      counts.refused += 1;
    }
    expect(existsSync(`${killedFolder.file}.lock`)).toBe(false);
  }
  expect(intactFolder.contents()).toEqual(before);
  expect(counts.refused + counts.warned + counts.harmless).toBe(ROUNDS);
  expect(counts.refused + counts.warned).toBeGreaterThan(ROUNDS * 0.8);
  if (process.env['CORRUPTIONS']) {
    process.stderr.write(
      `${ROUNDS} corrupted files: ${counts.refused} refused, ${counts.warned} accepted with a warning, ${counts.harmless} read completely\n`,
    );
  }
});
