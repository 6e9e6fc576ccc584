import type { SandboxClient } from '../../src/client/client.ts';
import { createLink, pay, payLink, submit } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { thereAre } from './browser.ts';
import { ConsolePage, PHONE } from './console-page.ts';
import { fill, makePayout, makeRecurringPayment, makeShopCode } from './records.ts';

let ui: ConsolePage;
let session: SandboxClient;

beforeAll(async () => {
  ui = await ConsolePage.open();
  session = await ui.ownSession();
  await fill(session, ui.receiver.url);
});
afterEach(() => ui.forget());
afterAll(() => ui.close());

/** The shown facts, by name. */
async function facts(): Promise<Record<string, string>> {
  const names = await ui.page.locator('.facts dt').allTextContents();
  const values = await ui.page.locator('.facts dd').allTextContents();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

describe('presentation mode', () => {
  const size = async (selector: string) =>
    Number.parseFloat(
      String(await ui.page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontSize`)),
    );

  it('shows one thing at a time, large enough for the back of a room', async () => {
    const viewport = { width: 1920, height: 1080 };
    await ui.open(session, 'payments', { viewport });
    await ui.page.evaluate(AXE);
    await ui.page.getByRole('button', { name: 'Presentation mode' }).click();
    const rows = ui.page.locator('a.row');
    await rows.first().waitFor();
    expect(await size('.row-value')).toBeGreaterThan(44);
    expect(await size('.row-state')).toBeGreaterThan(28);
    expect(await violationsOn(ui.page)).toEqual([]);
    await rows.filter({ hasText: 'ORDER-2' }).click();
    await ui.page.locator('.qr path[d*=M]').waitFor();
    expect(await size('.record-amount')).toBeGreaterThan(70);
    await thereAre(rows.filter({ visible: true }), 0);
    const code = await ui.page.getByTestId('qr').boundingBox();
    expect((code?.y ?? viewport.height) + (code?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect(await ui.page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await violationsOn(ui.page)).toEqual([]);
    await ui.page.getByRole('link', { name: '‹ Payments' }).click();
    await rows.first().waitFor();
  });
});

describe('the details', () => {
  it('of a payout list its credits, and settle it, with a timeline', async () => {
    const own = await ui.ownSession();
    await makePayout(own);
    await ui.open(own, 'payouts');
    const row = ui.page.locator('a.row');
    expect(await row.textContent()).toMatch(/PAYOUT-1.*100\.50 USD.*Processing · 2 credits · Salaries/);
    await row.click();
    await ui.heading('PAYOUT-1');
    const credits = ui.page.getByTestId('credits').locator('li');
    expect(await credits.locator('.credit-to').allTextContents()).toEqual([
      expect.stringContaining('Receiver One2000000001, First Sandbox Bank, FSBKZZ22Will be paid at'),
      expect.stringContaining('Receiver Two (M-1001)2000000002, Second Sandbox Bank, SSBKZZ22Will be paid at'),
    ]);
    await ui.page.getByRole('button', { name: 'Mark as paid: credit 2' }).click();
    await credits.nth(1).getByRole('button', { name: 'Return this credit: credit 2' }).waitFor();
    expect(await ui.page.getByTestId('totals').textContent()).toBe('1 processing 60.50 USD1 paid 40.00 USD');
    await ui.page.getByTestId('timeline').filter({ hasText: 'Credit 2 Paid' }).waitFor();
    expect(await facts()).toMatchObject({ 'Bank reference': 'BANK-REF-1', Merchant: 'Corner Shop M-1000' });
    await ui.page.getByTestId('settle-Failed').click();
    await ui.shownState('Partly paid');
    await ui.page
      .getByTestId('timeline')
      .filter({ hasText: /Partly paid\s+by hand/ })
      .waitFor();
    await thereAre(ui.page.getByTestId('settle-Paid'), 0);
    await ui.page.getByRole('button', { name: 'Return this credit: credit 2' }).click();
    await ui.shownState('Failed');
    await thereAre(credits.getByRole('button'), 0);
  });

  it('of a link show its page, and list the payments that it made', async () => {
    const own = await ui.ownSession();
    const link = await createLink(own);
    await ui.open(own, 'links/1');
    await ui.heading('LINK-1');
    expect(await ui.page.getByRole('link', { name: 'Open the page' }).getAttribute('href')).toBe(link);
    expect(await facts()).toMatchObject({ Type: 'fixed amount', Valid: '2026-01-01 to 2030-12-31' });
    await ui.page.getByText('None yet.').waitFor();
    await payLink(own, link, {});
    const made = ui.page.locator('tbody tr');
    await made.filter({ hasText: 'Processing' }).waitFor();
    await made.getByRole('link', { name: 'LINK-1' }).click();
    await ui.page.getByTestId('settle-Paid').waitFor();
    await ui.page.getByTestId('stations').getByRole('link', { name: 'Link 1' }).click();
    await ui.heading('LINK-1');
  });

  it('of a recurring payment show when it is charged next, and list the charges', async () => {
    const own = await ui.ownSession();
    await makeRecurringPayment(own);
    await ui.open(own, 'recurring/1');
    await ui.heading('SUBSCRIPTION-1');
    const next = (text: string) => ui.page.getByTestId('next-charge').filter({ hasText: text }).waitFor();
    await next('22:00:00 in 12 h');
    await own.advance('P1D');
    await next('2026-03-31 22:00:00 in 29 d 12 h');
    await ui.page.getByRole('heading', { name: 'Charges (1)' }).waitFor();
    expect(await ui.page.locator('tbody tr').allTextContents()).toEqual([
      expect.stringMatching(/^SUBSCRIPTION-1Paid2026-03-01 22:00:0015\.00 USD$/),
    ]);
  });

  it('of a token show what it charges, and until when', async () => {
    const own = await ui.ownSession();
    await makeRecurringPayment(own);
    await ui.open(own, 'tokens');
    await ui.page.locator('a.row').filter({ hasText: 'Valid' }).click();
    await ui.page.getByTestId('record').waitFor();
    expect(await facts()).toMatchObject({ Merchant: 'Corner Shop M-1000', Created: '10:00:00' });
    const { items } = await own.list<{ token: string }>('payment-tokens');
    await ui.page.getByText(items[0]?.token ?? '', { exact: true }).waitFor();
  });
});

describe('a payment at one glance', () => {
  const stations = () => ui.page.getByTestId('stations').locator('li');
  const sentence = (text: string) => ui.page.getByTestId('sentence').filter({ hasText: text }).waitFor();

  it('has a track on which future steps are dashed, and a sentence that counts down', async () => {
    const own = await ui.ownSession();
    await pay(own, { payerReference: 'ORDER-1' });
    await ui.open(own, 'payments/payment-1');
    await sentence('Waiting for the payer to scan the QR code. Will expire in 15 min.');
    expect(await stations().allTextContents()).toEqual([
      'ShopInitiate payment10:00:00',
      'SandboxAnswered 200QR code',
      'PayerNot decidedin 15 min',
      'NotificationNot yet sent',
    ]);
    await thereAre(ui.page.locator('.stations li.ahead'), 2);
    await own.advance('PT1M');
    await sentence('Will expire in 14 min.');
    expect(await stations().nth(2).textContent()).toBe('PayerNot decidedin 14 min');
    await own.settle('ORDER-1', 'Paid');
    await sentence('Paid by hand. No notification was sent: no endpoint was set for payment.paid.');
    expect(await stations().last().textContent()).toBe('NotificationNo endpoint');
    await thereAre(ui.page.locator('.stations .leg.never'), 1);
  });

  it('shows why it failed and how its endpoint answered, with links to the scenario and the delivery', async () => {
    const own = await ui.ownSession();
    await own.setEndpoints([{ url: ui.receiver.url }]);
    await own.useScenario('declined');
    ui.receiver.status = 500;
    await pay(own, { payerReference: 'ORDER-1', walletName: 'WALLET_CARD_A' });
    await own.advance('PT3S');
    await ui.open(own, 'payments/payment-1');
    await sentence('Failed by rule 1 of declined: Invalid card (800.100.151).');
    await sentence('Notification payment.failed: answered 500; next attempt in');
    await ui.page
      .getByTestId('timeline')
      .filter({ hasText: 'Notification payment.failed delivery-1answered 500' })
      .waitFor();
    expect(await stations().last().textContent()).toMatch(/^NotificationAnswered 50010:00:03Next in /);
    await ui.page.getByRole('link', { name: 'Notification payment.failed' }).click();
    await ui.heading('payment.failed');
    ui.receiver.status = 200;
    await ui.page.getByRole('button', { name: 'Send again' }).click();
    await sentence('attempt 2: answered 200.');
    await ui.page.goBack();
    await ui.page.getByRole('link', { name: 'rule 1 of declined' }).first().click();
    await ui.heading('declined');
  });

  it('shows its track from top to bottom on narrow screens', async () => {
    const own = await ui.ownSession();
    await pay(own, {});
    await ui.open(own, 'payments/payment-1', { viewport: PHONE });
    await ui.page.getByTestId('stations').waitFor();
    const [first, last] = await Promise.all([stations().first().boundingBox(), stations().last().boundingBox()]);
    expect(last?.x).toBe(first?.x);
    expect(last?.y).toBeGreaterThan(first?.y ?? 0);
    expect(await ui.page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });
});

describe('a decided payment', () => {
  it('can be refunded in part and charged back by hand, as its timeline shows', async () => {
    const own = await ui.ownSession();
    await pay(own, { payerReference: 'ORDER-1' });
    await own.settle('ORDER-1', 'Paid');
    await ui.open(own, 'payments/payment-1');
    const choose = (name: string) => ui.page.getByRole('button', { name, exact: true }).click();
    await ui.page.getByTestId('adjustments-amount').fill('3');
    await choose('Refund');
    const timeline = ui.page.getByTestId('timeline');
    await timeline.getByText('Refunded', { exact: true }).waitFor();
    await ui.page.getByTestId('sentence').filter({ hasText: '3.00 of 10.00 USD, 7.00 USD left' }).waitFor();
    expect(await facts()).toMatchObject({ 'Status for the merchant': 'PartlyRefunded' });
    await choose('Charge back');
    await ui.shownState('Charged back');
    expect(await timeline.textContent()).toMatch(
      /Refunded by hand: 3\.00 of 10\.00 USD, 7\.00 USD left, state Paid.*Charged back by hand: 7\.00 of 10\.00 USD.*state Charged back/,
    );
    expect(await ui.page.locator('.settle').getByRole('button').allTextContents()).toEqual(['Reverse the chargeback']);
    await choose('Reverse the chargeback');
    await ui.shownState('Paid');
    expect((await own.payment('ORDER-1')).left).toBe('7.00');
  });

  it('shows no charges if it failed', async () => {
    const own = await ui.ownSession();
    await pay(own, { payerReference: 'ORDER-1' });
    await ui.open(own, 'payments/payment-1');
    await ui.heading('ORDER-1');
    expect(await facts()).toHaveProperty('Charges');
    await own.settle('ORDER-1', 'Failed');
    await ui.shownState('Failed');
    expect(await facts()).not.toHaveProperty('Charges');
  });

  it('shows a planned chargeback in its timeline', async () => {
    const own = await ui.ownSession();
    await own.useScenario('chargeback');
    await pay(own, { payerReference: 'ORDER-1' });
    await own.settle('ORDER-1', 'Paid');
    await ui.open(own, 'payments/payment-1');
    await ui.page.getByTestId('timeline').locator('.ahead').filter({ hasText: 'Chargeback in 3 d' }).waitFor();
  });
});

it('a shop code shows its payments and can be deactivated by hand', async () => {
  const own = await ui.ownSession();
  await makeShopCode(own);
  await submit(own, '/pay/scan/shop-code-1', { amount: '4.00' });
  await ui.open(own, 'codes/shop-code-1');
  await ui.heading('TILL-1');
  await ui.page.getByRole('link', { name: 'TILL-1-1' }).waitFor();
  await ui.page.getByTestId('deactivate').click();
  await ui.page.getByText('Shop code · not active').waitFor();
  expect(await own.call('GET', '/shop-codes/TILL-1')).toMatchObject({ active: false, scans: 1 });
});
