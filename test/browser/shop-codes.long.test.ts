import jsqr from 'jsqr';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import type { ShopCodeView } from '../../src/base/schema/generated/control.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { openBrowser } from './browser.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];

let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  browser = await openBrowser();
  page = await browser.newPage({ reducedMotion: 'reduce' });
});
beforeEach(() => sandbox.client.reset());
afterAll(async () => {
  await browser.close();
  await sandbox.close();
});

const create = (members: object = {}) =>
  sandbox.client.call<ShopCodeView>('POST', '/shop-codes', {
    merchantId: 'M-1000',
    reference: 'TILL-1',
    currency: 'USD',
    description: 'Coffee',
    ...members,
  });

/** The content of the QR code on the screen, as a phone reads it. */
async function scan(): Promise<string> {
  const { data, width, height } = PNG.sync.read(await page.screenshot());
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data ?? '';
}

it.each(SIZES)(
  'a code on a screen of %o leads a phone to the wallet, where its payer enters the amount and pays',
  async (size) => {
    const code = await create();
    await page.setViewportSize(size);
    await page.goto(code.url);
    const address = await scan();
    expect(address).toBe(code.scanUrl);
    await page.goto(address);
    await page.getByTestId('amount-field').fill('12.50');
    await page.getByTestId('approve').click();
    expect(await page.getByTestId('outcome').textContent()).toBe('Paid. Thank you.');
    expect(await sandbox.client.payment('TILL-1-1')).toMatchObject({ state: 'Paid', amount: '12.50' });
  },
);

it('a double click on Approve makes only one payment', async () => {
  await create({ amount: '2.50' });
  await page.goto(`${sandbox.url}/pay/scan/shop-code-1`);
  await page.getByTestId('approve').dblclick();
  await page.getByTestId('outcome').waitFor();
  expect((await sandbox.client.payments()).items).toHaveLength(1);
});

it('a printed page has the code without the parts that are only for the screen', async () => {
  const { url, scanUrl } = await create({ amount: '2.50' });
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.goto(url);
  await page.emulateMedia({ media: 'print' });
  expect(await scan()).toBe(scanUrl);
  expect(await page.getByTestId('open-wallet').isVisible()).toBe(false);
  expect(await page.getByTestId('sandbox-note').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
});
