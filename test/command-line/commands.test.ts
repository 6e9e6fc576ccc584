import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { tableOf } from '../../src/commands/show.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox.ts';
import { exampleOf } from '../interface/examples.ts';
import { runProgram } from '../running.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
beforeEach(() => sandbox.client.reset());
afterAll(() => sandbox.close());

async function run(...args: string[]) {
  return runProgram([...args, '--url', sandbox.url]);
}

async function json(...args: string[]) {
  const { stdout } = await run(...args, '--json');
  return JSON.parse(stdout);
}

async function pay(payerReference: string): Promise<void> {
  await fetch(`${sandbox.url}/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(exampleOf('requests/single-payment', { payerReference })),
  });
}

it('lists and settles payments', async () => {
  await pay('ORDER-1');
  await pay('ORDER-2');
  const { stdout } = await run('payments');
  const [head = '', newest = ''] = stdout.split('\n');
  expect(head).toMatch(/^id +state +channel +amount/);
  expect(newest).toMatch(/^payment-2 +Processing +qr-wallet +10\.00 +USD +M-1000 +ORDER-2/);
  expect((await run('settle', 'ORDER-1', 'Paid')).stdout).toContain('Paid');
  expect(await json('payments', 'state=Paid')).toMatchObject([{ payerReference: 'ORDER-1', state: 'Paid' }]);
  const again = await run('settle', 'ORDER-1', 'Failed');
  expect([again.code, again.stderr]).toEqual([1, 'merchant-sandbox: payment-1 is Paid and cannot become Failed\n']);
});

it('shows and moves the clock, with what happened', async () => {
  await pay('ORDER-1');
  expect(await json('clock', 'advance', 'PT15M')).toMatchObject([
    { mode: 'frozen', now: '2026-03-01T10:15:00.000Z', happened: 'payment.expired payment-1' },
  ]);
  expect((await run('clock')).stdout).toContain('2026-03-01T10:15:00.000Z');
  expect((await run('clock', 'jump')).stderr).toContain('clock takes freeze, advance, real or idle, not jump');
});

it('lists and chooses scenarios, and resets', async () => {
  expect((await run('scenario')).stdout).toMatch(/^\* +payer-decides/m);
  expect((await run('scenario', 'declined')).stdout).toMatch(/^\* +declined/m);
  expect(await json('reset')).toMatchObject([{ scenario: 'payer-decides' }]);
});

it('lists the last calls of one session', async () => {
  await fetch(`${sandbox.url}/s/other/nothing`);
  expect(await json('requests', '--session', 'other')).toMatchObject([{ path: '/nothing', status: 404 }]);
});

it('lists notifications, and sends one once more', async () => {
  await sandbox.client.setEndpoints([{ url: 'http://127.0.0.1:1/' }]);
  await pay('ORDER-1');
  await sandbox.client.settle('ORDER-1', 'Paid');
  await sandbox.client.waitForEvent('delivery.failed');
  expect((await run('deliveries', 'type=payment.paid')).stdout).toMatch(
    /^delivery-1 +pending +payment\.paid +payment-1 +http:\/\/127\.0\.0\.1:1\/ +1 +nobody listens there/m,
  );
  expect(await json('replay', 'delivery-1')).toMatchObject([{ id: 'delivery-1', state: 'pending' }]);
});

it('shows events as they happen', async () => {
  await pay('ORDER-1');
  const following = spawn(process.execPath, ['dist/cli.js', 'events', '0', '--url', sandbox.url], {
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
  expect(lines).toEqual([
    '1  2026-03-01T10:00:00.000Z  session.reset  -',
    '2  2026-03-01T10:00:00.000Z  payment.created  payment-1',
    '3  2026-03-01T10:00:00.000Z  payment.paid  payment-1',
  ]);
});

it('says how to find a sandbox that is not there', async () => {
  const { code, stderr } = await runProgram(['payments', '--url', 'http://127.0.0.1:1']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('http://127.0.0.1:1')]);
});

it('says none where a table would be empty, and writes what is missing as a dash', () => {
  expect(tableOf([], ['id'])).toBe('none');
  expect(tableOf([{ id: 'a', b: null }], ['id', 'b'])).toBe('id  b\na   -');
});
