import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { SandboxClient } from '../../src/client/client.ts';
import { LONG_WAIT } from '../long-wait.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { createLink, pay } from '../server/payer-pages/visits.ts';
import { openBrowser, waitForCount } from './browser.ts';

let sandbox: Sandbox;
let browser: Browser;
/** The pages of two payers, shared by all tests; each test has a separate session. */
let payer: Page;
let other: Page;
/** How often each page has navigated since its address was opened. */
const navigations = new Map<Page, number>();
let shop: { url: string; close(): void };
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  browser = await openBrowser();
  [payer, other] = await Promise.all([openTab(), openTab()]);
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>the shop</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
});
afterAll(async () => {
  await browser.close();
  await sandbox.close();
  shop.close();
});

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`live-pages-${sessions}`);
}

const MOBILE_MONEY = { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' };
const createCheckout = async (session: SandboxClient) =>
  (await pay(session, { walletName: 'WALLET_CARD_A' }))['paymentRedirectUrl'] ?? '';
const createShopLink = (session: SandboxClient, members: object = {}) =>
  createLink(session, {
    paymentLinkCustomerRedirectUrl: `${shop.url}/paid`,
    paymentCustomerFailRedirectUrl: `${shop.url}/failed`,
    ...members,
  });

async function openTab(): Promise<Page> {
  const page = await browser.newPage();
  page.on('framenavigated', () => navigations.set(page, (navigations.get(page) ?? 0) + 1));
  return page;
}

/** Resolves once the page follows its session, because earlier changes would be missed. */
const waitForSubscription = (page: Page, address: string) => {
  const [base = ''] = address.split('/pay/');
  return page.waitForResponse((response) => response.url().startsWith(`${base}/pay/versions/`));
};

/** Opens an address, and counts how often the page navigates from then on. */
async function visit(address: string, page = payer): Promise<Page> {
  await Promise.all([waitForSubscription(page, address), page.goto(address)]);
  navigations.set(page, 0);
  return page;
}

async function payBy(page: Page, link: string, channel: string): Promise<void> {
  await page.goto(link);
  await page.getByTestId(`channel-${channel}`).check();
  await page.getByTestId('pay').click();
  // The payment exists once its own page is shown.
  await page.waitForURL((url) => url.href !== link);
}

describe('an open page shows what happens elsewhere, without navigation', () => {
  const expectOutcomeShown = async (
    session: SandboxClient,
    address: string,
    prepare?: (page: Page) => Promise<unknown>,
  ) => {
    const page = await visit(address);
    await prepare?.(page);
    const before = navigations.get(page);
    await session.settle('payment-1', 'Failed');
    await page.locator('[data-state=Failed]').waitFor();
    expect(navigations.get(page)).toBe(before);
  };

  it('on a checkout whose session is reset', async () => {
    const session = newSession();
    const page = await visit(await createCheckout(session));
    await session.reset();
    await page.getByTestId('message').waitFor();
    await waitForCount(page.getByTestId('card-form'), 0);
    expect(navigations.get(page)).toBe(0);
  });

  it('on the checkout, with a half-typed card number', async () => {
    const session = newSession();
    await expectOutcomeShown(session, await createCheckout(session), (page) =>
      page.getByTestId('card-number').fill('4000'),
    );
  });

  it('on the checkout, after a card was refused', async () => {
    const session = newSession();
    await expectOutcomeShown(session, await createCheckout(session), async (page) => {
      for (const field of ['card-name', 'card-number', 'card-expiry', 'card-code']) {
        await page.getByTestId(field).fill('1');
      }
      const subscribed = waitForSubscription(page, page.url());
      await page.getByTestId('pay').click();
      await page.getByTestId('problem').waitFor();
      await subscribed;
    });
  });

  it('on the challenge', async () => {
    const session = newSession();
    await expectOutcomeShown(session, await createCheckout(session), async (page) => {
      const subscribed = waitForSubscription(page, page.url());
      await page.getByTestId('test-card-challenge-passed').click();
      await page.getByTestId('challenge-form').waitFor();
      await subscribed;
    });
  });

  it('on the wallet', async () => {
    const session = newSession();
    const { paymentCode } = await pay(session);
    await expectOutcomeShown(session, `${session.baseUrl}/pay/approve/${paymentCode}`);
  });

  it("on the page of a payment's QR code", async () => {
    const session = newSession();
    const { paymentCode } = await pay(session);
    await expectOutcomeShown(session, `${session.baseUrl}/pay/qr/${paymentCode}`);
  });

  it('on the phone, with a half-typed PIN', async () => {
    const session = newSession();
    await pay(session, MOBILE_MONEY);
    await expectOutcomeShown(session, `${session.baseUrl}/pay/phone/263770000001`, (page) =>
      page.getByTestId('pin-payment-1').fill('12'),
    );
  });

  it('on the page of a link that is paid elsewhere, with a way back to the shop', async () => {
    const session = newSession();
    const link = await createShopLink(session, { paymentLinkType: 'ONCE_OFF_FIXED' });
    await payBy(other, link, 'qr-wallet');
    const page = await visit(link);
    await session.settle('payment-1', 'Paid');
    await page.getByTestId('return').waitFor();
    expect(navigations.get(page)).toBe(0);
  });
});

it('a half-typed PIN keeps its text, cursor and focus when another prompt appears or disappears', async () => {
  const session = newSession();
  await pay(session, { ...MOBILE_MONEY, payerReference: 'FIRST' });
  const page = await visit(`${session.baseUrl}/pay/phone/263770000001`);
  await page.getByTestId('pin-payment-1').pressSequentially('12');
  await pay(session, { ...MOBILE_MONEY, payerReference: 'SECOND' });
  await page.getByTestId('prompt-payment-2').waitFor();
  await session.settle('SECOND', 'Cancelled');
  await page.getByTestId('message-payment-2').waitFor();
  await page.keyboard.type('34');
  expect(await page.getByTestId('pin-payment-1').inputValue()).toBe('1234');
  expect(navigations.get(page)).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByTestId('message-payment-1').waitFor();
  expect((await session.payment('payment-1')).state).toBe('Paid');
});

it("a payer's choices and input on a link page survive a change of the link's amount", async () => {
  const session = newSession();
  const link = await createShopLink(session);
  const page = await visit(link);
  await page.getByTestId('channel-card-switch').check();
  await page.getByTestId('payer-name').fill('Bo Buyer');
  await page.getByTestId('payer-address').fill('2 Other Road');
  await createShopLink(session, { id: '1', paymentLinkAmount: '30.00', paymentLinkImageType: 'NONE' });
  await page.getByText('30.00 USD').waitFor();
  expect(await page.getByTestId('channel-card-switch').isChecked()).toBe(true);
  expect(await page.getByTestId('payer-name').inputValue()).toBe('Bo Buyer');
  expect(await page.getByTestId('payer-address').inputValue()).toBe('2 Other Road');
  expect(await page.getByTestId('payer-email').inputValue()).toBe('ann@example.test');
});

it('a phone that was open before the prompt arrived leads back to the merchant, too', async () => {
  const session = newSession();
  // Creates the session, because opening a page does not.
  await session.clock();
  const phone = await visit(`${session.baseUrl}/pay/phone/263770000001`);
  await payBy(other, await createShopLink(session), 'mobile-money');
  await phone.getByTestId('pin-payment-1').fill('1234');
  await phone.getByTestId('confirm-payment-1').click();
  await phone.waitForURL(`${shop.url}/paid?reference=LINK-1&status=Paid`);
});

it('a page that waits for the answer to its form is not updated before the answer', async () => {
  const session = newSession();
  const page = await visit(await createCheckout(session));
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    ({ pathname }) => pathname.endsWith('/pay/checkout'),
    async (route) => {
      await (route.request().method() === 'POST' ? held : undefined);
      await route.continue();
    },
  );
  const fetched: string[] = [];
  page.on('request', (sent) => {
    if (sent.resourceType() === 'fetch') {
      fetched.push(sent.url());
    }
  });
  const formRequest = page.waitForRequest((each) => each.method() === 'POST');
  await page.getByTestId('test-card-approved').click({ noWaitAfter: true });
  await formRequest;
  await session.settle('payment-1', 'Failed');
  await session.waitForEvent('payment.failed', LONG_WAIT);
  release();
  await page.locator('[data-state=Failed]').waitFor();
  expect(fetched).toEqual([]);
  await page.unrouteAll();
});

it('as soon as a hidden page is visible, it shows what has happened since', async () => {
  const session = newSession();
  const page = await visit(await createCheckout(session));
  const setHidden = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
       document.dispatchEvent(new Event('visibilitychange'));`,
    );
  await setHidden(true);
  await session.settle('payment-1', 'Expired');
  await waitForCount(page.getByTestId('outcome'), 0);
  await setHidden(false);
  await page.locator('[data-state=Expired]').waitFor();
});

it.each(['localhost', '127.0.0.1'])(
  'the pages of a payer work under the host name %s, and lead back to the merchant',
  async (host) => {
    const session = newSession();
    const link = (await createShopLink(session)).replace('127.0.0.1', host);
    const page = await visit(link);
    await payBy(page, link, 'card-network-a');
    await page.getByTestId('test-card-challenge-passed').click();
    await page.getByTestId('one-time-code').fill('123456');
    await page.getByTestId('confirm').click();
    await page.waitForURL(`${shop.url}/paid?reference=LINK-1&status=Paid`);
  },
);

it('a link leads back to an IPv6 address, which no policy can name, and a second payer reads that the link was paid', async () => {
  const session = newSession();
  const link = await createShopLink(session, {
    paymentLinkType: 'ONCE_OFF_FIXED',
    paymentLinkCustomerRedirectUrl: shop.url.replace('127.0.0.1', '[::1]'),
  });
  await payBy(payer, link, 'qr-wallet');
  await payBy(other, link, 'card-network-a');
  await payer.getByTestId('approve').click();
  expect(await payer.getByTestId('return').getAttribute('href')).toContain('[::1]');
  await other.getByTestId('return').waitFor();
  expect(await other.getByTestId('outcome').textContent()).toBe('This link has already been paid.');
});
