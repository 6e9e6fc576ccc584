import type { SandboxClient } from '../../src/client/client.ts';
import { createLink, pay, payLink, submit } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage, PHONE } from './console-page.ts';
import { createRecords, makePayout, makeRecurringPayment, makeShopCode } from './records.ts';

let ui: ConsolePage;
let session: SandboxClient;

beforeAll(async () => {
  ui = await ConsolePage.start();
  session = await ui.newSession();
  await createRecords(session, ui.receiver.url);
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

/** The shown facts, by name. */
async function facts(): Promise<Record<string, string>> {
  const names = await ui.page.locator('.facts dt').allTextContents();
  const values = await ui.page.locator('.facts dd').allTextContents();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

describe('presentation mode', () => {
  const fontSize = async (selector: string) =>
    Number.parseFloat(
      String(await ui.page.evaluate(`getComputedStyle(document.querySelector('${selector}')).fontSize`)),
    );

  it('shows one thing at a time, large enough for the back of a room', async () => {
    const viewport = { width: 1920, height: 1080 };
    await ui.open(session, 'payments', { viewport });
    await ui.page.evaluate(AXE);
    await ui.page.getByRole('button', { name: 'Large text' }).click();
    const rows = ui.page.locator('a.row');
    await rows.first().waitFor();
    expect(await fontSize('.row-value')).toBeGreaterThan(44);
    expect(await fontSize('.row-state')).toBeGreaterThan(28);
    expect(await violationsOn(ui.page)).toEqual([]);
    await rows.filter({ hasText: 'ORDER-2' }).click();
    await ui.page.locator('.qr path[d*=M]').waitFor();
    expect(await fontSize('.record-amount')).toBeGreaterThan(70);
    await waitForCount(rows.filter({ visible: true }), 0);
    const code = await ui.page.getByTestId('qr').boundingBox();
    expect((code?.y ?? viewport.height) + (code?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect(await ui.page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await violationsOn(ui.page)).toEqual([]);
    await ui.page.getByRole('link', { name: '‹ Payments' }).click();
    await rows.first().waitFor();
  });
});

describe('the details', () => {
  it('of a payout list its credits, have buttons that decide them, and show a timeline', async () => {
    const newSession = await ui.newSession();
    await makePayout(newSession);
    await ui.open(newSession, 'payouts');
    const row = ui.page.locator('a.row');
    expect(await row.textContent()).toMatch(/PAYOUT-1.*100\.50 USD.*Processing · 2 credits · Salaries/);
    await row.click();
    await ui.waitForRecord('PAYOUT-1');
    const credits = ui.page.getByTestId('credits').locator('li');
    expect(await credits.locator('.credit-to').allTextContents()).toEqual([
      expect.stringContaining('Receiver One2000000001, First Sandbox Bank, FSBKZZ22Will be paid at'),
      expect.stringContaining('Receiver Two (M-1001)2000000002, Second Sandbox Bank, SSBKZZ22Will be paid at'),
    ]);
    await ui.page.getByRole('button', { name: 'Mark as paid: credit 2' }).click();
    await credits.nth(1).getByRole('button', { name: 'Return this credit: credit 2' }).waitFor();
    expect(await ui.page.getByTestId('totals').textContent()).toBe('1 processing 60.50 USD1 paid 40.00 USD');
    await ui.page.getByTestId('timeline').filter({ hasText: 'Credit 2 paid' }).waitFor();
    expect(await facts()).toMatchObject({ 'Bank reference': 'BANK-REF-1', Merchant: 'Corner Shop M-1000' });
    await ui.page.getByTestId('settle-Failed').click();
    await ui.waitForState('Partly paid');
    await ui.page
      .getByTestId('timeline')
      .filter({ hasText: /Payout partly paid\s+by hand/ })
      .waitFor();
    await waitForCount(ui.page.getByTestId('settle-Paid'), 0);
    await ui.page.getByRole('button', { name: 'Return this credit: credit 2' }).click();
    await ui.waitForState('Failed');
    await waitForCount(credits.getByRole('button'), 0);
    const steps = await ui.page.locator('.timeline-title').allTextContents();
    expect(steps.slice(0, 2).map((step) => step.trim())).toEqual(['Payout failed', 'Credit 2 returned']);
  });

  it('of a link lead to its page, and list the payments made with it', async () => {
    const newSession = await ui.newSession();
    const link = await createLink(newSession);
    await ui.open(newSession, 'links/1');
    await ui.waitForRecord('LINK-1');
    expect(await ui.page.getByRole('link', { name: 'Open the page' }).getAttribute('href')).toBe(link);
    expect(await facts()).toMatchObject({
      Takes: 'any number of payments, of a fixed amount',
      Valid: '2026-01-01 to 2030-12-31',
    });
    await ui.page.getByText('None yet.').waitFor();
    await payLink(newSession, link, {});
    const createdRows = ui.page.locator('tbody tr');
    await createdRows.filter({ hasText: 'Processing' }).waitFor();
    await createdRows.getByRole('link', { name: 'LINK-1' }).click();
    await ui.page.getByTestId('settle-Paid').waitFor();
    await ui.page.getByTestId('stations').getByRole('link', { name: 'Link 1' }).click();
    await ui.waitForRecord('LINK-1');
  });

  it('of links show how many payments they accept, and whether the payer can change the amount', async () => {
    const linkSession = await ui.newSession();
    for (const type of ['ONCE_OFF_FIXED', 'OPEN_FIXED_AMOUNT', 'OPEN_DYNAMIC_AMOUNT']) {
      await createLink(linkSession, { paymentLinkType: type, paymentLinkReference: type });
    }
    await ui.open(linkSession, 'links');
    const row = (text: string | RegExp) => ui.page.locator('.list a.row').filter({ hasText: text });
    await row(/ONCE_OFF_FIXED.*0 of 1 payment/).waitFor();
    expect(await ui.page.getByLabel('Search', { exact: true }).getAttribute('placeholder')).toBe('Search');
    await row(/OPEN_FIXED_AMOUNT.*Fixed amount/).waitFor();
    await row(/OPEN_DYNAMIC_AMOUNT.*Suggested amount/).click();
    await ui.waitForRecord('OPEN_DYNAMIC_AMOUNT');
    expect(await facts()).toMatchObject({ Takes: 'any number of payments; the payer can change the amount' });
  });

  it('of a recurring payment show when it is charged next, and list the charges', async () => {
    const newSession = await ui.newSession();
    await makeRecurringPayment(newSession);
    await ui.open(newSession, 'recurring/1');
    await ui.waitForRecord('SUBSCRIPTION-1');
    const waitForNextCharge = (text: string) => ui.page.getByTestId('next-charge').filter({ hasText: text }).waitFor();
    await waitForNextCharge('22:00:00 in 12 h');
    await newSession.advance('P1D');
    await waitForNextCharge('2026-03-31 22:00:00 in 29 d 12 h');
    await ui.page.getByRole('heading', { name: 'Charges (1)' }).waitFor();
    expect(await ui.page.locator('tbody tr').allTextContents()).toEqual([
      expect.stringMatching(/^SUBSCRIPTION-1Paid2026-03-01 22:00:0015\.00 USD$/),
    ]);
  });

  it('of a token show its merchant, when it was created, and the token', async () => {
    const newSession = await ui.newSession();
    await makeRecurringPayment(newSession);
    await ui.open(newSession, 'tokens');
    await ui.page.locator('a.row').filter({ hasText: 'Expires 20' }).click();
    await ui.page.getByTestId('record').waitFor();
    expect(await facts()).toMatchObject({ Merchant: 'Corner Shop M-1000', Created: '10:00:00' });
    const { items } = await newSession.list<{ token: string }>('payment-tokens');
    await ui.page.getByText(items[0]?.token ?? '', { exact: true }).waitFor();
  });
});

const stations = () => ui.page.getByTestId('stations').locator('li');

describe('the detail of a payment', () => {
  const waitForSentence = (text: string) => ui.page.getByTestId('sentence').filter({ hasText: text }).waitFor();

  it('has a path whose planned steps are marked, and a sentence that counts down', async () => {
    const newSession = await ui.newSession();
    await pay(newSession, { payerReference: 'ORDER-1' });
    await ui.open(newSession, 'payments/payment-1');
    await waitForSentence('Waiting for the payer to scan the QR code. Will expire in 15 min.');
    expect(await stations().allTextContents()).toEqual([
      'ShopInitiate payment10:00:00',
      'SandboxAnswered 20010:00:00',
      'PayerAsked by QR codeEnds in 15 min',
      'NotificationNot yet sent',
    ]);
    await waitForCount(ui.page.locator('.stations li.ahead'), 2);
    await newSession.advance('PT1M');
    await waitForSentence('Will expire in 14 min.');
    expect(await stations().nth(2).textContent()).toBe('PayerAsked by QR codeEnds in 14 min');
    await newSession.settle('ORDER-1', 'Paid');
    await waitForSentence('Paid by hand. No notification was sent: no endpoint was set for payment.paid.');
    expect(await stations().last().textContent()).toBe('NotificationNo endpoint');
    await waitForCount(ui.page.locator('.stations .leg.missing'), 1);
  });

  it('shows a planned notification as planned, not as sent', async () => {
    const newSession = await ui.newSession();
    await newSession.setEndpoints([{ url: ui.receiver.url }]);
    await newSession.useScenario('late-webhooks');
    await pay(newSession, { payerReference: 'ORDER-1' });
    await newSession.settle('ORDER-1', 'Paid');
    await ui.open(newSession, 'payments/payment-1');
    await ui.page.locator('.stations .leg.planned').waitFor();
    expect(await stations().last().textContent()).toMatch(/^NotificationNot yet sentNext in /);
  });

  it('shows why it failed and how its endpoint answered, with links to the scenario and the delivery', async () => {
    const newSession = await ui.newSession();
    await newSession.setEndpoints([{ url: ui.receiver.url }]);
    await newSession.useScenario('declined');
    ui.receiver.status = 500;
    await pay(newSession, { payerReference: 'ORDER-1', walletName: 'WALLET_CARD_A' });
    await newSession.advance('PT3S');
    await ui.open(newSession, 'payments/payment-1');
    await waitForSentence('Failed by rule 1 of declined: Invalid card (800.100.151).');
    await waitForSentence('Notification payment.failed: answered 500; next attempt in');
    await ui.page
      .getByTestId('timeline')
      .filter({ hasText: 'Notification payment.failed delivery-1answered 500' })
      .waitFor();
    expect(await stations().last().textContent()).toMatch(/^NotificationAnswered 50010:00:03Next in /);
    await ui.page.getByRole('link', { name: 'Notification payment.failed' }).click();
    await ui.waitForRecord('payment.failed');
    ui.receiver.status = 200;
    await ui.page.getByRole('button', { name: 'Send again' }).click();
    await waitForSentence('attempt 2: answered 200.');
    await ui.page.goBack();
    await ui.page.getByRole('link', { name: 'rule 1 of declined' }).first().click();
    await ui.waitForRecord('declined');
  });

  it('shows its path from top to bottom on narrow screens', async () => {
    const newSession = await ui.newSession();
    await pay(newSession, {});
    await ui.open(newSession, 'payments/payment-1', { viewport: PHONE });
    await ui.page.getByTestId('stations').waitFor();
    const [first, last] = await Promise.all([stations().first().boundingBox(), stations().last().boundingBox()]);
    expect(last?.x).toBe(first?.x);
    expect(last?.y).toBeGreaterThan(first?.y ?? 0);
    expect(await ui.page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
  });
});

describe('a decided payment', () => {
  it('can be refunded in part and charged back by hand, as its timeline shows', async () => {
    const newSession = await ui.newSession();
    await pay(newSession, { payerReference: 'ORDER-1' });
    await newSession.settle('ORDER-1', 'Paid');
    await ui.open(newSession, 'payments/payment-1');
    const choose = (name: string) => ui.page.getByRole('button', { name, exact: true }).click();
    await ui.page.getByTestId('adjustments-amount').fill('3');
    await choose('Refund');
    const timeline = ui.page.getByTestId('timeline');
    await timeline.getByText('Refunded', { exact: true }).waitFor();
    expect((await stations().allTextContents()).slice(2)).toEqual([
      'PayerPaid by hand10:00:00',
      'ShopRefunded10:00:00',
      'NotificationNo endpoint',
    ]);
    await ui.page.getByTestId('sentence').filter({ hasText: '; 7.00 USD remains paid.' }).waitFor();
    expect(await facts()).toMatchObject({ 'Status for the merchant': 'PartlyRefunded' });
    await choose('Charge back');
    await ui.waitForState('Charged back');
    expect(await stations().nth(3).textContent()).toBe("Payer's bankCharged back10:00:00");
    expect(await timeline.textContent()).toMatch(
      /Charged back by hand: 7\.00 of 10\.00 USD, described as .*; nothing remains paid.*Refunded by hand: 3\.00 of 10\.00 USD, described as .*; 7\.00 USD remains paid/,
    );
    expect(await ui.page.locator('.button-row').getByRole('button').allTextContents()).toEqual([
      'Reverse the chargeback',
    ]);
    await choose('Reverse the chargeback');
    await ui.waitForState('Paid');
    expect((await newSession.payment('ORDER-1')).left).toBe('7.00');
  });

  it('shows no charges if it failed', async () => {
    const newSession = await ui.newSession();
    await pay(newSession, { payerReference: 'ORDER-1' });
    await ui.open(newSession, 'payments/payment-1');
    await ui.waitForRecord('ORDER-1');
    expect(await facts()).toHaveProperty('Charges');
    await newSession.settle('ORDER-1', 'Failed');
    await ui.waitForState('Failed');
    expect(await facts()).not.toHaveProperty('Charges');
  });

  it('shows a planned chargeback in its timeline', async () => {
    const newSession = await ui.newSession();
    await newSession.useScenario('chargeback');
    await pay(newSession, { payerReference: 'ORDER-1' });
    await newSession.settle('ORDER-1', 'Paid');
    await ui.open(newSession, 'payments/payment-1');
    await ui.page.getByTestId('timeline').locator('.ahead').filter({ hasText: 'Chargeback in 3 d' }).waitFor();
    expect(await facts()).toMatchObject({ 'Planned adjustments': 'charge back 3d after it is paid' });
  });
});

it('a shop code shows its payments and can be deactivated by hand', async () => {
  const newSession = await ui.newSession();
  await makeShopCode(newSession);
  await submit(newSession, '/pay/scan/shop-code-1', { amount: '4.00' });
  await ui.open(newSession, 'codes/shop-code-1');
  await ui.waitForRecord('TILL-1');
  await ui.page.getByRole('link', { name: 'TILL-1-1' }).waitFor();
  await ui.page.getByTestId('deactivate').click();
  await ui.page.getByText('Shop code · not active').waitFor();
  expect(await newSession.call('GET', '/shop-codes/TILL-1')).toMatchObject({ active: false, scans: 1 });
});
