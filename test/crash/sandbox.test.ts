import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases } from '../cases.ts';
import { exampleOf, MERCHANT } from '../interface/examples.ts';
import { runProgram, startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();
const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const CHANNELS = ['WALLET_QR', 'WALLET_CARD_A', 'WALLET_SWITCH'];

async function pay(url: string, payerReference: string, walletName: string): Promise<boolean> {
  try {
    const answer = await fetch(url + WALLET, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...exampleOf('requests/single-payment'), payerReference, walletName }),
    });
    const { paymentInitiationResponse } = JSON.parse(await answer.text());
    return answer.status === 200 && paymentInitiationResponse.status !== undefined;
  } catch {
    return false;
  }
}

async function tokenFrom(url: string): Promise<string> {
  const answer = await fetch(`${url}/auth/authenticate/merchant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(MERCHANT),
  });
  return JSON.parse(await answer.text()).token;
}

async function statusOf(url: string, token: string, transactionReference: string, walletName: string): Promise<number> {
  const query = new URLSearchParams({ transactionReference, walletName });
  const answer = await fetch(`${url}/sandbox/api/getPaymentDetails?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await answer.text();
  return answer.status;
}

const start = (data: string) => startProgram('start', '--port', '0', '--data', data, '--log-level', 'error');

it('no answered payment is lost by repeated kills under load', async () => {
  const data = join(temporaryFolder(), 'state.json');
  const answeredPayments: [string, string][] = [];
  const rounds = cases(4);
  for (let round = 1; round <= rounds; round += 1) {
    const running = await start(data);
    const expected = round * 60;
    let count = 0;
    const workers = Array.from({ length: 8 }, async (_, worker) => {
      for (let number = 0; ; number += 1) {
        const reference = `ROUND-${round}-${worker}-${number}`;
        const channel = CHANNELS[number % CHANNELS.length] ?? '';
        if (!(await pay(running.url, reference, channel))) {
          return;
        }
        answeredPayments.push([reference, channel]);
        count += 1;
        if (count === expected) {
          running.child.kill('SIGKILL');
        }
      }
    });
    await Promise.all(workers);
  }
  const running = await start(data);
  const token = await tokenFrom(running.url);
  const lostReferences: string[] = [];
  for (let first = 0; first < answeredPayments.length; first += 20) {
    const chunk = answeredPayments.slice(first, first + 20);
    const statuses = await Promise.all(
      chunk.map(([reference, channel]) => statusOf(running.url, token, reference, channel)),
    );
    lostReferences.push(...chunk.filter((_, index) => statuses[index] !== 200).map(([reference]) => reference));
  }
  expect(lostReferences).toEqual([]);
  expect(answeredPayments.length).toBeGreaterThanOrEqual(30 * rounds * (rounds + 1));
  expect(await running.end('SIGTERM')).toBe(0);
});

it('a sandbox uses no id or payment code twice after a restart', async () => {
  const data = join(temporaryFolder(), 'state.json');
  const first = await start(data);
  expect(await pay(first.url, 'ONE', 'WALLET_QR')).toBe(true);
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await start(data);
  expect(await pay(second.url, 'TWO', 'WALLET_QR')).toBe(true);
  expect(await second.end('SIGTERM')).toBe(0);
  const state = JSON.parse(readFileSync(data, 'utf8'));
  const payments: { id: string; paymentCode: string }[] = state.sessions[0].payments;
  expect(payments.map(({ id }) => id)).toEqual(['payment-1', 'payment-2']);
  expect(new Set(payments.map(({ paymentCode }) => paymentCode)).size).toBe(2);
});

it('a second process on the same file is refused', async () => {
  const data = join(temporaryFolder(), 'state.json');
  const running = await start(data);
  const second = await runProgram(['start', '--port', '0', '--data', data]);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain(String(running.child.pid));
  expect(await running.end('SIGTERM')).toBe(0);
});

it('a corrupted file prevents the start, is named with its line, and is not changed', async () => {
  const data = join(temporaryFolder(), 'state.json');
  const running = await start(data);
  expect(await pay(running.url, 'ONE', 'WALLET_QR')).toBe(true);
  await running.end('SIGTERM');
  const corrupted = readFileSync(data, 'utf8').replace('"payment-1"', '"payment-1');
  writeFileSync(data, corrupted);
  const second = await runProgram(['start', '--port', '0', '--data', data]);
  expect(second.code).toBe(2);
  expect(second.stderr).toMatch(/state\.json.*line \d+/);
  expect(second.stderr.trim().split('\n')).toHaveLength(1);
  expect(readFileSync(data, 'utf8')).toBe(corrupted);
});

it('no file named :memory: is written with --data :memory:', async () => {
  const running = await startProgram('start', '--port', '0', '--data', ':memory:');
  expect(await pay(running.url, 'ONE', 'WALLET_QR')).toBe(true);
  expect(await running.end('SIGTERM')).toBe(0);
  expect(existsSync(':memory:')).toBe(false);
});
