import type { Browser } from 'playwright-core';
import { MERCHANT } from '../interface/examples.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { payOn, queryStatus, REFERENCE } from '../server/findings/coverage/merchant.ts';
import { openBrowser } from './browser.ts';

let browser: Browser;
let sandbox: Sandbox;

beforeAll(async () => {
  [browser, sandbox] = await Promise.all([openBrowser(), startSandbox()]);
});
afterAll(() => Promise.all([browser.close(), sandbox.close()]));

async function degreeOf(outcome = 'Paid 00'): Promise<string | undefined> {
  const { cells } = await sandbox.client.coverage();
  return cells.find(({ of, what }) => of === 'qr-wallet' && what === outcome)?.degree;
}

it('a status query made on a page of the sandbox does not count as a call of the tested code', async () => {
  await payOn(sandbox.client);
  await sandbox.client.settle(REFERENCE, 'Paid');
  const page = await browser.newPage();
  await page.goto(`${sandbox.url}/_sandbox/console/try`);
  const status = await page.evaluate(
    async ({ merchant, reference }) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(merchant);
      const { token } = await (await fetch('/auth/authenticate/merchant', { method: 'POST', headers, body })).json();
      const query = `transactionReference=${reference}&walletName=WALLET_QR`;
      const answer = await fetch(`/api/getPaymentDetails?${query}`, { headers: { authorization: `Bearer ${token}` } });
      return (await answer.json()).status;
    },
    { merchant: MERCHANT, reference: REFERENCE },
  );
  expect([status, await degreeOf()]).toEqual(['Paid', 'produced']);
  await queryStatus(sandbox.client);
  expect(await degreeOf()).toBe('seen');
});

it('an outcome clicked in the console does not count as seen, even if the tested code asks for it later', async () => {
  const session = await sandbox.client.createSession('clicked');
  await payOn(session);
  const page = await browser.newPage();
  await page.goto(`${session.baseUrl}/_sandbox/console/payments/payment-1`);
  await page.getByTestId('settle-Cancelled').click();
  await page.getByTestId('settle-Cancelled').waitFor({ state: 'detached' });
  const { state, history } = await session.payment(REFERENCE);
  await queryStatus(session);
  expect([state, await degreeOf(`Cancelled ${history.at(-1)?.code}`)]).toEqual(['Cancelled', 'never']);
});
