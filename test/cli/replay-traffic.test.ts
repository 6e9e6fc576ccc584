import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Recording } from '../../src/recordings/recording.ts';
import { exampleOf, MERCHANT } from '../interface/examples.ts';
import { callAt, notificationAt } from '../recordings/exchanges.ts';
import { after, BEGIN, recordingOf, Tape } from '../recordings/player/tape.ts';
import { runCommand } from '../run-command.ts';
import { freePort } from '../running.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const run = (folder: string, ...words: string[]) => runCommand(['replay-traffic', folder, '--speed', '0', ...words]);

test('sends the calls to a session, and says that its statuses are the recorded ones', async () => {
  const shop = new Tape(sandbox.url);
  const { paymentId } = await shop.pay({ walletName: 'WALLET_SWITCH', payerReference: 'ORDER-1' });
  await shop.call('GET', '/api/getPaymentDetails', { json: { transactionReference: paymentId ?? '' } });
  const folder = temporaryFolder();
  await recordingOf(folder, shop.calls);
  const target = `${sandbox.url}/s/other`;
  const { code, stdout, stderr } = await run(folder, '--target', target);
  expect(stderr).toBe('');
  expect(stdout).toBe(
    [
      `2 calls sent to ${target}: 0 statuses different, 0 without a whole answer`,
      'recorded  same  different',
      '2xx          1          0',
      '4xx          1          0',
      '',
    ].join('\n'),
  );
  expect(code).toBe(0);
  const payment = await sandbox.client.inSession('other').paymentByReference('ORDER-1');
  expect(payment.state).toBe('Processing');
});

test('a status that differs ends it with 1, and shows where the call stands', async () => {
  const folder = temporaryFolder();
  await recordingOf(folder, [
    callAt(BEGIN),
    callAt(after(1), { id: 'call-2', target: '/nowhere' }),
    notificationAt(after(2)),
  ]);
  const { code, stdout } = await run(folder, '--target', sandbox.url);
  expect(stdout).toContain('2 calls sent to');
  expect(stdout).toMatch(/^call-2 GET \/nowhere \([\w-]+\.jsonl:3\): 200 recorded, 404 now$/m);
  expect(code).toBe(1);
  const { stdout: json } = await run(folder, '--target', sandbox.url, '--json');
  expect(JSON.parse(json)).toMatchObject({
    calls: 2,
    different: 1,
    failed: 0,
    answers: [{ recorded: '2xx', same: 1, different: 1 }],
    first: [{ id: 'call-2', recorded: 200, now: 404 }],
    isStopped: false,
  });
});

test('values that were masked are given by name, and what is written is masked again', async () => {
  const folder = temporaryFolder();
  const json = exampleOf('requests/single-payment', { merchantApiKey: '***0011aabb', merchantKey: '***2233ccdd' });
  await recordingOf(folder, [
    callAt(BEGIN, {
      method: 'POST',
      target: '/init/authenticate/merchant/wallet',
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      body: { json },
    }),
  ]);
  const without = await run(folder, '--target', sandbox.url);
  expect(without.stdout).toContain(
    'sent as they are masked: merchantApiKey, merchantKey; give their values with --values',
  );
  expect(without.code).toBe(1);
  const values = join(temporaryFolder(), 'values.json');
  writeFileSync(values, JSON.stringify({ ...MERCHANT, payerName: 'Zoe Quillfeather' }));
  const out = join(temporaryFolder(), 'out');
  const { code, stdout } = await run(folder, '--target', sandbox.url, '--values', values, '--out', out);
  expect(stdout).not.toContain('masked');
  expect(code).toBe(0);
  const written = await Recording.open(out);
  expect(written.heads[0]?.upstream).toBe(sandbox.url);
  const exchanges = written.exchanges();
  const { value: line } = await exchanges.next();
  await exchanges.return(undefined);
  expect(line?.exchange.answer?.status).toBe(200);
  expect(line?.exchange.target).toBe('/init/authenticate/merchant/wallet');
  expect(readFileSync(join(out, line?.file ?? ''), 'utf8')).not.toContain('Quillfeather');
});

test('nothing that was sent, or nobody who answers, ends it with 2', async () => {
  const [empty, folder] = [temporaryFolder(), temporaryFolder()];
  await recordingOf(empty, []);
  await recordingOf(folder, [callAt(BEGIN)]);
  expect(await run(empty, '--target', sandbox.url)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('0 calls sent'),
  });
  const part = temporaryFolder();
  await recordingOf(part, [callAt(BEGIN), callAt(BEGIN, { method: 'POST', body: { bytes: 5_000_000 } })]);
  const { code, stdout } = await run(part, '--target', sandbox.url);
  expect(stdout).toMatch(
    /^1 call sent[^\n]*: 0 statuses different[\s\S]*not sent: the recording does not have its body/,
  );
  expect(code).toBe(2);
  const odd = temporaryFolder();
  await recordingOf(odd, [callAt(BEGIN, { id: 'call-7', headers: [{ name: 'X-Note', value: '山' }] })]);
  const { code: oddCode, stdout: oddText } = await run(odd, '--target', sandbox.url);
  expect(oddText).toMatch(
    /^0 calls sent[^\n]*: 0 statuses different[\s\S]*\ncall-7 GET \S+ \([^)]+\): not sent: Invalid character/,
  );
  expect(oddCode).toBe(2);
  const gone = await run(folder, '--target', `http://127.0.0.1:${await freePort()}`);
  expect(gone.code).toBe(2);
  expect(gone.stderr).toContain('call-1 (GET /init/banks/all,');
  expect(gone.stderr).toContain('no connection to');
  const missing = await run(join(folder, 'missing'), '--target', sandbox.url);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain(`there is no folder ${join(folder, 'missing')}`);
});

test.each([
  [[], 'replay-traffic needs --target <url>'],
  [['--target', 'ftp://127.0.0.1'], '--target takes an http or https address, not "ftp://127.0.0.1"'],
  [
    ['--target', 'https://provider.test'],
    'provider.test is another machine, and the recorded calls would make payments and payouts there; if that is what you want, repeat with --yes',
  ],
  [['--target', 'http://127.0.0.1:1?a=1'], '--target must be a base address, without a query, a user or a password'],
  [['--target', 'http://me:pw@127.0.0.1:1'], '--target must be a base address, without a query, a user or a password'],
  [['--target', 'http://127.0.0.1:1', '--speed', '-1'], '--speed takes a number such as 2, or 0, not "-1"'],
  [
    ['--target', 'http://127.0.0.1:1', '--values', 'package.json'],
    'package.json must be a JSON object of texts and numbers',
  ],
])('%s is wrong use', async (words, message) => {
  const folder = temporaryFolder();
  await recordingOf(folder, [callAt(BEGIN)]);
  const { code, stderr } = await runCommand(['replay-traffic', folder, ...words]);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test('the recording itself is not written to', async () => {
  const folder = temporaryFolder();
  await recordingOf(folder, [callAt(BEGIN)]);
  const { code, stderr } = await run(folder, '--target', sandbox.url, '--out', `${folder}/.`);
  expect(stderr).toContain('is the recording itself: name another folder for --out');
  expect(code).toBe(2);
});
