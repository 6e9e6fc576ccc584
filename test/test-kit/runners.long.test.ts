import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../src/index.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { commandOf, installInto, runIn, writeFiles } from '../user-project.ts';

const newFolder = temporaryFolders();
let project: string;
let sandbox: Sandbox;

beforeAll(async () => {
  project = newFolder();
  installInto(project);
  sandbox = await startSandbox({ host: '0.0.0.0', controlToken: 'a-token' });
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  for (const { name } of (await sandbox.client.list<{ id: string; name: string }>('sessions')).items) {
    await sandbox.client.deleteSession(name);
  }
});

const sessionNames = async () =>
  (await sandbox.client.list<{ id: string; name: string }>('sessions')).items.map(({ name }) => name);

/** A function that pays one order, for CommonJS and ES modules. */
const PAY = `async function pay(baseUrl) {
  const answer = await fetch(baseUrl + '/init/authenticate/merchant/wallet', {
    method: 'POST',
    body: JSON.stringify({
      merchantId: 'M-1000', merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000',
      walletName: 'WALLET_QR', amount: '10.00', paymentCurrency: 'USD', paymentDescription: 'Order',
      payerName: 'Ann Payer', payerReference: 'ORDER-1', payerAccountId: 7, profileId: 1,
    }),
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
}`;

/**
 * Tests that end only if another file runs at the same time: both pay in a shared session, and wait until both have paid. In its own
 * session, each then sees only its own payment.
 */
const MEETING = `${PAY}
const meeting = new SandboxClient({ url: process.env.MERCHANT_SANDBOX_URL, session: 'meeting', controlToken: 'a-token' });

test('sees only its own payment while another file runs', async () => {
  await pay(session.baseUrl);
  await pay(meeting.baseUrl);
  await meeting.waitForEvent('payment.created', { timeout: 60_000 });
  await meeting.waitForEvent('payment.created', { timeout: 60_000 });
  expect((await session.payments()).items).toHaveLength(1);
});
test('sees nothing of the previous test', async () => {
  expect((await session.payments()).items).toEqual([]);
});
`;

const FAILING = `test('fails', async () => {
  await session.verify({ match: { operation: 'initiatePayment' } });
});
`;

/** Runs the test files of a folder below the project, where the package is installed, against the running sandbox. */
async function run(runner: 'jest' | 'vitest' | 'playwright', args: readonly string[], files: Record<string, string>) {
  const folder = join(project, runner);
  writeFiles(folder, { 'package.json': '{ "private": true }', ...files });
  return runIn(folder, commandOf(project, runner, ...args), {
    MERCHANT_SANDBOX_URL: sandbox.url,
    SANDBOX_CONTROL_TOKEN: 'a-token',
  });
}

it('Jest runs files in parallel, each in a separate session, and ends even if tests fail', async () => {
  const use = `const { useSandbox } = require('merchant-sandbox/jest');
const { SandboxClient } = require('merchant-sandbox');
const session = useSandbox();
`;
  const files = {
    'one.test.js': use + MEETING,
    'other.test.js': use + MEETING,
    'failing.test.js': use + FAILING,
    'early.test.js': `${use}const url = session.baseUrl;\ntest('is never run', () => url);`,
    'bare.test.js': `delete globalThis.fetch;\n${use}test('is never run', () => {});`,
    'browser.test.js': `delete globalThis.fetch;\ndelete globalThis.TextDecoder;\n${use}test('is never run', () => {});`,
    'concurrent.test.js': `${use}describe('concurrent', () => { test.concurrent('is refused', () => session.payments()); });`,
    'skipped.test.js': `${use}test.concurrent.skip('is not run', async () => {});\ntest('is run', () => session.payments());`,
    'hooks.test.js': `const globals = require('@jest/globals');
const { useSandbox } = require('merchant-sandbox/jest');
const session = useSandbox({}, globals);
globals.test('has hooks that were passed', () => {
  globals.expect(session.session).toMatch(/^hooks\\.test\\.js-[0-9a-f]{8}$/);
});`,
  };
  const { code, output } = await run('jest', ['--maxWorkers=2'], files);
  expect(output).toMatch(/^Tests: +2 failed, 1 skipped, 6 passed, 9 total$/m);
  expect(output).toContain('0 of 0 calls match, expected at least one');
  expect(output).toContain('does your code use this base address?');
  expect(output).toContain('session.baseUrl was used before the tests of this file began');
  expect(output).toContain('early.test.js:4');
  expect(output).toContain('fetch is missing: run this file in the Node environment');
  expect(output).toContain('TextDecoder, fetch are missing: run this file in the Node environment');
  expect(output).toContain('"concurrent is refused" runs concurrently with others of its file');
  expect([code, await sessionNames()]).toEqual([1, ['meeting']]);
  // A worker has half a second to end, which may be too short on a busy machine; a single process ends by itself.
  const single = await run('jest', ['--runInBand', 'failing', 'hooks'], files);
  expect(single.output).toMatch(/^Tests: +1 failed, 1 passed, 2 total$/m);
  expect(single.output).not.toMatch(/did not exit|open handle/i);
});

it('each test gets unique webhook ids, which are the same in each run and on any worker', async () => {
  const file = `const { useSandbox } = require('merchant-sandbox/jest');
const { appendFileSync } = require('node:fs');
const session = useSandbox({ now: '2026-03-01T10:00:00Z' });
${PAY}
beforeEach(() => session.setEndpoints([{ url: 'http://127.0.0.1:9/' }]));
test.each(['one', 'other'])('%s', async () => {
  await pay(session.baseUrl);
  await session.settle('ORDER-1', 'Paid');
  const [{ webhookId }] = (await session.deliveries()).items;
  const { file, name } = { file: expect.getState().testPath, name: expect.getState().currentTestName };
  appendFileSync(process.env.SEEN, file + ' ' + name + ' ' + webhookId + '\\n');
});`;
  const folder = join(project, 'webhook-ids');
  writeFiles(folder, { 'package.json': '{}', 'one/shop.test.js': file, 'other/shop.test.js': file });
  const idsIn = async (run: string, args: readonly string[]) => {
    const seen = join(folder, run);
    const { code, output } = await runIn(folder, commandOf(project, 'jest', ...args), { SEEN: seen });
    expect(code === 0 ? '' : output).toBe('');
    return readFileSync(seen, 'utf8').trim().split('\n').toSorted();
  };
  const first = await idsIn('first', ['--maxWorkers=2']);
  expect(new Set(first.map((line) => line.split(' ').at(-1))).size).toBe(4);
  expect(await idsIn('second', ['--runInBand'])).toEqual(first);
});

it('Vitest runs files in parallel, each in a separate session, and ends even if tests fail', async () => {
  const use = `import { SandboxClient } from 'merchant-sandbox';
import { useSandbox } from 'merchant-sandbox/vitest';
import { expect, test } from 'vitest';
const session = useSandbox();
`;
  const { code, output } = await run('vitest', ['run', '--maxWorkers=2'], {
    'one.test.mjs': use + MEETING,
    'other.test.mjs': use + MEETING,
    'concurrent.test.mjs': `${use}test.concurrent('is refused', () => {});`,
    'failing.test.mjs': `${use}${FAILING}
test('is named after its file', () => {
  expect(session.session).toMatch(/^failing\\.test\\.mjs-[0-9a-f]{8}$/);
});`,
  });
  expect(output).toMatch(/^ *Tests +2 failed \| 5 passed \(7\)$/m);
  expect(output).toContain('0 of 0 calls match, expected at least one');
  expect(output).toContain('this test runs concurrently with others of its file');
  expect(output).not.toMatch(/close timed out|hanging/i);
  expect([code, await sessionNames()]).toEqual([1, ['meeting']]);
});

it('the kit for node:test accepts sequential tests, and refuses concurrent ones', async () => {
  const folder = join(project, 'node-test');
  writeFiles(folder, {
    'package.json': '{ "private": true, "type": "module" }',
    'shop.test.js': `import { describe, test } from 'node:test';
import { useSandbox } from 'merchant-sandbox/node-test';
const session = useSandbox({ failures: false });
const readPayments = () => session.payments();
test('skips itself', (t) => t.skip());
test('has subtests', async (t) => {
  await t.test('one', readPayments);
  await t.test('other', readPayments);
});
describe('suite', () => {
  test('one', readPayments);
  test('other', readPayments);
});
describe('concurrent', { concurrency: true }, () => {
  test('one', readPayments);
  test('other', readPayments);
});
test('runs after these', readPayments);`,
  });
  const { code, output } = await runIn(folder, [process.execPath, '--test', '--test-reporter=tap'], {});
  expect(output).toContain('this test runs concurrently with others of its file');
  for (const title of ['has subtests', 'suite', 'runs after these']) {
    expect(output).toMatch(new RegExp(`^ok \\d+ - ${title}$`, 'm'));
  }
  expect(output).toMatch(/^not ok \d+ - concurrent$/m);
  expect(code).toBe(1);
});

it('Playwright gives each test a separate session, and more on request', async () => {
  const { code, output } = await run('playwright', ['test'], {
    'sessions.spec.js': `const { test: base, expect } = require('@playwright/test');
const { withSandbox } = require('merchant-sandbox/playwright');
const test = withSandbox(base);
test.use({ sandboxOptions: { scenario: 'declined' } });
${PAY}
const names = [];
for (const title of ['one', 'other']) {
  test(title, async ({ session, newSession }) => {
    await pay(session.baseUrl);
    const second = await newSession();
    expect(names).not.toContain(session.session);
    names.push(session.session, second.session);
    expect((await session.currentScenario()).name).toBe('declined');
    expect((await session.payments()).items).toHaveLength(1);
    expect((await second.payments()).items).toHaveLength(0);
  });
}
test('fails', async ({ session }) => {
  await session.verify({ match: { operation: 'initiatePayment' } });
});`,
  });
  expect(output).toMatch(/^ *1 failed\n.*^ *2 passed/ms);
  expect(output).toContain('0 of 0 calls match, expected at least one');
  expect([code, await sessionNames()]).toEqual([1, []]);
});
