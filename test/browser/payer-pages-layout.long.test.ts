// Which parts of a payer's page are visible without scrolling.
import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { openBrowser } from './browser.ts';

/** The window on a screen of 1440 by 900, without the bars of the browser. */
const WINDOW = { width: 1440, height: 780 };
const PHONE = { width: 390, height: 844 };
const MOBILE = '263770000001';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  browser = await openBrowser();
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

/** Whether an element is entirely visible, and not cut by the window or a scrolling parent. */
const isInView = (testId: string) =>
  page
    .getByTestId(testId)
    .evaluate(
      (element) =>
        new Promise((resolve) =>
          new IntersectionObserver(([entry]) => resolve(entry?.intersectionRatio === 1)).observe(element),
        ),
    );

it.each([WINDOW, PHONE])('after a wrong PIN, the problem and the button Confirm are in view, at %o', async (size) => {
  const session = sandbox.session(`phone-${size.width}`);
  await pay(session, {
    walletName: 'WALLET_MOBILE',
    payerMobile: MOBILE,
    paymentDescription: 'Two tickets for the evening',
  });
  await page.setViewportSize(size);
  await page.goto(`${session.baseUrl}/pay/phone/${MOBILE}`);
  await page.getByTestId('pin-payment-1').fill('9999');
  await page.getByTestId('confirm-payment-1').click();
  await page.getByTestId('problem').waitFor();
  expect([await isInView('problem'), await isInView('confirm-payment-1')]).toEqual([true, true]);
});

it.each([WINDOW, PHONE])('the checkout shows every test card without scrolling, at %o', async (size) => {
  const session = sandbox.session(`cards-${size.width}`);
  const { paymentRedirectUrl = '' } = await pay(session, { walletName: 'WALLET_CARD_A' });
  await page.setViewportSize(size);
  await page.goto(paymentRedirectUrl);
  const tiles = await page
    .locator('.tile')
    .evaluateAll((all) => all.map((tile) => tile.getAttribute('data-testid') ?? ''));
  expect(tiles).toHaveLength(9);
  expect(await Promise.all(tiles.map(isInView))).toEqual(tiles.map(() => true));
});
