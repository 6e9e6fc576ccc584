import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { shopEnvironment } from '../../../src/examine/commands/examiner.ts';
import type { CaseVerdict } from '../../../src/examine/verdicts/case-verdicts.ts';
import { spawnProgram } from '../../running.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const folder = temporaryFolders()();
const KEYS = { merchantId: 'M-1000', merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000' };
const PAY = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let receiver: Server;
/** The receiver's reaction to a notification. */
let receive: (response: ServerResponse) => void;
const watches: ChildProcess[] = [];

beforeEach(async () => {
  sandbox = await startSandbox();
  receive = (response) => response.writeHead(204).end();
  receiver = createServer((request, response) => request.resume().on('end', () => receive(response)));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  for (const child of watches.splice(0).filter(({ exitCode }) => exitCode === null)) {
    child.kill('SIGKILL');
  }
  receiver.closeAllConnections();
  await new Promise((closed) => receiver.close(closed));
  await sandbox.close();
});

const webhook = () => ['--webhook', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`];

async function startWatch(only: string, more: readonly string[] = webhook()) {
  const json = join(folder, 'watch.json');
  const args = ['examine', '--watch', '--url', sandbox.url, '--json', json, '--bundles', join(folder, 'bundles')];
  const child = spawnProgram([...args, ...(only === '' ? [] : ['--only', only]), ...more], {}, 'pipe');
  watches.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  const waitForOutput = (words: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const check = () => stderr.match(words) && resolve();
      child.stderr?.on('data', check);
      child.once('close', () => reject(new Error(`the watch ended before it said ${words}: ${stderr}`)));
      check();
    });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close');
  const waitForEnd = async () => {
    const [code] = await ended;
    const report = existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : undefined;
    return { code, stdout, stderr, report, verdicts: (report?.verdicts ?? []) as CaseVerdict[] };
  };
  await Promise.race([waitForOutput('Watching at').catch(() => undefined), ended]);
  const end = () => {
    child.kill('SIGINT');
    return waitForEnd();
  };
  return { child, waitForOutput, waitForEnd, end };
}

/** Requests a payment; resolves with the status, which is undefined if the answer is lost. */
async function pay(payerReference: string, amount = '12.00'): Promise<number | undefined> {
  const body = {
    ...KEYS,
    walletName: 'WALLET_QR',
    amount,
    paymentCurrency: 'USD',
    paymentDescription: 'An order',
    payerName: 'Ann Payer',
    payerReference,
    payerAccountId: 1,
    profileId: 1,
  };
  const headers = { 'content-type': 'application/json' };
  const answer = fetch(`${sandbox.url}${PAY}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.then((response) => response.text().then(() => response.status)).catch(() => undefined);
}

async function queryStatus(reference: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${sandbox.url}/auth/authenticate/merchant`, {
    method: 'POST',
    headers,
    body: JSON.stringify(KEYS),
  });
  const { token } = (await login.json()) as { token: string };
  const query = new URLSearchParams({ transactionReference: reference, walletName: 'WALLET_QR' });
  const url = `${sandbox.url}/sandbox/api/getPaymentDetails?${query}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  return answer.status;
}

const verdictOf = (verdicts: readonly CaseVerdict[], invariant: string) =>
  verdicts.find((each) => each.invariant === invariant);

it('a shop that queries the status after a lost answer has no violation', async () => {
  const watched = await startWatch('answer-lost');
  expect(await pay('ORDER-1')).toBeUndefined();
  expect(await queryStatus('ORDER-1')).toBe(200);
  await watched.waitForOutput(/ORDER-1: notification payment\.paid: the shop answers 204/);
  const { code, stdout, verdicts, report } = await watched.end();
  expect(verdictOf(verdicts, 'I10')?.verdict).toBe('handled');
  expect(verdictOf(verdicts, 'I3')?.verdict).toBe('handled');
  expect(verdictOf(verdicts, 'I4')?.verdict).toBe('not-applicable');
  expect(report).toMatchObject({ cases: 1, counts: { violated: 0, inconclusive: 0 } });
  expect(stdout).toContain('cannot be seen in the traffic');
  expect(code).toBe(0);
});

it('the report names a call that was repeated without a query, and a reference that was paid twice', async () => {
  const watched = await startWatch('answer-lost');
  await pay('ORDER-1');
  expect(await pay('ORDER-1')).toBe(200);
  await watched.waitForOutput(/payment-2 is Paid/);
  const { code, stdout, stderr, verdicts } = await watched.end();
  expect(stderr).toContain('requests the payment again, without a status query');
  expect(verdictOf(verdicts, 'I10')?.verdict).toBe('violated');
  expect(verdictOf(verdicts, 'I3')).toMatchObject({
    verdict: 'violated',
    situation: 'answer-lost',
    note: expect.stringContaining('payment-1 and payment-2 of ORDER-1 were both paid'),
  });
  const found = verdictOf(verdicts, 'I3');
  expect(existsSync(String(found?.bundle))).toBe(true);
  // Only the program that placed these orders can place them again.
  expect(found?.test).toBe(null);
  expect(stdout).toContain('Also, probably by the same cause: I3-answer-lost-qr-wallet');
  expect(code).toBe(1);
});

it('a shop that queries the status before it requests the payment again does not violate I10', async () => {
  const watched = await startWatch('answer-lost', []);
  await pay('ORDER-1');
  await queryStatus('ORDER-1');
  await pay('ORDER-1');
  await watched.waitForOutput('requests the payment again');
  const { stderr, verdicts } = await watched.end();
  expect(stderr).not.toContain('without a status query');
  expect(verdictOf(verdicts, 'I10')?.verdict).toBe('handled');
});

it('the verdict on a call with another reference that may be for the same order is inconclusive', async () => {
  const watched = await startWatch('answer-lost', []);
  await pay('ORDER-1');
  await pay('ORDER-1-AGAIN');
  await watched.waitForOutput('ORDER-1-AGAIN: the shop requests');
  await pay('ORDER-2', '99.00');
  await watched.waitForOutput('ORDER-2: the shop requests');
  const { code, verdicts } = await watched.end();
  expect(verdictOf(verdicts, 'I10')?.verdict).toBe('inconclusive');
  expect(verdictOf(verdicts, 'I10')?.note).toContain('ORDER-1-AGAIN requested the same amount from the same payer');
  expect(code).toBe(2);
});

it('simultaneous orders are each counted, and get no false violation', async () => {
  const watched = await startWatch('answer-lost,notified-never');
  const references = ['ORDER-1', 'ORDER-2', 'ORDER-3', 'ORDER-4'];
  const answers = await Promise.all(references.map((reference, index) => pay(reference, `1${index}.00`)));
  await Promise.all(references.map((reference) => watched.waitForOutput(`${reference}: payment-\\d is Paid`)));
  const { verdicts, report } = await watched.end();
  const lost = answers.filter((status) => status === undefined).length;
  expect(lost).toBeGreaterThan(0);
  expect(report.cases).toBe(4);
  const exercised = new Set(
    verdicts.filter(({ verdict }) => verdict !== 'not-exercised').map(({ situation }) => situation),
  );
  expect(exercised).toContain('answer-lost');
  expect(verdicts.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
});

it('the report says that a 2xx to a forgery proves nothing, whether a query followed, and where to look', async () => {
  const watched = await startWatch('forged-signature');
  await pay('ORDER-1');
  await watched.waitForOutput(/notification payment\.failed: the shop answers 204/);
  const { code, verdicts } = await watched.end();
  expect(verdictOf(verdicts, 'I7')).toMatchObject({ verdict: 'inconclusive', situation: 'forged-signature' });
  const note = verdictOf(verdicts, 'I7')?.note;
  expect(note).toMatch(/answered with 204, which proves nothing; the shop did not query .* check in your shop/);
  expect(code).toBe(2);
});

it('the report says how long the shop sent no query after a lost notification', async () => {
  const watched = await startWatch('notified-never');
  await pay('ORDER-1');
  await watched.waitForOutput('payment-1 is Paid; no notification is sent');
  const { code, verdicts } = await watched.end();
  expect(verdictOf(verdicts, 'I4')?.verdict).toBe('inconclusive');
  expect(verdictOf(verdicts, 'I4')?.note).toMatch(
    /the status was not queried in the \d+ (?:s|min) since; a later job may/,
  );
  expect(code).toBe(2);
});

it('the report names a notification that is not acknowledged in time', async () => {
  await sandbox.client.useBehaviour('only-200-within-two-seconds');
  receive = () => undefined;
  const watched = await startWatch('notified-twice');
  await pay('ORDER-1');
  await watched.waitForOutput('no answer within 2 seconds');
  const { code, verdicts } = await watched.end();
  expect(verdictOf(verdicts, 'I9')).toMatchObject({ verdict: 'violated' });
  expect(code).toBe(1);
});

it('the report asks whether the shop has the secret if it refuses every notification', async () => {
  receive = (response) => response.writeHead(401).end();
  const watched = await startWatch('paid');
  await pay('ORDER-1');
  await watched.waitForOutput('the shop answers 401');
  const { code, stdout } = await watched.end();
  expect(stdout).toContain('does the shop use WEBHOOK_SECRET?');
  expect(code).toBe(1);
});

it('the shop gets a secret even if the one in the environment is empty', () => {
  process.env['WEBHOOK_SECRET'] = '';
  try {
    expect(shopEnvironment().WEBHOOK_SECRET).toMatch(/^whsec_.{32}/);
  } finally {
    delete process.env['WEBHOOK_SECRET'];
  }
});

it('a reference counts as a new order after the session was reset', async () => {
  const watched = await startWatch('paid', []);
  await pay('ORDER-1');
  await watched.waitForOutput('payment-1 is Paid');
  await sandbox.client.reset();
  await watched.waitForOutput('was reset');
  await pay('ORDER-1');
  await watched.waitForOutput(/was reset[\s\S]*payment-1 is Paid/);
  const { report } = await watched.end();
  expect(report).toMatchObject({ cases: 2, counts: { violated: 0 } });
});

it('the end of standard input ends the watch, which reports that no order was placed, and restores the scenario', async () => {
  await sandbox.client.useScenario('lost-webhooks');
  const watched = await startWatch('');
  await (await fetch(`${sandbox.url}${PAY}`, { method: 'POST', body: '{}' })).text();
  await watched.waitForOutput('a request is refused');
  watched.child.stdin?.end();
  const { code, stdout } = await watched.waitForEnd();
  expect(stdout).toMatch(/No order was placed.*1 request.*The shop must send its requests to http/s);
  expect(await sandbox.client.currentScenario()).toMatchObject({ name: 'lost-webhooks' });
  expect(code).toBe(2);
});

it('a session with a frozen clock is refused', async () => {
  await sandbox.client.freeze();
  const { code, stderr } = await (await startWatch('')).waitForEnd();
  expect(stderr).toContain('is frozen');
  expect(code).toBe(2);
});
