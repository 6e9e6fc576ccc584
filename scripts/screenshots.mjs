// `npm run screenshots`: creates the images of the README in screenshots/, from a session that is always the same.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { startSandbox } from '../dist/index.js';
import { findBrowser, launchOptions } from './browser.mjs';

const FOLDER = 'screenshots';
const SIZE = { width: 1280, height: 800 };

/** Payments of a morning: payer, description, amount, wallet, outcome. */
const ORDERS = [
  ['Tariro Moyo', 'Garden chairs', '159.70', 'WALLET_QR', 'Paid'],
  ['Chipo Dube', 'Coffee beans, 2 kg', '46.00', 'WALLET_MOBILE', 'Paid'],
  ['Ann Payer', 'Annual plan', '1249.90', 'WALLET_CARD_A', 'Paid'],
  ['Farai Ncube', 'Train to the falls', '78.50', 'WALLET_SWITCH', 'Failed'],
  ['Rudo Sibanda', 'Gift card', '25.00', 'WALLET_MOBILE', 'Cancelled'],
  ['Tendai Banda', 'Two tickets', '31.80', 'WALLET_CARD_B', 'Paid'],
  ['Nyasha Phiri', 'Running shoes', '96.40', 'WALLET_QR', 'Paid'],
  ['Kuda Zulu', 'School books', '212.35', 'WALLET_MOBILE', undefined],
  ['Lindiwe Khumalo', 'Solar lamp', '64.00', 'WALLET_QR', undefined],
];

const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(204).end();
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const sandbox = await startSandbox({
  now: Date.parse('2026-03-02T08:30:00.000Z'),
  webhookUrl: `http://127.0.0.1:${receiver.address().port}/notifications`,
});
const session = sandbox.session('default');
const browser = await chromium.launch(launchOptions(findBrowser()));
try {
  await fill();
  mkdirSync(FOLDER, { recursive: true });
  await picture('console-payment', 'payments/payment-7');
  await picture('console-request', `requests/${await refusedCall()}`, 'dark');
} finally {
  await browser.close();
  await sandbox.close();
  receiver.close();
}

async function fill() {
  for (const [index, [payerName, description, amount, walletName, outcome]] of ORDERS.entries()) {
    const reference = `ORDER-${1001 + index}`;
    await initiate({ payerName, amount, walletName, paymentDescription: description, payerReference: reference });
    await session.advance('PT37S');
    if (outcome !== undefined) {
      await session.settle(reference, outcome);
    }
    await session.advance('PT1M15S');
  }
}

function initiate(members) {
  return fetch(`${session.baseUrl}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      merchantId: 'M-1000',
      merchantApiKey: 'test-api-key-1000',
      merchantKey: 'test-merchant-key-1000',
      paymentCurrency: 'USD',
      payerAccountId: 7,
      profileId: 1,
      ...(members.walletName === 'WALLET_MOBILE' ? { payerMobile: '263770000001' } : {}),
      ...members,
    }),
  });
}

/** Sends a call with three mistakes. Resolves with its id. */
async function refusedCall() {
  const { headers } = await initiate({
    walletName: 'WALLET_UNKNOWN',
    amount: 12,
    paymentDescription: 'Order 1010',
    payerReference: 'ORDER-1010',
    payerName: 'Ann Payer',
    profileId: 'x',
  });
  return headers.get('x-sandbox-request');
}

async function picture(name, screen, colorScheme = 'light') {
  const page = await browser.newPage({ viewport: SIZE, colorScheme });
  await page.goto(`${session.baseUrl}/_sandbox/console/${screen}`);
  await page.getByTestId('record').waitFor();
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  await page.close();
}
