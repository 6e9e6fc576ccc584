import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSession } from '../server/app/open-bundle.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { commandOf, installInto, runIn, writeFiles } from '../user-project.ts';

const newFolder = temporaryFolders();
let project: string;

beforeAll(() => {
  project = newFolder();
  installInto(project);
});

/** The beginning of a test file: `use` creates `session`. */
const testsWith = (use: string) => `${use}
const body = JSON.stringify({
  merchantId: 'M-1000', merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000',
  walletName: 'WALLET_QR', amount: '10.00', paymentCurrency: 'USD', paymentDescription: 'Order',
  payerName: 'Ann Payer', payerReference: 'ORDER-1', payerAccountId: 7, profileId: 1,
});
async function pay(session) {
  const headers = { 'content-type': 'application/json' };
  await fetch(session.baseUrl + '/init/authenticate/merchant/wallet', { method: 'POST', body, headers });
}
`;
/** A test that passes, and one that fails after a payment and a move of the clock. */
const BOTH = `test('passes', () => pay(session));
test('ships too early', async () => {
  await pay(session);
  await session.advance('PT1H');
  throw new Error('shipped without money');
});
`;

it.each([
  {
    runner: 'jest',
    command: (): string[] => commandOf(project, 'jest'),
    files: {
      'shop.test.js':
        testsWith(`const { useSandbox } = require('merchant-sandbox/jest');
const session = useSandbox({ now: '2026-03-01T10:00:00Z' });`) + BOTH,
    },
  },
  {
    runner: 'vitest',
    command: (): string[] => commandOf(project, 'vitest', 'run'),
    files: {
      'shop.test.mjs':
        testsWith(`import { useSandbox } from 'merchant-sandbox/vitest';
import { test } from 'vitest';
const session = useSandbox({ now: '2026-03-01T10:00:00Z' });`) + BOTH,
    },
  },
  {
    runner: 'node-test',
    command: (): string[] => [process.execPath, '--test'],
    files: {
      'shop.test.js':
        testsWith(`const { useSandbox } = require('merchant-sandbox/node-test');
const { test } = require('node:test');
const session = useSandbox({ now: '2026-03-01T10:00:00Z' });`) + BOTH,
    },
  },
  {
    runner: 'playwright',
    command: (): string[] => commandOf(project, 'playwright', 'test'),
    files: {
      'shop.spec.js': `${testsWith(`const { test: base } = require('@playwright/test');
const { withSandbox } = require('merchant-sandbox/playwright');
const test = withSandbox(base);
test.use({ sandboxOptions: { now: '2026-03-01T10:00:00Z', failures: 'sandbox-failures' } });`)}
test('passes', ({ session }) => pay(session));
test('ships too early', async ({ session }) => {
  await pay(session);
  await session.advance('PT1H');
  throw new Error('shipped without money');
});`,
    },
  },
])('$runner stores a bundle of a failed test, and prints the command that opens it', async (row) => {
  const folder = join(project, row.runner);
  writeFiles(folder, { 'package.json': '{ "private": true }', ...row.files });
  const { code, output } = await runIn(folder, row.command());
  expect(code).toBe(1);
  const [, file = ''] = /npx merchant-sandbox open (\S+\.ndjson)/.exec(output) ?? [];
  expect(readdirSync(join(folder, 'sandbox-failures'))).toHaveLength(1);
  expect(file).toMatch(/^sandbox-failures\/shop\.(test|spec)\.m?js-[0-9a-f]{8}-.*ships-too-early\.ndjson$/);
  const openedSession = await openSession(readFileSync(join(folder, file), 'utf8'));
  expect((await openedSession.session.payments()).items).toHaveLength(1);
  await openedSession.sandbox.close();
});

it('the option failures: false stores no bundle', async () => {
  const folder = join(project, 'nothing');
  writeFiles(folder, {
    'package.json': '{ "private": true }',
    'shop.test.js':
      testsWith(`const { useSandbox } = require('merchant-sandbox/jest');
const session = useSandbox({ failures: false });`) + BOTH,
  });
  const { code, output } = await runIn(folder, commandOf(project, 'jest'));
  expect([code, output.includes('merchant-sandbox open'), existsSync(join(folder, 'sandbox-failures'))]).toEqual([
    1,
    false,
    false,
  ]);
});
