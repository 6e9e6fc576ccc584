import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, Recording } from '../../src/recordings/recording.ts';
import { ask, payOn } from '../coverage/merchant.ts';
import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  folder = temporaryFolder();
});

/** The archive of a session with a payment, and a notification that nobody took. */
async function archiveOf(name: string): Promise<string> {
  const session = sandbox.session(name);
  await session.setEndpoints([{ url: 'http://127.0.0.1:9/hook?shop=1' }]);
  await payOn(session);
  await session.settle('ORDER-1', 'Paid');
  await session.advance('PT1S');
  const file = join(folder, 'sandbox.har');
  writeFileSync(file, JSON.stringify(await session.httpArchive()));
  return file;
}

async function exchangesIn(recording: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for await (const { exchange } of (await Recording.open(recording)).exchanges()) {
    exchanges.push(exchange);
  }
  return exchanges;
}

it("makes a recording of a sandbox's archive, with attempts at notifications, and an archive of that", async () => {
  const file = await archiveOf('mine');
  const [made, again, written] = ['made', 'again', 'written.har'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const { code, stdout, stderr } = await runCommand(['import-har', file, '--out', made]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    `${join(made, '2026-03-01T10-00-00-000Z.jsonl')}: 1 call to ${sandbox.url}/s/mine, 1 notification\n`,
  );
  const exchanges = await exchangesIn(made);
  expect(exchanges).toMatchObject([
    {
      ...{ kind: 'call', id: 'call-1', method: 'POST', target: '/init/authenticate/merchant/wallet' },
      body: { json: { merchantId: 'M-1000', payerReference: 'ORDER-1' } },
      answer: { status: 200, body: { json: { paymentInitiationResponse: {} } } },
    },
    {
      ...{ kind: 'notification', id: 'notification-1', method: 'POST', target: '/hook?shop=1' },
      body: { json: { status: 'Paid', paymentReference: 'ORDER-1' } },
      ...{ answer: null, error: 'nothing listens there (connection refused)' },
    },
  ]);

  expect(await runCommand(['export-har', made, '--out', written])).toEqual({
    code: 0,
    stdout: `${written}: 2 entries\n`,
    stderr: '',
  });
  expect(JSON.parse(readFileSync(written, 'utf8'))).toMatchObject({
    log: { entries: [{ request: { url: `${sandbox.url}/s/mine/init/authenticate/merchant/wallet` } }, {}] },
  });
  expect(await runCommand(['import-har', written, '--out', again, '--json'])).toMatchObject({ code: 0 });
  expect(await exchangesIn(again)).toEqual(exchanges);
});

it('makes a recording that a sandbox plays with no difference', async () => {
  const session = sandbox.session('played');
  await payOn(session);
  await ask(session);
  const file = join(folder, 'played.har');
  writeFileSync(file, (await runCommand(['har', '--url', sandbox.url, '--session', 'played'])).stdout);
  expect(readFileSync(file, 'utf8')).not.toContain('test-api-key-1000');
  const made = join(folder, 'played');
  expect(await runCommand(['import-har', file, '--out', made])).toMatchObject({ code: 0, stderr: '' });
  expect(await exchangesIn(made)).toMatchObject([{}, {}, { answer: { status: 200 } }]);
  expect(await runCommand(['drift', made])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Compared: 3 exchanges'),
  });
}, 30_000);

it('says that credentials of merchants that are not shipped stay masked', async () => {
  const file = join(folder, 'other.har');
  const postData = { mimeType: 'application/json', text: '{"merchantId":"M-77","merchantKey":"***"}' };
  const request = { method: 'POST', url: 'https://api.test/auth/authenticate/merchant', postData };
  const entry = { startedDateTime: '2026-03-01T10:00:00Z', request, response: { status: 200 } };
  writeFileSync(file, JSON.stringify({ log: { entries: [entry] } }));
  expect((await runCommand(['import-har', file, '--out', join(folder, 'other')])).stdout).toContain(
    'credentials are masked in the archive and stay so: ',
  );
});

it('says that tokens of several merchants are masked alike', async () => {
  const file = join(folder, 'tokens.har');
  const entryOf = (merchantId: string) => {
    const text = JSON.stringify({ merchantId, merchantKey: '***' });
    const request = { method: 'POST', url: 'https://api.test/auth', postData: { mimeType: 'application/json', text } };
    const content = { mimeType: 'application/json', text: '{"token":"***"}' };
    return { startedDateTime: '2026-03-01T10:00:00Z', request, response: { status: 200, content } };
  };
  const linesOf = async (...merchants: string[]) => {
    writeFileSync(file, JSON.stringify({ log: { entries: merchants.map(entryOf) } }));
    return (await runCommand(['import-har', file, '--out', join(folder, `of-${merchants.length}`)])).stdout;
  };
  expect(await linesOf('M-1000')).not.toContain('tokens');
  expect(await linesOf('M-1000', 'M-2000', 'M-1000')).toContain('\ntokens of several merchants are masked alike');
});

it('says what it left out', async () => {
  const file = join(folder, 'browser.har');
  const entryOf = (url: string) => ({
    startedDateTime: '2026-03-01T10:00:00Z',
    request: { method: 'GET', url },
    response: { status: 200 },
  });
  const urls = ['https://api.test/v1/a', 'wss://api.test/v1/live', 'https://cdn.test/a', 'https://cdn.test/b'];
  writeFileSync(file, JSON.stringify({ log: { entries: urls.map(entryOf) } }));
  const { code, stdout } = await runCommand([
    'import-har',
    file,
    '--out',
    join(folder, 'made'),
    '--upstream',
    'https://api.test/v1',
  ]);
  expect([code, ...stdout.split('\n').slice(1)]).toEqual([
    ...[0, 'left out: 1 WebSocket', 'left out: 2 entries of https://cdn.test', ''],
  ]);
});

it.each([
  ['import-har x.har', '--out is missing: the folder for the recording'],
  ['export-har src', '--out is missing: the file to write'],
  ['import-har nowhere.har --out made', 'nowhere.har cannot be read as an HTTP archive: '],
  ['import-har x.har --out made --upstream a.test', '--upstream must be an http or https address; received a.test'],
  ['export-har src --out x.har', 'src has no recording: no file in it ends with .jsonl'],
])('%s is a wrong use', async (words, message) => {
  const { code, stderr } = await runCommand(words.split(' '));
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
