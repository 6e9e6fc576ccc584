import { test as base, expect } from '@playwright/test';
import { withSandbox } from 'merchant-sandbox/playwright';
import { startShop } from './shop.ts';

const secret = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgcmVjZWl2ZXI=';
const test = withSandbox(base).extend<{ shopUrl: string }>({
  shopUrl: async ({ session }, use) => {
    const { url, server } = await startShop(session.baseUrl, secret);
    await session.setEndpoints([{ url: `${url}/webhook`, secret }]);
    await use(url);
    server.close();
  },
});

test('an order is paid once its payer has paid at the checkout', async ({ page, session, shopUrl }) => {
  await page.goto(`${shopUrl}/ORDER-1`);
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByTestId('test-card-approved').click();
  await expect(page.getByTestId('outcome')).toBeVisible();
  await session.waitForDelivery('ORDER-1');
  await page.goto(`${shopUrl}/ORDER-1`);
  await expect(page.getByTestId('state')).toHaveText('Paid');
});
