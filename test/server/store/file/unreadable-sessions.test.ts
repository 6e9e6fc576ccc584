import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Payment, SessionState } from '../../../../src/base/schema/generated/records.ts';
import { sealLines } from '../../../../src/server/store/file/checksum.ts';
import { openStore } from '../../../../src/server/store/file/embedded-store.ts';
import type { RecordChange } from '../../../../src/server/store/store.ts';
import { cases } from '../../../cases.ts';
import { PublicSession } from '../../../crash/public-session.ts';
import { single } from '../../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { payment, put, state } from '../samples.ts';

const newFolder = temporaryFolders();
const PAY = '/sandbox/init/authenticate/merchant/wallet';
/** Changes after which a line of the journal no longer fits the schemas. */
const MISTAKES: Readonly<Record<string, (line: Record<string, unknown>) => void>> = {
  'a record': ({ changes }) => Object.assign((changes as { record: object }[])[0]?.record ?? {}, { amount: 'much' }),
  'the state': ({ state: storedState }) => Object.assign(storedState as object, { counters: { payment: 1e12 } }),
};

/** The data file of a killed process: two sessions with payments, each commit in the journal. */
async function createKilledFile(recordOf: (id: string) => Payment = payment): Promise<string> {
  const file = join(newFolder(), 'state.json');
  const store = await openStore({ file, syncToDisk: false, onWarning: () => undefined, checkpointIntervalMs: 1e9 });
  const commitPayment = (session: string, id: string) =>
    store.commit({ session, state: state(), changes: [put('payments', recordOf(id))] });
  for (const id of ['payment-1', 'payment-2', 'payment-3']) {
    await commitPayment('innocent', id);
    await commitPayment('shop', id);
  }
  const before = new Map(
    [file, `${file}.journal`, `${file}.key`].filter(existsSync).map((each) => [each, readFileSync(each)]),
  );
  await store.close();
  const copy = join(newFolder(), 'state.json');
  for (const [path, bytes] of before) {
    writeFileSync(path.replace(file, copy), bytes);
  }
  return copy;
}

/** Changes the line of one commit and gives it a correct checksum. */
function editLine(file: string, number: number, change: (line: Record<string, unknown>) => void): void {
  const journal = `${file}.journal`;
  const lines = readFileSync(journal, 'utf8').split(/(?<=\n)/);
  const { crc: _, ...line } = JSON.parse(lines[number] ?? '');
  change(line);
  lines[number] = sealLines([JSON.stringify(line)]).toString();
  writeFileSync(journal, lines.join(''));
}

async function open(file: string, withoutSessions: string[] = []) {
  const warnings: string[] = [];
  const onWarning = (message: string) => void warnings.push(message);
  // With a checkpoint whenever the journal has grown.
  const store = await openStore({ file, syncToDisk: false, withoutSessions, onWarning, checkpointBytes: 1 });
  return { store, warnings };
}

describe.each(Object.entries(MISTAKES))('if %s of one session does not fit its schema', (_title, change) => {
  it('that session is refused with file, line and path and keeps its data, and all others work', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(2, 4, 6), fc.integer({ min: 1, max: 3 }), async (number, starts) => {
        const file = await createKilledFile();
        editLine(file, number, change);
        const before = readFileSync(`${file}.journal`);
        const stateBefore = readFileSync(file);
        for (let start = 1; start <= starts; start += 1) {
          const { store, warnings } = await open(file);
          expect(warnings).toEqual([
            expect.stringContaining(
              `session shop cannot be read, and every call of it is refused. ${file}.journal, line ${number + 1}: `,
            ),
          ]);
          expect(warnings[0]).toContain('--without-session shop');
          expect(() => store.assertOwned('shop')).toThrow(/session shop cannot be read.*\$/);
          await expect(store.claim('shop')).rejects.toThrow('cannot be read');
          expect((await store.sessions()).map(({ name }) => name)).toEqual(['innocent']);
          expect((await store.list('innocent', 'payments', { limit: 9 })).items).toHaveLength(2 + start);
          const extraChange: RecordChange = put(
            'payments',
            payment(`payment-${3 + start}`, { description: 'long '.repeat(1000) }),
          );
          await store.commit({ session: 'innocent', state: state(), changes: [extraChange] });
          await store.commit({ session: 'innocent', state: state(), changes: [] });
          await store.close();
          expect(readFileSync(`${file}.journal`).includes(before.subarray(before.indexOf('\n')))).toBe(true);
          expect(readFileSync(file, 'utf8').replace(/(none|open)"\n}\n$/, '')).toBe(
            stateBefore.toString().replace(/(none|open)"\n}\n$/, ''),
          );
        }
      }),
      { numRuns: cases(6) },
    );
  });

  it('that session can be omitted: its data is moved to a separate file, and the others continue', async () => {
    const file = await createKilledFile();
    editLine(file, 4, change);
    const { store, warnings } = await open(file, ['shop']);
    expect(warnings).toEqual([
      expect.stringContaining(`session shop was dropped, and its data is in ${file}.shop.json`),
    ]);
    expect(warnings[0]).not.toContain('nothing was changed');
    expect(() => store.assertOwned('shop')).not.toThrow();
    await store.close();
    const aside = JSON.parse(readFileSync(`${file}.shop.json`, 'utf8'));
    expect(aside.payments.map(({ id }: { id: string }) => id)).toEqual(['payment-1', 'payment-2', 'payment-3']);
    expect(Object.keys(aside)).toEqual(['state', 'payments']);
    const reopened = await open(file, ['shop']);
    expect(reopened.warnings).toEqual([]);
    expect((await reopened.store.sessions()).map(({ name }) => name)).toEqual(['innocent']);
    await reopened.store.commit({ session: 'shop', state: state(), changes: [] });
    await reopened.store.close();
    const third = await open(file, ['shop']);
    expect(third.warnings).toEqual(['session shop can be read, and was not dropped']);
    expect((await third.store.sessions()).map(({ name }) => name)).toEqual(['innocent', 'shop']);
    await third.store.close();
  });

  it('that session is readable again after a later reset', async () => {
    const file = await createKilledFile();
    const first = await open(file);
    await first.store.commit({
      session: 'shop',
      wipe: true,
      state: state(),
      changes: [put('payments', payment('payment-9'))],
    });
    const journal = readFileSync(`${file}.journal`);
    const text = readFileSync(file);
    await first.store.close();
    writeFileSync(`${file}.journal`, journal);
    writeFileSync(file, text);
    editLine(file, 2, change);
    const { store, warnings } = await open(file);
    expect(warnings).toEqual([]);
    expect((await store.list('shop', 'payments', { limit: 9 })).items).toEqual([payment('payment-9')]);
    await store.close();
  });
});

it.each([
  ['a record', (text: string) => text.replace('"amount":1000', '"amount":"much"')],
  ['the state', (text: string) => text.replace('"rngPosition":0', '"rngPosition":-1')],
])(
  'if %s of one session in an edited state file does not fit its schema, other sessions work, and the file is not changed',
  async (_title, change) => {
    const file = join(newFolder(), 'state.json');
    const { store } = await open(file);
    const changes = ['payment-1', 'payment-2'].map((id) => put('payments', payment(id)));
    await store.commit({ session: 'shop', state: state(), changes });
    await store.commit({ session: 'innocent', state: state(), changes });
    await store.close();
    const edited = change(readFileSync(file, 'utf8'));
    writeFileSync(file, edited);
    for (const _start of [1, 2]) {
      const reopened = await open(file);
      expect(reopened.warnings.join()).toMatch(
        /session shop cannot be read.*state\.json: session shop: \$\.(payments\[0\]\.amount|state\.rngPosition)/,
      );
      expect((await reopened.store.sessions()).map(({ name }) => name)).toEqual(['innocent']);
      await reopened.store.commit({ session: 'innocent', state: state(), changes: [] });
      await reopened.store.close();
      expect(readFileSync(file, 'utf8')).toBe(edited);
    }
    const { store: without, warnings } = await open(file, ['shop']);
    expect(warnings.join()).toContain(`its data is in ${file}.shop.json`);
    await without.close();
    expect(JSON.parse(readFileSync(`${file}.shop.json`, 'utf8')).payments).toHaveLength(2);
    const last = await open(file);
    expect(last.warnings).toEqual([]);
    expect((await last.store.list('innocent', 'payments', { limit: 9 })).items).toHaveLength(2);
    await last.store.close();
  },
);

it('a validly edited session is accepted, and only a contradictory one is refused', async () => {
  const data = join(newFolder(), 'state.json');
  const settings = { data, now: Date.parse('2026-03-01T10:00:00Z'), scenario: 'auto-approve', quiet: true };
  const first = await startSandbox(settings);
  for (const name of ['renamed', 'shop']) {
    const session = new PublicSession(first.url, name);
    await session.call('POST', PAY, single({ payerReference: `ORDER-${name}` }));
    await session.control('POST', '/clock/advance', { by: 'P1D' });
  }
  await first.close();
  const edited = readFileSync(data, 'utf8')
    .replaceAll('ORDER-renamed', 'ORDER-new')
    // The settlement still has the original amount.
    .replace(/"amount":1000(?=.*"payerReference":"ORDER-shop")/, '"amount":1001');
  writeFileSync(data, edited);
  const reopened = await startSandbox(settings);
  const [renamed, shop] = ['renamed', 'shop'].map((name) => new PublicSession(reopened.url, name));
  expect(await renamed?.newestIn('payments')).toMatchObject([{ payerReference: 'ORDER-new' }]);
  const { status, text } = (await shop?.control('GET', '/payments')) ?? {};
  expect([status, text]).toEqual([
    503,
    expect.stringMatching(/session shop cannot be read.*state\.json: session shop: \$\./),
  ]);
  expect(readFileSync(data, 'utf8')).toBe(edited);
  await reopened.close();
});

/** Three payments that the sandbox itself created, and the state of their session. */
async function realPayments() {
  const sandbox = await startSandbox({ data: ':memory:', quiet: true });
  const shop = new PublicSession(sandbox.url, 'shop');
  for (const payerReference of ['ORDER-1', 'ORDER-2', 'ORDER-3']) {
    await shop.call('POST', PAY, single({ payerReference }));
  }
  const { text } = await shop.control('GET', '/state');
  await sandbox.close();
  return JSON.parse(text) as { state: SessionState; payments: Payment[] };
}

it('data of an omitted session can be repaired and restored', async () => {
  const real = await realPayments();
  const data = await createKilledFile((id) => real.payments.find((each) => each.id === id) ?? payment(id));
  editLine(data, 4, MISTAKES['a record'] ?? (() => undefined));
  const sandbox = await startSandbox({ data, withoutSession: ['shop'], quiet: true });
  const { payments, ...others } = JSON.parse(readFileSync(`${data}.shop.json`, 'utf8'));
  const repaired = { ...others, payments: payments.map((each: object) => ({ ...each, amount: 1000 })) };
  const withCounters = { ...repaired, state: real.state };
  const shop = new PublicSession(sandbox.url, 'shop');
  expect(await shop.control('PUT', '/state', withCounters)).toMatchObject({ status: 200 });
  expect(await shop.newestIn('payments')).toHaveLength(3);
  await sandbox.close();
});

it('a sandbox on a database refuses --without-session, because it would do nothing', async () => {
  const settings = { data: 'postgres://127.0.0.1:9/none', withoutSession: ['shop'] };
  await expect(startSandbox(settings)).rejects.toThrow('--without-session is only for a data file');
});

describe('a sandbox with an unreadable session', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    const data = await createKilledFile();
    editLine(data, 2, MISTAKES['a record'] ?? (() => undefined));
    sandbox = await startSandbox({ data, quiet: true });
  });
  afterAll(() => sandbox.close());

  it('refuses calls of that session with 503 and the reason, and serves the others', async () => {
    const shop = new PublicSession(sandbox.url, 'shop');
    const answers = [
      await shop.call('POST', PAY, single()),
      await shop.control('GET', '/payments'),
      await shop.control('POST', '/reset'),
      await shop.control('PUT', '/state', { state: state() }),
      await shop.control('DELETE', '/sessions/shop'),
      await shop.control('POST', '/sessions', { name: 'shop' }),
      await shop.call('GET', '/pay/phone/263770000001'),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    for (const { text } of answers.slice(0, -1)) {
      expect(text).toContain('session shop cannot be read');
      expect(text).toContain('--without-session shop');
    }
    expect((await shop.control('GET', '/health')).status).toBe(200);
    const other = new PublicSession(sandbox.url, 'other');
    expect((await other.call('POST', PAY, single())).status).toBe(200);
    expect((await new PublicSession(sandbox.url, 'innocent').newestIn('payments')).map(({ id }) => id)).toHaveLength(3);
  });
});
