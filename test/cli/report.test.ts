import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { summarizeChecks } from '../../src/base/report/check-summary.ts';
import { textOfReport } from '../../src/cli/commands/report-text.ts';
import { createReport } from '../../src/cli/commands/session-report.ts';
import { exampleOf } from '../interface/examples.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { startReceiver } from '../server/domain/webhooks/receiver.ts';
import { payOn, queryStatus } from '../server/findings/coverage/merchant.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
const { GITHUB_STEP_SUMMARY: stepSummaryOfThisRun } = process.env;

let sandbox: Sandbox;

beforeEach(async () => {
  process.env['GITHUB_STEP_SUMMARY'] = '';
  sandbox = await startSandbox();
});
afterEach(async () => {
  process.env['GITHUB_STEP_SUMMARY'] = stepSummaryOfThisRun ?? '';
  await sandbox.close();
});

const run = (...words: string[]) => runCommand(['report', ...words, '--url', sandbox.url]);

const WRONG_KEYS = { merchantId: 'M-1000', merchantApiKey: 'wrong', merchantKey: 'wrong' };

/** A mistake that is found: two payments under one reference. */
async function payTwice(): Promise<void> {
  await payOn(sandbox.client);
  await payOn(sandbox.client);
}

it('the report begins with what is wrong, then a disclaimer, what was checked and what was never seen', async () => {
  const receiver = await startReceiver((_call, response) => {
    response.end();
  });
  await sandbox.client.setEndpoints([{ url: receiver.url }]);
  await payTwice();
  await sandbox.client.settle('payment-1', 'Paid');
  await sandbox.client.runUntilIdle();
  await sandbox.client.waitForDelivery(undefined, LONG_WAIT);
  await request(sandbox.url).post('/init/authenticate/merchant/wallet').send({});
  const { code, stdout } = await run();
  await receiver.close();
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Report on the integration in session default\n\nWhat is wrong: \d findings?, and 1 of 3 calls did not succeed, 1 of them because of mistakes in the call\. No forged notification was sent \(scenario forged-webhooks\), so verification of signatures was not tested\.\nNot a certification by any provider\./,
  );
  expect(stdout).toContain('Coverage is not correctness');
  expect(stdout).toMatch(/^SBX-W07 {2}shared-reference, seen once\n/m);
  expect(stdout).toContain('  Calls, by operation: 3 initiatePayment (1 without success)\n');
  expect(stdout).toMatch(/^ {2}Payments, by outcome: 1 \w+, 1 \w+$/m);
  expect(stdout).toMatch(/^ {2}Notifications: \d acknowledged$/m);
  expect(stdout).toMatch(/^ {2}outcomes: \d of 6, outcomes of payments on each channel, and of payouts\n/m);
  expect(stdout).toMatch(/^ {4}qr-wallet: Failed 05, Cancelled 05, Failed 51, Failed 55$/m);
  expect(stdout).toMatch(/^ {4}initiatePayment: reset, timeout, empty-body, malformed-body and 3 more$/m);
  expect(stdout).toMatch(/^ {4}payment\.failed: normal, /m);
  expect(stdout).not.toMatch(/mobile-money|card-switch|payout\.paid|listBanks/);
});

it('the report of an unused session says that no calls were made, and --strict fails', async () => {
  expect((await run()).code).toBe(0);
  const { code, stdout } = await run('--strict');
  expect(code).toBe(1);
  expect(stdout).toContain(
    'What is wrong: Your code has made no calls in this session since the sandbox was started.\n',
  );
  expect(stdout).toContain('  Calls, by operation: none\n');
  expect(stdout).toContain('  No behaviours to count yet. ');
  expect(stdout).toContain(' Not used so far: outcomes, faults, notifications, pages.\n');
});

it('the report does not call a session clean if calls were refused', async () => {
  await payOn(sandbox.client);
  expect((await run()).stdout).toContain('What is wrong: No findings so far in this session.\n');
  await request(sandbox.url).post('/init/authenticate/merchant/wallet').send({});
  const html = join(newFolder(), 'report.html');
  const { stdout } = await run('--html', html);
  const conclusion =
    'No findings so far in this session, but 1 of 2 calls did not succeed, 1 of them because of mistakes in the call.';
  expect(stdout).toContain(`What is wrong: ${conclusion}\n`);
  expect(stdout).toContain('  Run `merchant-sandbox requests refused=true` for the calls that did not succeed.\n');
  expect(readFileSync(html, 'utf8')).toContain(conclusion);
  expect(readFileSync(html, 'utf8')).not.toMatch(/No findings(?! so far in this session, but)/);
});

it('the report counts no notifications without a webhook address, and names states in words', async () => {
  await payOn(sandbox.client);
  await sandbox.client.settle('payment-1', 'Paid');
  await sandbox.client.chargeback('payment-1');
  const { stdout } = await run();
  expect(stdout).toContain('  Payments, by outcome: 1 Charged back\n');
  expect(stdout).toContain(' Not used so far: notifications, pages.\n');
  expect(stdout).not.toContain('notifications: 0');
});

it.each([
  ['not acknowledged so far', 'pending', ['the receiver answered 401']],
  ['acknowledged', 'pending', [null, 'the receiver answered 500']],
  ['acknowledged', 'dropped', [null]],
  ['under way', 'pending', []],
  ['given up', 'failed', ['the receiver answered 401']],
] as const)('a notification counts as %s if it is %s after the attempts %j', (of, state, errors) => {
  const attempts = errors.map((error) => ({ at: '', error, headers: {}, ms: 1, response: null, status: null }));
  const none = { items: [], nextCursor: null };
  const sent = { state, url: 'http://127.0.0.1:3000/', attempts, webhookBehaviour: { mode: 'normal' as const } };
  const notifications = { items: [sent], nextCursor: null };
  expect(summarizeChecks({ calls: none, payments: none, notifications }).notifications).toEqual([{ of, count: 1 }]);
});

it('if something is wrong, the exit code is 1 with --strict, and 0 without it', async () => {
  await payTwice();
  expect((await run()).code).toBe(0);
  expect((await run('--strict')).code).toBe(1);
});

const WALLET = '/init/authenticate/merchant/wallet';
const TOKEN = '/auth/authenticate/merchant';
const JSON_TYPE = 'application/json';

it.each([
  ['a body that cannot be parsed', 'POST', WALLET, JSON_TYPE, '{', 'malformed-body'],
  ['a body without its fields', 'POST', WALLET, JSON_TYPE, '{}', 'invalid-field'],
  ['a body of another type', 'POST', WALLET, 'text/csv', 'a,b', 'wrong-media-type'],
  ['a body that is too large', 'POST', TOKEN, JSON_TYPE, `"${'a'.repeat(2 ** 21)}"`, 'body-too-large'],
  ['wrong keys', 'POST', TOKEN, JSON_TYPE, JSON.stringify(WRONG_KEYS), 'wrong-credentials'],
  ['an unknown path', 'POST', '/init/wallet', JSON_TYPE, '{}', 'unknown-path'],
  ['another method', 'DELETE', WALLET, JSON_TYPE, '{}', 'wrong-method'],
])('--strict fails after a call with %s', async (_what, method, path, type, body, kind) => {
  await fetch(sandbox.url + path, { method, body, headers: { 'Content-Type': type } });
  const { items } = await sandbox.client.list<{ outcome: string }>('requests');
  expect(items[0]?.outcome).toContain(`refused: ${kind} `);
  const { code, stdout } = await run('--strict');
  expect([code, stdout]).toEqual([1, expect.stringContaining('1 of them because of mistakes in the call')]);
});

it('--strict fails after a call without a token, which cannot have expired', async () => {
  await payOn(sandbox.client);
  await queryStatus(sandbox.client);
  await fetch(`${sandbox.url}/api/getPaymentDetails?transactionReference=NONE&walletName=WALLET_QR`);
  const { code, stdout } = await run('--strict');
  expect([code, stdout]).toEqual([1, expect.stringContaining('1 of them because of mistakes in the call')]);
});

it('--strict passes calls that were refused without a mistake in them', async () => {
  await payOn(sandbox.client);
  await queryStatus(sandbox.client);
  await fetch(`${sandbox.url}/api/getPaymentDetails?transactionReference=NONE&walletName=WALLET_QR`, {
    headers: { Authorization: 'Bearer of-an-earlier-session' },
  });
  await sandbox.client.useRules([{ fault: { kind: 'status', at: 'before', status: 500 } }]);
  await request(sandbox.url)
    .post(WALLET)
    .send(exampleOf('requests/single-payment', { payerReference: 'ORDER-2' }));
  const { code, stdout } = await run('--strict');
  expect([code, stdout]).toEqual([0, expect.stringContaining('but 2 of 5 calls did not succeed.')]);
});

it('the report is about the named session, but its coverage includes all sessions', async () => {
  await payTwice();
  await sandbox.client.settle('payment-2', 'Paid');
  await queryStatus(sandbox.client);
  await sandbox.client.createSession('other');
  const { stdout } = await run('--session', 'other');
  expect(stdout).toContain('Report on the integration in session other\n');
  expect(stdout).toContain('Your code has made no calls in this session since the sandbox was started.');
  expect(stdout).toMatch(/ 1 of \d+ behaviours seen \(\d+ %\)\. Covers all sessions since the sandbox was started/);
  expect((await run('--session', 'missing')).code).toBe(1);
});

it('the report of all sessions has the calls and findings of each, and --strict judges them together', async () => {
  const [first, second] = [await sandbox.client.createSession('first'), await sandbox.client.createSession('second')];
  expect((await run('--all-sessions', '--strict')).code).toBe(1);
  await payOn(first);
  await first.settle('payment-1', 'Paid');
  await queryStatus(first);
  const clean = await run('--all-sessions', '--strict');
  expect([clean.code, clean.stdout]).toEqual([
    0,
    expect.stringContaining('in all sessions\n\nWhat is wrong: No findings so far in any existing session.\n'),
  ]);
  await payOn(second);
  await payOn(second);
  const folder = newFolder();
  const [json, html] = [join(folder, 'report.json'), join(folder, 'report.html')];
  const { code, stdout } = await run('--all-sessions', '--strict', '--json', json, '--html', html);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^SBX-W07 {2}shared-reference, seen once, in 1 session\n.*\n {2}second: Expected /m);
  expect(stdout).toContain('  Calls, by operation: 3 initiatePayment, 1 ');
  expect(stdout).toContain('  Payments, by outcome: 2 Processing, 1 Paid\n');
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ session: null, checked: { wronglySigned: 0 } });
  expect(readFileSync(html, 'utf8')).toContain('second: Expected ');
});

it.each([
  ['payer-decides', true],
  ['forged-webhooks', false],
  ['tampered-webhooks', false],
] as const)(
  'the conclusion after the scenario %s says that signatures were not tested: %s',
  async (scenario, isSaid) => {
    const receiver = await startReceiver((_call, response) => response.writeHead(400).end());
    const { client } = sandbox;
    await client.freeze();
    await client.useScenario(scenario);
    await client.setEndpoints([{ url: receiver.url }]);
    await payOn(client);
    await client.advance('PT5S');
    await client.settle('payment-1', 'Paid').catch(() => undefined);
    await client.advance('PT0S');
    const { stdout } = await run();
    await receiver.close();
    const untested =
      '. No forged notification was sent (scenario forged-webhooks), so verification of signatures was not tested.';
    expect(stdout.split('\n')[2]?.endsWith(untested)).toBe(isSaid);
  },
);

it('the report is written as JSON, and as a page in which texts of payers and shops are escaped', async () => {
  const folder = newFolder();
  const [json, html] = [join(folder, 'new', 'report.json'), join(folder, 'report.html')];
  const body = exampleOf('requests/single-payment', { payerReference: '<b>1</b>' });
  for (const _ of [1, 2]) {
    await request(sandbox.url).post('/init/authenticate/merchant/wallet').send(body);
  }
  expect((await run('--json', json, '--html', html)).code).toBe(0);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    session: 'default',
    checked: {
      calls: [{ of: 'initiatePayment', count: 2, withoutSuccess: 0 }],
      wrongCalls: 0,
      notifications: [],
      cut: [],
    },
    coverage: { percent: 0 },
  });
  expect(readFileSync(html, 'utf8')).toMatch(/^<!doctype html><html lang="en">/);
  expect(readFileSync(html, 'utf8')).not.toContain('<b>1</b>');
});

it('the report is appended to the summary of a CI step, if there is one', async () => {
  const file = join(newFolder(), 'summary.md');
  writeFileSync(file, 'text of an earlier step\n');
  await payTwice();
  process.env['GITHUB_STEP_SUMMARY'] = file;
  await run();
  const summary = readFileSync(file, 'utf8');
  expect(summary).toMatch(
    /^text of an earlier step\n### Report on the integration in session default\n\n1 finding\.\n\nNot a certification by any provider\./,
  );
  expect(summary).toMatch(/^\| SBX-W07: .* \| 1 \| Give each payment attempt its own reference/m);
  expect(summary).toMatch(/^\| faults: 0 of \d+, .* \| initiatePayment: reset, /m);
});

it('the report names the lists that it did not count completely', async () => {
  const report = await createReport(sandbox.client);
  expect(textOfReport(report)).not.toContain('Omitted');
  const cut = { ...report, checked: { ...report.checked, cut: ['calls', 'payments'] } };
  expect(textOfReport(cut)).toContain('  Omitted: only the newest calls and payments were counted\n');
});

it('a file that cannot be written is refused with exit code 2', async () => {
  const { code, stderr } = await run('--html', newFolder());
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written')]);
});
