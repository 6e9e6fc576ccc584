import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../sandbox.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage } from './console-page.ts';
import { makeRefusedCall } from './records.ts';

let ui: ConsolePage;
let page: Page;
let sandbox: Sandbox;

beforeAll(async () => {
  ui = await ConsolePage.start();
  ({ page, sandbox } = ui);
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

const textsOf = (rows: Locator) => rows.locator('.row-title').allTextContents();

describe('the payments screen', () => {
  it('starts with the base address and a link to the tour, and shows new payments as they arrive', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'payments');
    const first = page.getByTestId('first-run');
    await first.getByRole('button', { name: 'Copy the base address' }).click();
    await ui.waitForToast('Copied.');
    expect(await ui.readClipboard()).toBe(session.baseUrl);
    expect(await first.getByRole('link', { name: 'Create one in the tour' }).getAttribute('href')).toMatch(/overview$/);
    await pay(session, { payerReference: 'ORDER-1', amount: '1249.90' });
    const row = page.locator('a.row');
    await row.waitFor();
    expect(await row.textContent()).toMatch(/ORDER-1\s*1,249\.90 USD.*Processing/);
  });

  it('finds payments by words and filters, newest first, and each payment has its own address', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1', amount: '7.00' });
    await pay(session, { payerReference: 'ORDER-2', amount: '8.00' });
    await pay(session, { payerReference: 'OTHER-3', amount: '9.00' });
    await session.settle('ORDER-1', 'Paid');
    await ui.open(session, 'payments');
    const rows = page.locator('a.row');
    await rows.first().waitFor();
    expect(await textsOf(rows)).toEqual(['OTHER-3', 'ORDER-2', 'ORDER-1']);
    await page.getByLabel('Search').fill('ORDER- state:Paid');
    await page.getByTestId('count').filter({ hasText: '1 row' }).waitFor();
    expect(await textsOf(rows)).toEqual(['ORDER-1']);
    await rows.first().click();
    await ui.waitForRecord('ORDER-1');
    expect(page.url()).toMatch(/\/console\/payments\/payment-1\?q=/);
    await page.getByRole('button', { name: 'Paid', exact: true }).click();
    await page.getByTestId('count').filter({ hasText: '2 rows' }).waitFor();
  });

  it('decides a payment by hand with a code of its channel, and shows its history on one timeline', async () => {
    const session = await ui.newSession();
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: '0771234567', payerReference: 'ORDER-1' });
    await ui.open(session, 'payments/payment-1');
    await ui.waitForRecord('ORDER-1');
    const timeline = page.getByTestId('timeline');
    await timeline.locator('.ahead').filter({ hasText: 'Will expire in 15 min' }).waitFor();
    await page.getByRole('button', { name: 'Fail with another code' }).click();
    await page.getByRole('menuitem', { name: /^55/ }).click();
    await ui.waitForState('Failed');
    expect(await timeline.textContent()).toMatch(
      /Failed.*by hand.*55.*Created request-1by the merchant.*Initiate payment request-1/,
    );
    await waitForCount(timeline.locator('.ahead'), 0);
    expect((await session.payment('payment-1')).history.at(-1)).toMatchObject({ cause: 'control', code: '55' });
  });
});

describe('the detail of a request', () => {
  it('shows each mistake at its place in the body, and copies the request with its credentials', async () => {
    const session = await ui.newSession();
    await makeRefusedCall(session);
    await ui.open(session, 'requests/request-1');
    await ui.waitForState('400');
    const wrong = page.locator('.json-line.wrong');
    expect(await wrong.filter({ hasText: '"amount": 10' }).textContent()).toContain('received number 10');
    expect(await wrong.filter({ hasText: '$.payerName' }).textContent()).toContain('received nothing');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await ui.waitForToast('ready to run');
    const curl = await ui.readClipboard();
    expect(curl).toContain(`'${session.baseUrl}/sandbox/init/authenticate/merchant/wallet'`);
    expect(curl).toContain('"merchantKey": "test-merchant-key-1000"');
    expect(await page.locator('body').textContent()).not.toContain('test-merchant-key-1000');
  });
});

describe('the composer', () => {
  it('sends a payment on each channel with its prefilled values, and remembers the last body', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'try');
    for (const channel of ['QR wallet', 'Mobile money', 'Domestic card switch', 'Card network A', 'Card network B']) {
      await page.getByRole('button', { name: channel, exact: true }).click();
      await page.getByTestId('send').click();
      await ui.waitForState('200');
      await page.getByRole('link', { name: 'Try it' }).click();
    }
    const { items } = await session.payments();
    expect(new Set(items.map(({ channel }) => channel)).size).toBe(5);
    expect(await page.getByLabel('Body', { exact: true }).inputValue()).toContain('WALLET_CARD_B');
  });
});

describe('the clock', () => {
  it('moves to the next due time, and lists what happened', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments');
    await page.getByRole('button', { name: 'Advance to 10:15:00: payment ORDER-1 expires' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Advance', exact: true }).click();
    const happened = page.getByLabel('What happened');
    await happened.waitFor();
    expect(await happened.textContent()).toContain('1 × Payment expired');
    await happened.getByRole('link', { name: 'payment-1' }).click();
    await ui.waitForState('Expired');
    expect(await page.getByTestId('clock-now').textContent()).toContain('10:15:00');
  });
});

describe('the scenarios', () => {
  it('are selected by a button of their screen, or in the menu of scenarios', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'scenarios/auto-approve');
    await page.getByRole('button', { name: 'Use this scenario' }).click();
    await page.getByTestId('scenario').filter({ hasText: 'auto-approve' }).waitFor();
    await page.getByRole('button', { name: 'Scenario of payments auto-approve' }).click();
    await page.getByRole('menuitem', { name: /^declined/ }).click();
    await page.getByTestId('scenario').filter({ hasText: 'declined' }).waitFor();
    expect(await session.currentScenario()).toMatchObject({ name: 'declined' });
  });
});

describe('the deliveries', () => {
  it('go to an endpoint that is set in the console, show each attempt, and can be sent again', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'deliveries/endpoints');
    await page.getByLabel('URL').fill(ui.receiver.url);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Show the secret' }).click();
    expect(await page.getByTestId('secret').textContent()).toMatch(/^whsec_/);
    ui.receiver.status = 500;
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Paid');
    await ui.navigate(session, 'traffic?q=kind:delivery');
    await page.locator('a.row').filter({ hasText: 'Notification payment.paid' }).click();
    await ui.waitForRecord('payment.paid');
    await page.getByText(': answered 500; next attempt in').waitFor();
    ui.receiver.status = 200;
    await page.getByRole('button', { name: 'Send again' }).click();
    await ui.waitForState('delivered');
    expect(await page.locator('.attempts > li').allTextContents()).toEqual([
      expect.stringContaining('500'),
      expect.stringContaining('200'),
    ]);
  });
});

describe('the sessions', () => {
  it('can be created, reset, restored by Undo, and deleted', async () => {
    const session = await ui.newSession();
    const other = `${session.session}-other`;
    await ui.open(session, 'sessions');
    await page.getByLabel('Name', { exact: true }).fill(other);
    await page.getByLabel('Seed').fill('7');
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption('declined');
    await page.getByLabel('Clock frozen at, in UTC').fill('2026-04-01T08:00:00');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await ui.waitForToast(`Session ${other} was created. Its base address: ${sandbox.session(other).baseUrl}`);
    const created = sandbox.session(other);
    expect(await created.currentScenario()).toMatchObject({ name: 'declined' });
    await pay(created, { payerReference: 'ORDER-1' });
    expect(await page.getByRole('button', { name: 'Reset', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: `Reset ${other}` }).click();
    await ui.waitForToast('was reset');
    expect((await created.payments()).items).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await ui.waitForToast('has its records, clock and scenario back');
    expect((await created.payments()).items).toHaveLength(1);
    await page.getByRole('button', { name: `Delete ${other}` }).click();
    await ui.waitForToast('was deleted');
    expect((await sandbox.client.list<{ name: string }>('sessions')).items.map(({ name }) => name)).not.toContain(
      other,
    );
  });
});

describe('the connection', () => {
  it('continues after a reset', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments');
    await page.locator('a.row').waitFor();
    await session.reset();
    await page.getByTestId('first-run').waitFor();
    await pay(session, { payerReference: 'ORDER-2' });
    await page.locator('a.row').filter({ hasText: 'ORDER-2' }).waitFor();
  });
});
