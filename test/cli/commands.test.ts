import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { VERSION } from '../../src/base/package.ts';
import { fetchList } from '../../src/cli/commands/lists.ts';
import { SandboxClient } from '../../src/client/client.ts';
import { tableOf } from '../../src/command/show.ts';
import { post } from '../interface/calls.ts';
import { exampleOf } from '../interface/examples.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { sendPasted } from '../pasted-command.ts';
import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
beforeEach(() => sandbox.client.reset());
afterAll(() => sandbox.close());

async function run(...args: string[]) {
  return runCommand([...args, '--url', sandbox.url]);
}

async function json(...args: string[]) {
  const { stdout } = await run(...args, '--json');
  return JSON.parse(stdout);
}

async function pay(
  payerReference: string,
  members: Record<string, unknown> = {},
  baseUrl = sandbox.url,
): Promise<void> {
  await fetch(`${baseUrl}/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(exampleOf('requests/single-payment', { payerReference, ...members })),
  });
}

it('the commands list and decide payments', async () => {
  await pay('ORDER-1');
  await pay('ORDER-2');
  const { stdout } = await run('payments');
  const [head = '', newest = ''] = stdout.split('\n');
  expect(head).toMatch(/^id +state +channel +amount/);
  expect(newest).toMatch(/^payment-2 +Processing +qr-wallet +10\.00 +USD +M-1000 +ORDER-2/);
  expect((await run('settle', 'ORDER-1', 'paid')).stdout).toContain('Paid');
  expect(await json('payments', 'state=paid')).toMatchObject([{ payerReference: 'ORDER-1', state: 'Paid' }]);
  const secondResult = await run('settle', 'ORDER-1', 'Failed');
  expect([secondResult.code, secondResult.stderr]).toEqual([
    1,
    'merchant-sandbox: payment-1 is Paid and cannot become Failed\n',
  ]);
});

describe('a list as JSON', () => {
  it.each(['payments', 'requests', 'events', 'jobs', 'ledger entries'])('of %s has every entry', async (list) => {
    for (let number = 1; number <= 60; number += 1) {
      await pay(`ORDER-${number}`);
      if (list.startsWith('ledger')) {
        await sandbox.client.settle(`ORDER-${number}`, 'Paid');
      }
    }
    const [all, some] = await Promise.all([
      run(...list.split(' '), '--json'),
      run(...list.split(' '), 'limit=7', '--json'),
    ]);
    const items = JSON.parse(all.stdout);
    expect(items.length).toBeGreaterThanOrEqual(60);
    expect(new Set(items.map((item: object) => JSON.stringify(item))).size).toBe(items.length);
    expect(all.stderr).toBe('');
    expect(JSON.parse(some.stdout)).toHaveLength(7);
    expect(some.stderr).toMatch(/^There are more: add limit=1000, or cursor=\S+ for the next page\.\n$/);
  });

  it('has all pages of a list with more than a thousand entries', async () => {
    class Paged extends SandboxClient {
      override async list<Item>(_name: string, { cursor = '0', limit = '' }: Record<string, string> = {}) {
        const end = Math.min(Number(cursor) + Number(limit), 2500);
        const items = Array.from({ length: end - Number(cursor) }, (_, index) => Number(cursor) + index) as Item[];
        return { items, nextCursor: end === 2500 ? null : String(end) };
      }
    }
    const { items } = await fetchList<number>(new Paged({ url: sandbox.url }), 'payments', {}, { json: true });
    expect(items).toEqual(Array.from({ length: 2500 }, (_, index) => index));
  });
});

it('the commands show settlements, statements and the ledger', async () => {
  await pay('ORDER-1');
  await run('settle', 'ORDER-1', 'paid');
  await run('clock', 'advance', 'P1D');
  expect((await run('settlements')).stdout).toMatch(
    /^settlement-1 +Paid +M-1000 +2026-03-01 +1 +7\.60 +7\.60 +USD +2026-03-02$/m,
  );
  const { stdout: page } = await run('settlements', 'settlement-1');
  expect(
    page
      .split('\n\n')
      .find((part) => part.startsWith('totals'))
      ?.trimEnd(),
  ).toBe(
    [
      'totals',
      '  type         count  gross    fee   net',
      '  payment          1  10.00  -2.40  7.60',
      '  total            1  10.00  -2.40  7.60',
      '  transferred      -      -      -  7.60',
    ].join('\n'),
  );
  expect((await run('statement', 'settlement-1')).stdout).toMatch(
    /^ {2}entry +amount .*\n {2}opening balance +0\.00 .*\n {2}\w{16} +7\.60 +transfer +2026-03-02 .*\n {2}closing balance +7\.60/m,
  );
  expect((await run('statement', 'settlement-1', 'format=mt940')).stdout).toMatch(/^:62M:C260302USD7,60\n-$/m);
  const file = join(newFolder(), 'statement.sta');
  expect((await run('statement', 'settlement-1', 'format=mt940', '--output', file)).stdout).toBe(`${file}\n`);
  expect(readFileSync(file, 'utf8')).toMatch(/^:20:\w{16}\r\n/);
  expect((await run('statement', 'settlement-1', 'mt940')).code).toBe(2);
  expect((await run('ledger')).stdout).toMatch(/^production +USD +fees:gateway +0\.00 +0\.20 +0\.20$/m);
  expect((await run('ledger', 'entries', 'recordId=payment-1')).stdout).toContain('payers:qr-wallet 10.00 D');
  expect((await run('ledger', 'check')).stdout).toMatch(/^The books balance: 3 entries of 2 records/);
  expect((await run('ledger', 'bills')).code).toBe(2);
  await pay('ORDER-2', { amount: '1.00' });
  await run('settle', 'ORDER-2', 'paid');
  await run('clock', 'advance', 'P1D');
  expect((await run('settlements', 'settlement-2')).stdout).toMatch(
    /^ {2}carried out +- +- +- +1\.04\n {2}transferred .* 0\.00$/m,
  );
  expect((await run('balances', 'merchantId=M-1000')).stdout).toMatch(
    /^M-1000 +production +USD +0\.00 +-1\.04 +0\.00 +-1\.04$/m,
  );
});

it('ledger check fails if the books do not balance, and shows the differences', async () => {
  const differences = [{ subject: 'settlement-1', expected: 'gross 1001, by the records', found: '1000' }];
  const sums = { records: 2, entries: 3, postings: 12, moves: 3, accounts: 5 };
  const server = createServer(async ({ url }, response) => {
    const isCheck = url?.endsWith('/ledger/check');
    response.writeHead(isCheck ? 500 : 200, { 'content-type': 'application/json' });
    response.end(
      isCheck
        ? JSON.stringify({ balanced: false, ...sums, differences })
        : await (await fetch(`${sandbox.url}${url}`)).text(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stdout } = await runCommand(['ledger', 'check', '--url', `http://127.0.0.1:${port}`]);
  server.close();
  expect([code, stdout]).toEqual([1, expect.stringContaining('gross 1001, by the records')]);
});

it('settle-payout decides a payout or one of its credits, and returns a paid credit', async () => {
  await post('/init/authenticate/merchant/bulkPayment', exampleOf('requests/bulk-payout'), sandbox.url);
  const one = await run('settle-payout', 'PAYOUT-1', 'failed', 'AC04', '--credit', '2');
  expect(one.stdout).toMatch(/^payout-1 +Processing +100\.50 +USD/m);
  expect(one.stdout).toMatch(/^2 +Failed +40\.00 +USD +2000000002 +Receiver Two +AC04 +Closed account number$/m);
  expect(await json('settle-payout', 'PAYOUT-1', 'Paid')).toMatchObject({ state: 'PartlyPaid' });
  expect(await json('settle-payout', 'payout-1', 'Returned', '--credit', '1')).toMatchObject({ state: 'Failed' });
  const secondResult = await run('settle-payout', 'PAYOUT-1', 'Paid', '--credit', '2');
  expect([secondResult.code, secondResult.stderr]).toEqual([
    1,
    'merchant-sandbox: credit 2 of payout-1 is Failed and cannot become Paid\n',
  ]);
  expect((await run('settle-payout', 'PAYOUT-1', 'Paid', '--credit', 'two')).code).toBe(2);
});

it('the command clock shows and moves the clock, and lists the events of a move', async () => {
  await pay('ORDER-1');
  const { stdout } = await run('clock', 'advance', 'PT15M');
  expect(stdout.split('\n')).toEqual([
    'clock     frozen',
    'now       2026-03-01T10:15:00.000Z',
    'next due  nothing',
    'happened  1 event',
    '  2026-03-01T10:15:00.000Z  payment.expired  payment-1: ORDER-1, 10.00 USD on qr-wallet, at the due time, code 68, Response received too late',
    '',
  ]);
  expect(await json('clock', 'advance', 'PT1S')).toMatchObject({ mode: 'frozen', now: '2026-03-01T10:15:01.000Z' });
  expect(await run('clock', 'jump')).toMatchObject({
    code: 2,
    stderr: 'merchant-sandbox: clock takes freeze, advance, real or idle, not jump\n',
  });
  expect(await run('clock', 'real', '5')).toMatchObject({
    code: 2,
    stderr: 'merchant-sandbox: clock real takes no value; leave out 5\n',
  });
  expect((await run('clock', 'idle', 'P1D')).code).toBe(2);
  expect((await sandbox.client.clock()).mode).toBe('frozen');
  await sandbox.client.unfreeze();
  expect((await run('clock')).stdout).toMatch(/^clock +real, the machine's own time\n/);
  await sandbox.client.advance('P30D');
  expect((await run('clock')).stdout).toMatch(/^clock +real, moved ahead by P30D\n/);
});

it.each([['-P1D'], ['-5'], ['--', '-PT1S']])('clock advance rejects a negative duration: %s', async (...words) => {
  const { code, stderr } = await runCommand(['clock', '--url', sandbox.url, 'advance', ...words]);
  expect([code, stderr]).toEqual([
    2,
    `merchant-sandbox: clock advance takes a duration such as 15m, PT15M, 1.5s or P1M: not negative, in whole milliseconds, at most P1000Y, not "${words.at(-1)}"\n`,
  ]);
});

it('the commands list and choose scenarios, and reset the session', async () => {
  expect((await run('scenario')).stdout).toMatch(/^\* +payer-decides/m);
  expect((await run('scenario', 'declined')).stdout).toMatch(/^\* +declined/m);
  expect(await json('scenario', 'declined')).toMatchObject({ name: 'declined', rules: expect.any(Array) });
  const active = (await json('scenario')).flatMap((each: { name: string; active: boolean }) =>
    each.active === false ? [] : [[each.name, each.active]],
  );
  expect(active).toEqual([['declined', true]]);
  expect(await json('reset')).toMatchObject({ scenario: 'payer-decides' });
});

it('the command endpoints accepts addresses and a secret in any order, and uses the secret for all addresses', async () => {
  const [secret, ...urls] = [`whsec_${btoa('a secret of the receiver')}`, 'http://127.0.0.1:1/', 'http://127.0.0.1:2/'];
  const all = urls.map((url) => expect.objectContaining({ url, secret }));
  expect(await json('endpoints', ...urls, '--secret', secret)).toEqual(all);
  expect(await json('endpoints', '--secret', secret, ...urls)).toEqual(all);
  expect(await json('endpoints', ...urls)).toEqual(all);
  expect(await run('endpoints', '--secret', secret)).toMatchObject({
    code: 2,
    stderr: 'merchant-sandbox: --secret needs the address that it is for\n',
  });
});

it('reset deletes the endpoints of the session, but keeps those of --webhook-url, as its help says', async () => {
  const other = await startSandbox({ webhookUrl: 'sandbox:catch' });
  await other.client.setEndpoints(['http://127.0.0.1:1/']);
  const urls = async () => (await other.client.endpoints()).endpoints.map(({ url }) => url);
  expect(await urls()).toEqual(expect.arrayContaining(['http://127.0.0.1:1/', 'sandbox:catch']));
  await runCommand(['reset', '--url', other.url]);
  expect(await urls()).toEqual(['sandbox:catch']);
  await other.close();
  expect((await runCommand(['reset', '--help'])).stdout).toContain(
    'Endpoints of --webhook-url and merchants.json are kept.',
  );
});

it('the command requests lists the calls of the named session', async () => {
  await fetch(`${sandbox.url}/s/other/nothing`);
  expect(await json('requests', '--session', 'other')).toMatchObject([{ path: '/nothing', answer: { status: 404 } }]);
});

it('the commands list notifications, and resend one', async () => {
  await sandbox.client.setEndpoints([{ url: 'http://127.0.0.1:1/' }]);
  await pay('ORDER-1');
  await sandbox.client.settle('ORDER-1', 'Paid');
  await sandbox.client.waitForEvent('delivery.failed', LONG_WAIT);
  expect((await run('deliveries', 'type=payment.paid')).stdout).toMatch(
    /^delivery-1 +pending +payment\.paid +ORDER-1 +payment-1 +http:\/\/127\.0\.0\.1:1\/ +1 +nothing listens there/m,
  );
  const { stdout } = await run('deliveries', 'delivery-1');
  expect(stdout).toMatch(/\n\nNotification payment\.paid: .*nothing listens there.*\.\n$/);
  expect(stdout).not.toContain('sentence');
  expect(await json('resend', 'delivery-1')).toMatchObject([{ id: 'delivery-1', state: 'pending' }]);
});

it('the command payments shows one payment by its reference, and as JSON for programs', async () => {
  await pay('ORDER-1');
  const { stdout } = await run('payments', 'ORDER-1');
  expect(stdout).toMatch(/^id +payment-1\n/);
  expect(stdout).toMatch(
    /\ntimeline\n +at +what +why +details +id\n.*Initiate payment.*\n +\S+ +Created +by the merchant +10\.00 USD +request-1\n/,
  );
  expect(await json('payments', 'ORDER-1')).toMatchObject({
    id: 'payment-1',
    state: 'Processing',
    timeline: { entries: [{ kind: 'request.answered' }, { kind: 'payment.created' }, { isAhead: true }] },
  });
});

it('an invalid duration is refused with the valid form and the typed text', async () => {
  expect(await run('clock', 'advance', '5M')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^merchant-sandbox: clock advance takes a duration such as 15m.*, not "5M"\n$/),
  });
});

it.each([[['--follow']], [['0', '--follow']]])(
  'the command events with %j shows events as they happen, with the calls in between',
  async (words) => {
    await pay('ORDER-1');
    const following = spawn(process.execPath, ['dist/cli.js', 'events', ...words, '--url', sandbox.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: following.stdout })) {
      lines.push(line);
      if (line.includes('payment.created')) {
        await run('settle', 'ORDER-1', 'Paid');
      }
      if (line.includes('payment.paid')) {
        following.kill();
      }
    }
    const facts = 'ORDER-1, 10.00 USD on qr-wallet';
    expect(lines).toEqual([
      '1  2026-03-01T10:00:00.000Z  session.reset',
      `2  2026-03-01T10:00:00.000Z  payment.created  payment-1: ${facts}, waits for its payer until 2026-03-01T10:15:00.000Z`,
      expect.stringMatching(
        new RegExp(
          `^-  2026-03-01T10:00:00.000Z  request.answered  POST /init/\\S+ initiatePayment 200 \\d+ms request-1: payment-1: ${facts}`,
        ),
      ),
      `3  2026-03-01T10:00:00.000Z  payment.paid  payment-1: ${facts}, by the control API, code 00, Approved or completed successfully`,
    ]);
  },
);

it('the command events lists the latest events that match its filters, newest first', async () => {
  await pay('ORDER-1');
  await run('settle', 'ORDER-1', 'Paid');
  const [newest, ...others] = (await run('events')).stdout.trimEnd().split('\n').slice(1);
  expect(newest).toMatch(/^3 +2026-03-01T10:00:00.000Z +payment.paid +payment-1: ORDER-1, 10.00 USD on qr-wallet, by/);
  expect(others.map((line) => line.split(/ +/)[2])).toEqual(['payment.created', 'session.reset']);
  expect(await json('events', 'type=payment.created')).toMatchObject([{ id: 2, subjectId: 'payment-1' }]);
  expect((await run('events', 'limit=1')).stdout).toContain('There are more: add limit=1000, or cursor=');
  expect((await json('events', '1')).map(({ id }: { id: number }) => id)).toEqual([2, 3]);
});

it('the command events follows the events that match its filters', async () => {
  await pay('ORDER-1');
  const following = spawn(
    process.execPath,
    ['dist/cli.js', 'events', '--follow', 'collection=payments', '--url', sandbox.url, '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const types: string[] = [];
  for await (const line of createInterface({ input: following.stdout })) {
    types.push(JSON.parse(line).type);
    if (types.length === 1) {
      await run('settle', 'ORDER-1', 'Paid');
    } else {
      following.kill();
    }
  }
  expect(types).toEqual(['payment.created', 'payment.paid']);
});

it('the command events shows for a notification the reference of its payment, also with --follow', async () => {
  await sandbox.client.setEndpoints([{ url: 'http://127.0.0.1:1/' }]);
  await pay('ORDER-1');
  await sandbox.client.settle('ORDER-1', 'Paid');
  await sandbox.client.waitForEvent('delivery.failed', LONG_WAIT);
  const words = 'delivery-1: payment.paid of payment-1 (ORDER-1) to http://127.0.0.1:1/, attempt 1';
  expect((await run('events', 'type=delivery.failed')).stdout).toContain(words);
  const args = ['dist/cli.js', 'events', '--follow', 'collection=deliveries', '--url', sandbox.url];
  const following = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: following.stdout })) {
    lines.push(line);
    following.kill();
  }
  expect(lines[0]).toContain(words);
});

it.each([
  ['payment-1', "events takes an event's number, or filters such as type=payment.paid, not payment-1"],
  ['limit=5 --follow', 'limit= works in lists only; leave it out to follow'],
  ['0 search=ORDER --follow', 'search= works in lists only; leave it out to follow'],
])('the command events refuses %s, and says what to write instead', async (words, reason) => {
  expect(await run('events', ...words.split(' '))).toMatchObject({ code: 2, stderr: `merchant-sandbox: ${reason}\n` });
});

it('a command reports the address at which no sandbox is running', async () => {
  const { code, stderr } = await runCommand(['payments', '--url', 'http://127.0.0.1:1']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:1')]);
});

it.each(['4710', 'localhost:4711', 'http://', 'ftp://127.0.0.1'])(
  '%j is refused at once as the address of a sandbox',
  async (address) => {
    const rule = `must be an http or https address such as http://127.0.0.1:4100, not ${JSON.stringify(address)}\n`;
    expect(await runCommand(['payments', `--url=${address}`])).toMatchObject({
      code: 2,
      stderr: `merchant-sandbox: --url ${rule}`,
    });
    expect(await runCommand(['wait'], { SANDBOX_URL: address })).toMatchObject({
      code: 2,
      stderr: `merchant-sandbox: SANDBOX_URL ${rule}`,
    });
    expect((await runCommand(['payments', '--help'], { SANDBOX_URL: address })).code).toBe(0);
  },
);

it.each(['', ' '])('an address or token that is %j counts as unset, in flags and variables', async (empty) => {
  const exposed = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
  const unset = { MERCHANT_SANDBOX_URL: empty, SANDBOX_URL: empty, SANDBOX_PORT: empty };
  expect(await runCommand(['health'], unset)).toEqual(await runCommand(['health']));
  const flags = ['--url', empty, `--control-token=${empty}`];
  const environment = { ...unset, SANDBOX_PORT: new URL(exposed.url).port, SANDBOX_CONTROL_TOKEN: 'a-token' };
  expect(await runCommand([...flags, 'payments'], environment)).toMatchObject({ code: 0, stderr: '' });
  expect(await runCommand(['payments', ...flags], { ...environment, SANDBOX_CONTROL_TOKEN: empty })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('give its control token with'),
  });
  await exposed.close();
});

it('a missing or wrong control token is reported, with the flag for it', async () => {
  const exposed = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
  const ask = (...args: string[]) => runCommand(['payments', '--url', exposed.url, ...args]);
  const flag = '--control-token or SANDBOX_CONTROL_TOKEN';
  expect(await ask()).toMatchObject({
    code: 1,
    stderr: `merchant-sandbox: the sandbox listens beyond loopback: give its control token with ${flag} (it was printed at the start)\n`,
  });
  const wrong = await ask('--control-token', 'another', '--json');
  expect(JSON.parse(wrong.stderr)).toMatchObject({
    status: 401,
    detail: `the control token is wrong: give the one that was printed at the start with ${flag}`,
  });
  expect((await ask('--control-token', 'a-token')).code).toBe(0);
  const { code, stdout } = await runCommand(['payments', '--help'], { SANDBOX_CONTROL_TOKEN: 'a-token' });
  expect([code, stdout.includes('a-token')]).toEqual([0, false]);
  await exposed.close();
});

it.each(['record', 'drift'])('the command %s accepts none of the flags that choose a sandbox', async (name) => {
  const { stdout } = await runCommand([name, '--help']);
  expect(stdout).not.toMatch(/--url|--session|--control-token/);
  expect((await runCommand([name, 'x', '--session', 'a'])).stderr).toContain(`${name} takes no flag --session`);
});

it('an empty table is shown as none, and a missing value as a dash', () => {
  expect(tableOf([], ['id']).text).toBe('none');
  expect(tableOf([{ id: 'a', b: null }], ['id', 'b']).text).toBe('id  b\na   -');
});

it('the command requests lists calls, and shows one call with each mistake at its place, and as a curl command', async () => {
  await pay('ORDER-1', { amount: 10, payerName: undefined, note: "it's" });
  const { stdout } = await run('requests', 'status=400');
  expect(stdout).toMatch(/^request-1 +\S+ +initiatePayment +400 +ORDER-1 +\$\.payerName: expected/m);
  const output = (await run('requests', 'request-1')).stdout;
  expect(output).toMatch(/^ {2}\{\n {4}\^ \$\.payerName: expected .*, received nothing$/m);
  expect(output).toMatch(/^ {4}"amount": 10,\n {4}\^ expected .*, received number 10$/m);
  expect(output).toMatch(/^ {4}"note": "it's"\n {4}\^ warning SBX-W01: expected no such field/m);
  expect(output).toContain('"merchantKey": "***"');
  const curl = /^ {2}(curl .*)$/m.exec(output)?.[1]?.replaceAll('***', 'test') ?? '';
  expect(await (await sendPasted(curl)).text()).toContain('$.amount');
  expect(curl).toContain(`"note":"it'\\''s"`);
  expect(await json('requests', 'request-1')).toMatchObject({ id: 'request-1', reference: 'ORDER-1' });
});

it('a finding is shown below its member at any depth', async () => {
  await pay('ORDER-1', { dynamicPaidList: [{ dynamicMerchantId: 7 }] });
  expect((await run('requests', 'request-1')).stdout).toMatch(
    /^ {6}\{\n {8}\^ \S+Percentage: expected .*\n {8}"dynamicMerchantId": 7\n {8}\^ expected a string/m,
  );
});

it('the command events lists at most limit= events after a number', async () => {
  await pay('ORDER-1');
  const items = await json('events', '0', 'limit=1');
  expect(items).toMatchObject([{ id: 1 }]);
  expect((await run('events', '0', 'limit=x')).stderr).toContain('limit= takes a whole number above 0, not x');
});

it.each(['status=400', 'refused=true'])('the command requests follows the calls that match %s', async (filter) => {
  await pay('ORDER-1');
  const following = spawn(process.execPath, ['dist/cli.js', 'requests', '--follow', filter, '--url', sandbox.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await pay('ORDER-2', { amount: 10 });
  const lines: string[] = [];
  for await (const line of createInterface({ input: following.stdout })) {
    lines.push(line);
    if (line.includes('ORDER-3')) {
      following.kill();
    } else {
      await pay('ORDER-3', { amount: 11 });
    }
  }
  expect(lines).toEqual([
    expect.stringMatching(/initiatePayment 400 \d+ms request-2 ORDER-2: \$\.amount/),
    expect.stringMatching(/initiatePayment 400 \d+ms request-3 ORDER-3: \$\.amount/),
  ]);
});

it('the list of sessions shows for a fork its original session, and the step at which it was forked', async () => {
  await pay('ORDER-1');
  await run('fork', 'default', '--as', 'copy', '--at', 'request-1');
  expect((await run('sessions')).stdout).toMatch(/^copy .* default request-1 +http/m);
  await sandbox.client.deleteSession('copy');
});

it('the commands list payouts, links, recurring payments, jobs and sessions', async () => {
  await pay('ORDER-1');
  const lists = ['payouts', 'links', 'recurring'];
  expect(await Promise.all(lists.map((list) => json(list)))).toEqual([[], [], []]);
  expect((await run('jobs', 'kind=Settle-Payment')).stdout).toMatch(
    /^2026-03-01T10:15:00\.000Z +settle-payment +payment-1 +queued/m,
  );
  expect((await run('sessions')).stdout).toMatch(/^default +payer-decides +standard +frozen +2026-03-01/m);
  expect(await json('payments', 'ORDER-1')).toMatchObject({ id: 'payment-1' });
});

it('health reports whether the sandbox is ready, and wait ends when it is, or at its timeout', async () => {
  expect(await json('health')).toMatchObject({ status: 'ok' });
  expect(await run('wait')).toMatchObject({ code: 0, stdout: `${sandbox.url} is ready\n` });
  const result = await runCommand(['wait', '--timeout', '0.3', '--url', 'http://127.0.0.1:1']);
  expect([result.code, result.stderr]).toEqual([
    1,
    'merchant-sandbox: http://127.0.0.1:1 was not ready within 0.3 seconds: no answer\n',
  ]);
  expect((await run('wait', '--timeout', 'soon')).code).toBe(2);
});

it('flags may be placed before the command, too', async () => {
  const { stdout } = await runCommand(['--json', '--url', sandbox.url, 'clock']);
  expect(JSON.parse(stdout)).toMatchObject({ mode: 'frozen' });
});

it.each([
  ['an unknown filter', ['payments', 'stat=Paid'], 2, 'there is no filter stat, did you mean state?'],
  ['a value that a filter cannot have', ['requests', 'status=bad'], 2, 'status: expected an integer'],
  ['a misspelled value of a filter', ['payments', 'state=Pid'], 2, 'state cannot be Pid, did you mean Paid?'],
  ['a value unlike any valid one', ['links', 'type=x'], 2, 'type cannot be x; there are ONCE_OFF_FIXED, OPEN_'],
  ['a filter without a value', ['jobs', 'kind'], 2, 'write a filter as name=value'],
  [
    'an unknown session',
    ['payments', '--session', 'defualt'],
    1,
    'there is no session "defualt", did you mean default?',
  ],
  ['an unknown session in a resend', ['resend', '--session', 'typo'], 1, 'there is no session "typo"'],
  ['an unknown record', ['payments', 'ORDER-9'], 1, 'there is no "ORDER-9" among the payments'],
  ['an unknown command', ['paymets'], 2, 'there is no command paymets, did you mean payments?'],
])('the program refuses %s; with --json, the error is JSON', async (_title, args, code, words) => {
  const [people, program] = await Promise.all([run(...args), run(...args, '--json')]);
  expect(people).toEqual({ code, stdout: '', stderr: expect.stringContaining(words) });
  expect([program.code, program.stdout, JSON.parse(program.stderr).detail]).toEqual([
    code,
    '',
    expect.stringContaining(words),
  ]);
});

it('every wrong flag is named at once, each with a suggestion or the expected value', async () => {
  expect((await run('payments', '--sesion', 'x', '--jsn')).stderr.split('\n')).toEqual([
    'merchant-sandbox: payments takes no flag --sesion, did you mean --session?',
    'merchant-sandbox: payments takes no flag --jsn, did you mean --json?',
    '',
  ]);
  const { code, stderr } = await runCommand([
    'start',
    '--prot',
    '1',
    '--port',
    'x',
    '--now',
    'noon',
    '--quiet=yes',
    '--seed',
  ]);
  expect([code, stderr.split('\n')]).toEqual([
    2,
    [
      'merchant-sandbox: start takes no flag --prot, did you mean --port?',
      'merchant-sandbox: --quiet takes no value',
      'merchant-sandbox: --seed needs a value: --seed <text>',
      expect.stringContaining('--port must be a whole number'),
      expect.stringContaining('--now must be an RFC 3339 instant'),
      '',
    ],
  ]);
});

it('a misspelled flag that all commands have gets a suggestion, too', async () => {
  expect((await runCommand(['--versio'])).stderr).toBe(
    'merchant-sandbox: start takes no flag --versio, did you mean --version?\n',
  );
});

it.each(['--version', '-v', 'pay -v'])('the version of the package is printed by %s', async (words) => {
  expect(await runCommand(words.split(' '))).toMatchObject({ code: 0, stdout: `${VERSION}\n` });
});

it('a flag is not read as the value of another', async () => {
  const { code, stderr } = await run('settle-payout', 'A', 'Paid', '--credit');
  expect([code, stderr]).toEqual([2, 'merchant-sandbox: --credit needs a value: --credit <number>\n']);
});

it('a control character in a request never reaches the terminal', async () => {
  await pay('A\u001b[31m\u009b\u202eB', { amount: '\u001b]0;x\u0007', ['\u001b[1mname']: 1 });
  await pay('A\u001b[31m\u009b\u202eB');
  const shown = await Promise.all([
    run('requests'),
    run('requests', 'request-1'),
    run('requests', 'request-1', '--json'),
    run('payments', '--json'),
    run('payments', 'payment-1'),
    run('clock', 'advance', 'PT15M'),
  ]);
  for (const { stdout, stderr } of shown) {
    expect(stdout).toContain('\\u009b');
    expect((stdout + stderr).match(/(?!\n)[\p{Cc}\u202e]/gu)).toBeNull();
  }
});
