import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { SandboxClient } from '../../src/client/client.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { createLink as createLinkOf, pay } from '../server/payer-pages/visits.ts';
import { openBrowser } from './browser.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

let sandbox: Sandbox;
let browser: Browser;
/** Shared by all tests, because a new one takes longer than most of them; each test has a separate session. */
let withScripts: Page;
let withoutScripts: Page | undefined;
let shop: { url: string; close(): void };
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
  browser = await openBrowser();
  withScripts = await browser.newPage({ reducedMotion: 'reduce' });
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
  return sandbox.session(`pages-${sessions}`);
}

const createLink = (session: SandboxClient, members: object = {}) =>
  createLinkOf(session, {
    paymentLinkCustomerRedirectUrl: `${shop.url}/paid?basket=1`,
    paymentCustomerFailRedirectUrl: `${shop.url}/failed`,
    ...members,
  });

/** Opens an address in the page that all tests share, or in a new page without scripts. */
async function visit(
  address: string,
  { viewport = PHONE, javaScriptEnabled = true }: { viewport?: typeof PHONE; javaScriptEnabled?: boolean } = {},
): Promise<Page> {
  const opened = javaScriptEnabled ? withScripts : await newPageWithoutScripts();
  await opened.setViewportSize(viewport);
  await opened.goto(address);
  return opened;
}

/** Closes the previous page, because pages without scripts reload themselves and might do so during the next visit. */
async function newPageWithoutScripts(): Promise<Page> {
  await withoutScripts?.close();
  withoutScripts = await browser.newPage({ javaScriptEnabled: false });
  return withoutScripts;
}

const state = async (session: SandboxClient) => (await session.payment('payment-1')).state;
const outcome = (page: Page) => page.getByTestId('outcome').getAttribute('data-state');

describe('the checkout', () => {
  it.each([
    ['approved', 'Paid', '000.000.000', []],
    ['declined', 'Failed', '800.100.151', ['The bank declined this card.']],
    ['insufficient-funds', 'Failed', '800.100.155', ['There is not enough money on this card.']],
    ['expired-card', 'Failed', '800.100.157', ['This card has expired.']],
    ['wrong-security-code', 'Failed', '800.100.153', ['The security code is wrong.']],
    ['processing-error', 'Failed', '900.100.300', ['The bank did not answer in time.']],
  ])('decides the payment with one click on the test card %s', async (card, expected, code, why) => {
    const session = newSession();
    const page = await visit((await pay(session, { walletName: 'WALLET_CARD_A' }))['paymentRedirectUrl'] ?? '');
    await page.getByTestId(`test-card-${card}`).click();
    expect(await outcome(page)).toBe(expected);
    expect((await session.payment('payment-1')).history.at(-1)).toMatchObject({ to: expected, cause: 'payer', code });
    expect(await page.getByTestId('why').allTextContents()).toEqual(why);
    expect(await page.getByTestId('decided').textContent()).toBe('2026-03-01 12:00:00 (UTC+02:00), 10:00:00 UTC');
  });

  it.each([
    ['challenge-passed', 'Paid'],
    ['challenge-failed', 'Failed'],
    ['challenge-abandoned', 'Cancelled'],
  ])('shows a challenge for the test card %s, which only the right code ends', async (card, expected) => {
    const session = newSession();
    const page = await visit((await pay(session, { walletName: 'WALLET_SWITCH' }))['paymentRedirectUrl'] ?? '', {
      viewport: DESKTOP,
    });
    await page.getByTestId(`test-card-${card}`).click();
    await page.getByTestId('one-time-code').fill('000000');
    await page.getByTestId('confirm').click();
    expect(await page.getByTestId('problem').textContent()).toContain('This code is wrong');
    expect(await state(session)).toBe('Processing');
    await page.getByTestId('one-time-code').fill((await page.getByTestId('challenge-code').textContent()) ?? '');
    await page.getByTestId('confirm').click();
    expect(await outcome(page)).toBe(expected);
  });

  it('accepts a test card typed by keyboard, and refuses other numbers', async () => {
    const session = newSession();
    const page = await visit((await pay(session, { walletName: 'WALLET_CARD_B' }))['paymentRedirectUrl'] ?? '');
    const type = async (number: string) => {
      await page.getByTestId('card-name').focus();
      for (const text of ['Ann Payer', number, '12/40', '123']) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
      await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    };
    for (const [number, words] of [
      ['5100000000000017', 'not a card number'],
      ['4000000000000010', 'a card of that network'],
      ['5555 5555 5555 4444', 'Only test cards work'],
    ] as const) {
      await type(number);
      expect(await page.getByTestId('problem').textContent()).toContain(words);
    }
    await type('5100 0000 0000 0016');
    expect(await outcome(page)).toBe('Paid');
    expect(JSON.stringify(await session.state())).not.toContain('5100000000000016');
  });

  it('can be cancelled without a card', async () => {
    const session = newSession();
    const page = await visit((await pay(session, { walletName: 'WALLET_CARD_A' }))['paymentRedirectUrl'] ?? '');
    await page.getByTestId('cancel').click();
    expect([await outcome(page), await state(session)]).toEqual(['Cancelled', 'Cancelled']);
  });
});

it('a refused card is shown as typed, with the problem at its field, but without the security code', async () => {
  const session = newSession();
  const page = await visit((await pay(session, { walletName: 'WALLET_CARD_A' }))['paymentRedirectUrl'] ?? '');
  await page.getByTestId('card-name').fill('Ann Payer');
  await page.getByTestId('card-number').fill('4000 0000 0000 0011');
  await page.getByTestId('card-expiry').fill('12/40');
  await page.getByTestId('card-code').fill('123');
  await page.getByTestId('pay').click();
  await page.getByTestId('problem').waitFor();
  const values = ['card-name', 'card-number', 'card-expiry', 'card-code'].map((id) =>
    page.getByTestId(id).inputValue(),
  );
  expect(await Promise.all(values)).toEqual(['Ann Payer', '4000 0000 0000 0011', '12/40', '']);
  await page.getByRole('textbox', { name: 'Card number', description: 'This is not a card number' }).fill('');
  await page.getByTestId('card-number').fill('4000 0000 0000 0010');
  await page.getByTestId('card-code').fill('123');
  await page.getByTestId('pay').click();
  expect(await outcome(page)).toBe('Paid');
});

describe('the wallet', () => {
  it.each([
    ['approve', 'Paid'],
    ['cancel', 'Cancelled'],
  ])('can %s a payment with a typed code, without scripts', async (button, expected) => {
    const session = newSession();
    const { paymentCode = '' } = await pay(session, {});
    const page = await visit(`${session.baseUrl}/pay/approve`, { javaScriptEnabled: false });
    await page.getByTestId('code').fill('000');
    await page.getByTestId('continue').click();
    expect(await page.getByTestId('problem').textContent()).toContain('no payment with this code');
    await page.getByTestId('code').fill(paymentCode);
    await page.getByTestId('continue').click();
    expect(await page.getByTestId('amount').textContent()).toBe('10.00 USD');
    await page.getByTestId(button).click();
    expect([await outcome(page), await state(session)]).toEqual([expected, expected]);
  });

  it('shows that the payment of a code has expired', async () => {
    const session = newSession();
    const { paymentCode = '' } = await pay(session, {});
    await session.advance('PT15M');
    const page = await visit(`${session.baseUrl}/pay/approve/${paymentCode}`);
    expect(await outcome(page)).toBe('Expired');
  });
});

describe('the phone', () => {
  const members = { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' };

  it('shows a new prompt without being reloaded, newest first, and accepts the right PIN', async () => {
    const session = newSession();
    await session.clock();
    const page = await visit(`${session.baseUrl}/pay/phone/263770000001`);
    await page.getByTestId('no-prompts').waitFor();
    await pay(session, members);
    await page.getByTestId('prompt-payment-1').waitFor();
    await pay(session, { ...members, payerReference: 'ORDER-1002' });
    await page.getByTestId('prompt-payment-2').waitFor();
    expect(await page.getByTestId('prompts').locator('li').first().getAttribute('data-testid')).toBe(
      'prompt-payment-2',
    );
    await page.getByTestId('pin-payment-1').fill('1234');
    await page.getByTestId('confirm-payment-1').click();
    await page.getByTestId('message-payment-1').waitFor();
    expect(await state(session)).toBe('Paid');
  });

  it('accepts a PIN from its keypad', async () => {
    const session = newSession();
    await pay(session, members);
    const page = await visit(`${session.baseUrl}/pay/phone/263770000001`);
    for (const key of ['1', '2', '9', 'Delete', '3', '4']) {
      await page.getByRole('button', { name: key, exact: true }).click();
    }
    await page.getByTestId('confirm-payment-1').click();
    await page.getByTestId('message-payment-1').waitFor();
    expect(await state(session)).toBe('Paid');
  });

  it('fails a payment after the third wrong PIN', async () => {
    const session = newSession();
    await pay(session, members);
    const page = await visit(`${session.baseUrl}/pay/phone/263770000001`, { javaScriptEnabled: false });
    for (const remainingTries of ['You have 2 tries left', 'You have 1 try left']) {
      await page.getByTestId('pin-payment-1').fill('0000');
      await page.getByTestId('confirm-payment-1').click();
      expect(await page.getByTestId('problem').textContent()).toContain(remainingTries);
    }
    await page.getByTestId('pin-payment-1').fill('0000');
    await page.getByTestId('confirm-payment-1').click();
    expect(await page.getByTestId('message-payment-1').getAttribute('data-state')).toBe('Failed');
    expect((await session.payment('payment-1')).history.at(-1)?.code).toBe('55');
  });

  it('can cancel a payment, and a payment without an answer expires', async () => {
    const session = newSession();
    await pay(session, members);
    const page = await visit(`${session.baseUrl}/pay/phone/263770000001`);
    await page.getByTestId('cancel-payment-1').click();
    await page.getByTestId('message-payment-1').waitFor();
    await pay(session, members);
    await session.advance('PT15M');
    expect([await state(session), (await session.payment('payment-2')).state]).toEqual(['Cancelled', 'Expired']);
  });
});

describe('a payment link', () => {
  it.each([
    ['with', true],
    ['without', false],
  ])(
    'leads back to the shop from wallet, card and phone, with reference and status in the address, %s scripts',
    async (_, javaScriptEnabled) => {
      const session = newSession();
      const address = await createLink(session);
      const payThrough = async (channel: string, act: (page: Page) => Promise<void>, end: string) => {
        const page = await visit(address, { javaScriptEnabled });
        await page.getByTestId(`channel-${channel}`).check();
        await page.getByTestId('pay').click();
        await act(page);
        await page.waitForURL(`${shop.url}/${end}`);
      };
      await payThrough(
        'qr-wallet',
        (page) => page.getByTestId('approve').click(),
        'paid?basket=1&reference=LINK-1&status=Paid',
      );
      await payThrough(
        'card-network-a',
        (page) => page.getByTestId('test-card-declined').click(),
        'failed?reference=LINK-1&status=Failed',
      );
      const confirm = async (page: Page) => {
        await page.getByLabel(/^PIN/).fill('1234');
        await page.getByRole('button', { name: 'Confirm' }).click();
      };
      await payThrough('mobile-money', confirm, 'paid?basket=1&reference=LINK-1&status=Paid');
    },
  );

  it('accepts the amount that its payer chooses, and shows name, picture and prefilled details', async () => {
    const session = newSession();
    const page = await visit(await createLink(session, { paymentLinkType: 'OPEN_DYNAMIC_AMOUNT' }), {
      viewport: DESKTOP,
    });
    expect(await page.getByTestId('link-name').textContent()).toBe('Market stall');
    expect(await page.evaluate("document.querySelector('[data-testid=picture]').naturalWidth")).toBe(1);
    expect(await page.getByTestId('payer-name').inputValue()).toBe('Ann Payer');
    await page.getByTestId('amount-field').fill('a lot');
    await page.getByTestId('pay').click();
    expect(await page.getByTestId('problem').textContent()).toContain('an amount such as 10.00');
    await page.getByTestId('amount-field').fill('12.50');
    await page.getByTestId('pay').click();
    expect(await page.getByTestId('amount').textContent()).toBe('12.50 USD');
  });

  it('reports that it has already been paid if it is once-off, or that it is not yet or no longer active', async () => {
    const session = newSession();
    const address = await createLink(session, { paymentLinkType: 'ONCE_OFF_FIXED' });
    const page = await visit(address);
    await page.getByTestId('pay').click();
    await session.settle('payment-1', 'Paid');
    await page.goto(address);
    expect(await page.getByTestId('message-title').textContent()).toBe('This link has already been paid');
    await page.goto(await createLink(session, { paymentLinkStartDate: '2026-03-02' }));
    expect(await page.getByTestId('message-title').textContent()).toBe('Not yet');
    await page.goto(await createLink(session, { paymentLinkEndDate: '2026-02-28' }));
    expect(await page.getByTestId('message-title').textContent()).toBe('Too late');
  });
});
