import type { Browser, Page, Request } from 'playwright-core';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { createLink, pay, payLink, submit } from '../server/payer-pages/visits.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser } from './browser.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  browser = await openBrowser();
  page = await browser.newPage({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

it('payer pages are accessible in light and dark at both widths, note that no money moves, and load nothing from elsewhere', async () => {
  const session = sandbox.client;
  const card = await pay(session, { walletName: 'WALLET_CARD_A' });
  const { paymentCode } = await pay(session, {});
  await pay(session, { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' });
  const paidPayment = await pay(session, { walletName: 'WALLET_CARD_B', payerReference: 'PAID' });
  await session.settle('PAID', 'Paid');
  const failedPayment = await pay(session, { payerReference: 'FAILED' });
  await session.settle('FAILED', 'Failed');
  const onceOff = await createLink(session, { paymentLinkType: 'ONCE_OFF_FIXED' });
  const linkPayments = await Promise.all(
    [{}, {}, { channel: 'mobile-money', mobile: '263770000001' }].map((form) => payLink(session, onceOff, form)),
  );
  await session.settle('payment-6', 'Paid');
  const { headers } = await submit(session, card['paymentRedirectUrl'] ?? '', { testCard: 'challenge-passed' });
  const addresses = [
    ...linkPayments.map((path) => `${session.baseUrl}${path}`),
    onceOff,
    `${session.baseUrl}/pay/checkout?paymentCode=${paymentCode}`,
    card['paymentRedirectUrl'],
    paidPayment['paymentRedirectUrl'],
    `${session.baseUrl}/pay/approve/${paymentCode}`,
    `${session.baseUrl}/pay/approve/${failedPayment['paymentCode']}`,
    `${session.baseUrl}/pay/qr/${paymentCode}`,
    `${session.baseUrl}/pay/approve`,
    `${session.baseUrl}/pay/phone/263770000001`,
    `${session.baseUrl}/pay/phone`,
    await createLink(session),
    await createLink(session, { paymentLinkAmount: '999999999999.99' }),
    new URL(headers['location'] ?? '', session.baseUrl).href,
    `${session.baseUrl}/pay/nothing`,
  ];
  const foreign: string[] = [];
  const recordRequest = (request: Request) =>
    request.url().startsWith(sandbox.url) || request.url().startsWith('data:') || foreign.push(request.url());
  page.on('request', recordRequest);
  for (const address of addresses) {
    await page.setViewportSize(DESKTOP);
    await page.goto(address ?? '');
    expect(await page.getByTestId('sandbox-note').textContent()).toContain('no money moves');
    await page.evaluate(AXE);
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport);
      expect([address, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([address, viewport.width]);
      expect([address, await violationsOn(page)]).toEqual([address, []]);
    }
  }
  page.off('request', recordRequest);
  expect(foreign).toEqual([]);
});

it.each([PHONE, DESKTOP])('the pages of a shop code are accessible at %o, in light and dark', async (size) => {
  await sandbox.client.reset();
  await sandbox.client.call('POST', '/shop-codes', {
    merchantId: 'M-1000',
    reference: 'TILL-1',
    currency: 'USD',
    description: 'Coffee',
  });
  await page.setViewportSize(size);
  for (const path of ['/pay/shop/shop-code-1', '/pay/scan/shop-code-1']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${sandbox.url}${path}`);
      await page.evaluate(AXE);
      expect([path, colorScheme, await violationsOn(page)]).toEqual([path, colorScheme, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
    }
  }
});
