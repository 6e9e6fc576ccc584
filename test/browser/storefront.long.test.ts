import type { Browser, BrowserContext, Page } from 'playwright-core';
import { SandboxClient } from '../../src/client/client.ts';
import { type Demo, startDemo } from '../../src/demo/demo.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser } from './browser.ts';

const CHANNELS = ['mobile-money', 'card-switch', 'card-network-a', 'card-network-b'] as const;

let demo: Demo;
let client: SandboxClient;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Errors and messages of the browser. */
const problems: string[] = [];

beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo({ port: 0 }), openBrowser()]);
  client = new SandboxClient({ url: demo.url });
});
beforeEach(async () => {
  context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 390, height: 844 } });
  page = await context.newPage();
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await demo.close();
});

async function order(item: string, channel?: string): Promise<void> {
  await page.goto(demo.shopUrl);
  await page.getByTestId(`buy-${item}`).click();
  if (channel !== undefined) {
    await page.getByTestId(`channel-${channel}`).check();
  }
  await page.getByTestId('order').click();
  await page.getByTestId('state').getByText('Waiting for payment').waitFor();
}

/** Follows the link to the next step of the order, which opens in a new tab. */
async function openNextStep(testId = 'pay'): Promise<Page> {
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByTestId(testId).click()]);
  return opened;
}

const waitForOrderState = (state: string) =>
  page.getByTestId('state').getByText(state, { exact: true }).waitFor(LONG_WAIT);
const story = () => page.getByTestId('story').textContent();

it('the shop sells an item for a wallet payment, and shows the notification as soon as it arrives', async () => {
  await order('beans', 'qr-wallet');
  expect(await page.getByAltText('QR code of this payment').evaluate('({ naturalWidth }) => naturalWidth')).not.toBe(0);
  const wallet = await openNextStep();
  await wallet.getByTestId('approve').click();
  await waitForOrderState('Paid');
  expect(await story()).toMatch(/Notified Paid: Approved or completed successfully[\s\S]*on its way/);
});

it.each(CHANNELS)('the shop sells an item by %s', async (channel) => {
  await order('mug', channel);
  const payer = await openNextStep();
  if (channel === 'mobile-money') {
    await payer.locator('input[name="pin"]').first().fill('1234');
    await payer.locator('button[value="confirm"]').first().click();
  } else {
    await payer.getByTestId('test-card-approved').click();
  }
  await waitForOrderState('Paid');
});

it('the shop ships nothing if the payer cancels', async () => {
  await order('mug', 'qr-wallet');
  await (await openNextStep()).getByTestId('cancel').click();
  await waitForOrderState('Payment cancelled');
  expect(await story()).not.toContain('on its way');
});

it('the shop accepts an order by a payment link, which leads back to it', async () => {
  await order('gift-card', 'link');
  await page.getByTestId('pay').click();
  await page.getByTestId('channel-card-network-a').check();
  await page.getByTestId('pay').click();
  await page.getByTestId('test-card-approved').click();
  await page.waitForURL(`${demo.shopUrl}/orders/**`);
  await waitForOrderState('Paid');
});

it('the shop starts a subscription, which is charged again a month later', async () => {
  await order('coffee-club');
  await (await openNextStep()).getByTestId('test-card-approved').click();
  await page.getByTestId('story').getByText('It will be charged every month').waitFor(LONG_WAIT);
  const { items } = await client.list<{ intervalName: string; state: string }>('recurring-payments');
  expect(items[0]).toMatchObject({ intervalName: 'Monthly', state: 'Active' });
  await client.advance('P31D');
  await page.getByTestId('story').getByText('Charged again: Paid').waitFor(LONG_WAIT);
  await demo.reset();
});

it('the shop sells a coffee to a customer who scans the code on the counter', async () => {
  await page.goto(demo.shopUrl);
  const code = await openNextStep('shop-code');
  await code.getByTestId('open-wallet').click();
  await code.getByTestId('approve').click();
  await code.getByTestId('outcome').waitFor();
  await client.waitForDelivery('TILL-1-9', LONG_WAIT);
  await page.reload();
  expect(await page.locator('.orders').textContent()).toMatch(/Coffee at the counter[\s\S]*Paid/);
});

it('the shop shows the mistakes in an order, and keeps what was typed', async () => {
  await page.goto(`${demo.shopUrl}/buy/gift-card`);
  await page.locator('input[name="amount"]').fill('<b>ten</b>');
  await page.getByTestId('order').click();
  expect(await page.getByRole('alert').textContent()).toContain('Enter an amount');
  expect(await page.locator('input[name="amount"]').inputValue()).toBe('<b>ten</b>');
});

it('the shop fits a phone, is accessible, and causes no errors in the browser', async () => {
  problems.length = 0;
  await page.addInitScript(AXE);
  const violations: unknown[] = [];
  const checkPage = async () => {
    violations.push(...(await violationsOn(page)));
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  };
  await order('beans', 'qr-wallet');
  await checkPage();
  await (await openNextStep()).getByTestId('approve').click();
  await waitForOrderState('Paid');
  await checkPage();
  for (const path of ['/', '/buy/gift-card', '/nowhere']) {
    await page.goto(demo.shopUrl + path);
    await checkPage();
  }
  expect(violations).toEqual([]);
  expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
});
