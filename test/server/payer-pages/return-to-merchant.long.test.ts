import request from 'supertest';
import type { SandboxClient } from '../../../src/client/client.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { addressOf, createLink, pay, payLink, submit, textById } from './visits.ts';

let sandbox: Sandbox;
let sessionCount = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), validation: 'lenient' });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessionCount += 1;
  return sandbox.session(`way-back-${sessionCount}`);
}

const SUCCESS = 'http://shop.test/paid?reference=LINK-1&status=Paid';
const failure = (status: string) => `http://shop.test/failed?reference=LINK-1&status=${status}`;
const SHOP = {
  paymentLinkCustomerRedirectUrl: 'http://shop.test/paid',
  paymentCustomerFailRedirectUrl: 'http://shop.test/failed',
};
const MOBILE = { channel: 'mobile-money', mobile: '263770000001' };
const get = async ({ baseUrl }: SandboxClient, path: string) => (await request(baseUrl).get(path)).text;

describe.each([
  ['qr-wallet', { channel: 'qr-wallet' }, 'return'],
  ['card-network-a', { channel: 'card-network-a' }, 'return'],
  ['mobile-money', MOBILE, 'return-payment-1'],
])("a link's payment by %s", (_channel, form, returnId) => {
  it.each([
    ['Paid', SUCCESS],
    ['Failed', failure('Failed')],
    ['Cancelled', failure('Cancelled')],
    ['Expired', failure('Expired')],
  ] as const)('links back to the merchant after it is decided elsewhere as %s', async (outcome, address) => {
    const session = newSession();
    const page = await payLink(session, await createLink(session, SHOP), form);
    await session.settle('payment-1', outcome);
    expect(addressOf(await get(session, page), returnId)).toBe(address);
  });

  it('links back to the merchant if a scenario or the clock decides it', async () => {
    const session = newSession();
    const url = await createLink(session, SHOP);
    const page = await payLink(session, url, form);
    await session.advance('PT15M');
    expect(addressOf(await get(session, page), returnId)).toBe(failure('Expired'));
    await session.useScenario('auto-approve');
    const second = await payLink(session, url, form);
    await session.runUntilIdle();
    expect(addressOf(await get(session, second), returnId.replace('1', '2'))).toBe(SUCCESS);
  });
});

describe('a paid payment of a link', () => {
  it.each([
    ['refund', 'Refunded', 'Paid, and refunded since.'],
    ['chargeback', 'ChargedBack', 'Paid, and charged back since.'],
  ] as const)('that has a %s shows it, and its once-off link remains paid', async (kind, state, words) => {
    const session = newSession();
    const url = await createLink(session, { ...SHOP, paymentLinkType: 'ONCE_OFF_FIXED' });
    const page = await payLink(session, url, { channel: 'qr-wallet' });
    await session.settle('payment-1', 'Paid');
    await session.addAdjustment('payment-1', kind);
    const html = await get(session, page);
    expect(textById(html, 'outcome')).toBe(words);
    expect(html).not.toContain('paid-otherwise');
    expect(addressOf(html, 'return')).toBe(SUCCESS.replace('Paid', state));
    expect(await session.call('GET', '/links/1')).toMatchObject({ paid: true });
    expect(await get(session, url.replace(session.baseUrl, ''))).toContain('This link has already been paid');
  });

  it('shows each refunded part', async () => {
    const session = newSession();
    const page = await payLink(session, await createLink(session, SHOP), { channel: 'qr-wallet' });
    await session.settle('payment-1', 'Paid');
    await session.addAdjustment('payment-1', 'refund', { amount: '3.00' });
    const html = await get(session, page);
    expect(textById(html, 'outcome')).toBe('Paid. Thank you.');
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain('3.00 USD refunded on 2026-03-01 12:00 (UTC+02:00)');
  });
});

it('a payer who decides is redirected, and a payer who is too late sees the outcome', async () => {
  const session = newSession();
  const url = await createLink(session, SHOP);
  const [first, second] = [await payLink(session, url, {}), await payLink(session, url, {})];
  expect((await submit(session, first, { action: 'approve' })).headers['location']).toBe(SUCCESS);
  const form = { action: 'approve', formToken: await tokenOf(session, second) };
  await session.settle('payment-2', 'Cancelled');
  const { headers } = await request(session.baseUrl).post(second).type('form').send(form);
  expect(session.baseUrl.endsWith(String(headers['location']).replace(second, ''))).toBe(true);
  const text = await get(session, second);
  expect([textById(text, 'outcome'), addressOf(text, 'return')]).toEqual([
    'The payment was cancelled.',
    failure('Cancelled'),
  ]);
});

async function tokenOf(session: SandboxClient, page: string): Promise<string> {
  return /name="formToken" value="([^"]+)"/.exec(await get(session, page))?.[1] ?? '';
}

describe('a once-off link with several open payments', () => {
  const openPayments = async () => {
    const session = newSession();
    const url = await createLink(session, { ...SHOP, paymentLinkType: 'ONCE_OFF_FIXED' });
    const wallet = await payLink(session, url, {});
    const checkout = await payLink(session, url, { channel: 'card-network-a' });
    const phone = await payLink(session, url, MOBILE);
    return { session, url, wallet, checkout, phone };
  };

  it('shows another payer that it has already been paid, with a link back to the merchant', async () => {
    const { session, url, wallet, checkout } = await openPayments();
    const formToken = await tokenOf(session, checkout);
    await submit(session, wallet, { action: 'approve' });
    const paymentCode = new URL(checkout, 'http://any').searchParams.get('paymentCode') ?? '';
    for (const action of [{ testCard: 'approved' }, { action: 'cancel' }]) {
      const { headers } = await request(session.baseUrl)
        .post('/pay/checkout')
        .type('form')
        .send({ paymentCode, formToken, ...action });
      expect(headers['location']).toMatch(/\/pay\/checkout\?paymentCode=/);
    }
    const text = await get(session, checkout);
    expect(textById(text, 'outcome')).toBe('This link has already been paid.');
    expect(addressOf(text, 'return')).toBe(SUCCESS);
    const page = await request(url).get('');
    expect([page.status, textById(page.text, 'message-title'), addressOf(page.text, 'return')]).toEqual([
      410,
      'This link has already been paid',
      SUCCESS,
    ]);
  });

  it('shows on the phone, too, that it has already been paid', async () => {
    const { session, wallet, phone } = await openPayments();
    await submit(session, wallet, { action: 'approve' });
    const text = await get(session, phone);
    expect(textById(text, 'message-payment-3')).toBeDefined();
    expect(text).toContain('This link has already been paid.');
    expect(addressOf(text, 'return-payment-3')).toBe(SUCCESS);
  });
});

it("a page without the merchant's address says that the tab can be closed", async () => {
  const session = newSession();
  const { paymentId } = await pay(session, { walletName: 'WALLET_CARD_A' });
  await session.settle('payment-1', 'Paid');
  expect(textById(await get(session, `/pay/checkout?paymentCode=${paymentId}`), 'close-tab')).toContain(
    'close this tab',
  );
  const url = await createLink(session, { ...SHOP, paymentLinkCustomerRedirectUrl: '' });
  const page = await payLink(session, url, {});
  await submit(session, page, { action: 'approve' });
  expect(textById(await get(session, page), 'close-tab')).toContain('close this tab');
});

describe('form-action', () => {
  const formAction = async ({ baseUrl }: SandboxClient, page: string) => {
    const { headers } = await request(baseUrl).get(page);
    return /form-action ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
  };

  it('names only the origins of the current link, and none without a link', async () => {
    const session = newSession();
    const addresses = (shop: string) => ({
      paymentLinkCustomerRedirectUrl: `https://${shop}.test:8443/paid`,
      paymentCustomerFailRedirectUrl: `http://${shop}.test/failed`,
    });
    const oldest = await createLink(session, addresses('oldest'));
    for (let index = 0; index < 120; index += 1) {
      await createLink(session, addresses(`shop-${index}`));
    }
    const expected = "'self' https://oldest.test:8443 http://oldest.test";
    for (const form of [{}, { channel: 'card-network-a' }, MOBILE]) {
      expect(await formAction(session, await payLink(session, oldest, form))).toBe(expected);
    }
    const { paymentCode } = await pay(session, {});
    expect(await formAction(session, `/pay/approve/${paymentCode}`)).toBe("'self'");
  });

  it.each([
    ['http://a;script-src.test/paid', "'self'"],
    ['http://*.test/paid', "'self'"],
    ["http://a'self'.test/paid", "'self'"],
    ['http://a,b.test/paid', "'self'"],
    ['http://[::1]:3000/paid', "'self'"],
    ['https://user:secret@shop.test/paid;x', "'self' https://shop.test"],
    ['http://my_shop:3000/paid', "'self'"],
    ['http://bücher.test/paid', "'self' http://xn--bcher-kva.test"],
  ])(
    'is neither broken nor widened by %s, and the payer still gets back to the merchant',
    async (address, expected) => {
      const session = newSession();
      const urls = { paymentLinkCustomerRedirectUrl: address, paymentCustomerFailRedirectUrl: address };
      const page = await payLink(session, await createLink(session, urls), {});
      expect(await formAction(session, page)).toBe(expected);
      const returnUrl = new URL(address);
      returnUrl.search = '?reference=LINK-1&status=Paid';
      const { headers } = await submit(session, page, { action: 'approve' });
      expect([headers['location'], addressOf(await get(session, page), 'return')]).toEqual([
        expected === "'self'" ? `${new URL(session.baseUrl).pathname}${page}` : returnUrl.href,
        returnUrl.href,
      ]);
    },
  );
});
