import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { commandOf, installInto, runIn, writeFiles } from '../user-project.ts';

const newFolder = temporaryFolders();
let project: string;

beforeAll(() => {
  project = newFolder();
  installInto(project);
});

/** The body of a test that pays on a channel, and queries the outcome. */
const body = (channel: string, outcome: string) => `
  const merchant = { merchantId: 'M-1000', merchantApiKey: 'test-api-key-1000', merchantKey: 'test-merchant-key-1000' };
  const post = async (path, members) => {
    const body = JSON.stringify({ ...merchant, ...members });
    return (await fetch(session.baseUrl + path, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).json();
  };
  await post('/init/authenticate/merchant/wallet', {
    walletName: '${channel}', amount: '10.00', paymentCurrency: 'USD', paymentDescription: 'Order',
    payerName: 'Ann Payer', payerReference: 'ORDER-1', payerAccountId: 7, profileId: 1,
  });
  await session.settle('ORDER-1', '${outcome}');
  const { token } = await post('/auth/authenticate/merchant', {});
  const query = '?transactionReference=ORDER-1&walletName=${channel}';
  await fetch(session.baseUrl + '/api/getPaymentDetails' + query, { headers: { authorization: 'Bearer ' + token } });`;

const TESTS = [
  ['WALLET_QR', 'Paid'],
  ['WALLET_CARD_A', 'Cancelled'],
  ['WALLET_CARD_B', 'Expired'],
] as const;
const UNSEEN = ['qr-wallet: Failed 05', 'card-network-a: Paid 000.000.000', 'card-network-b: Paid 000.000.000'];

const withHooks = (head: string) => (channel: string, outcome: string) =>
  `${head}
const session = useSandbox({ coverage: '../seen' });
test('${channel}', async () => {${body(channel, outcome)}
});`;
const inPlaywright = (
  channel: string,
  outcome: string,
) => `const { withSandbox } = require('merchant-sandbox/playwright');
const test = withSandbox(require('@playwright/test').test);
test.use({ sandboxOptions: { coverage: '../seen' } });
test('${channel}', async ({ session }) => {${body(channel, outcome)}
});`;

it.each([
  ['jest', 'test.js', ['--maxWorkers=2'], withHooks("const { useSandbox } = require('merchant-sandbox/jest');")],
  ['jest', 'test.js', ['--runInBand'], withHooks("const { useSandbox } = require('merchant-sandbox/jest');")],
  [
    'vitest',
    'test.mjs',
    ['run', '--maxWorkers=2'],
    withHooks("import { test } from 'vitest';\nimport { useSandbox } from 'merchant-sandbox/vitest';"),
  ],
  ['playwright', 'spec.js', ['test', '--workers=2'], inPlaywright],
] as const)(
  '%s (%s, %j) writes coverage files that together contain everything that the tests saw',
  async (runner, suffix, args, text) => {
    const name = `${runner} ${args.join(' ')}`;
    const files = TESTS.map(([channel, outcome]) => [`tests/${channel}.${suffix}`, text(channel, outcome)]);
    writeFiles(join(project, name), { 'tests/package.json': '{ "private": true }', ...Object.fromEntries(files) });
    const { code, output } = await runIn(join(project, name, 'tests'), commandOf(project, runner, ...args));
    expect([code, output]).toEqual([0, expect.any(String)]);
    const seen = join(project, name, 'seen');
    expect(readdirSync(seen).length).toBeGreaterThan(0);
    const { stdout } = await runCommand(['coverage', seen]);
    expect(stdout).toContain('outcomes: 3 of 74');
    expect(UNSEEN.filter((cell) => !stdout.includes(`  ${cell}\n`))).toEqual([]);
  },
);
