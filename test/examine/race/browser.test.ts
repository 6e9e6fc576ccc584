import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentView, RequestView } from '../../../src/base/schema/generated/control.ts';
import { forgePaid, returnAddressIn, visit } from '../../../src/examine/race/browser.ts';

const PAGES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/return': (response) => response.writeHead(302, { Location: '/thanks', 'Set-Cookie': 'basket=7; HttpOnly' }).end(),
  '/thanks': (response) => response.writeHead(200).end('<p>Thank you.</p>'),
  '/away': (response) => response.writeHead(302, { Location: 'http://elsewhere.test/' }).end(),
  '/round': (response) => response.writeHead(302, { Location: '/round' }).end(),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/broken': (response) => response.writeHead(500).end(),
};

describe('a visit', () => {
  const received: [address: string | undefined, cookie: string | undefined][] = [];
  let server: Server;
  let app: string;
  const signal = new AbortController().signal;

  beforeAll(async () => {
    server = createServer((request: IncomingMessage, response) => {
      received.push([request.url, request.headers.cookie]);
      PAGES[request.url ?? '']?.(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    app = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => new Promise((closed) => server.close(closed)));

  it('follows redirects within the shop, with the cookies that were set on the way', async () => {
    expect(await visit(`${app}/return`, signal)).toEqual({ statuses: [302, 200], isOk: true });
    expect(received.splice(0)).toEqual([
      ['/return', undefined],
      ['/thanks', 'basket=7'],
    ]);
  });

  it('has no cookies from the previous visit', async () => {
    await visit(`${app}/thanks`, signal);
    expect(received.splice(0)).toEqual([['/thanks', undefined]]);
  });

  it.each([
    ['/away', { statuses: [302], isOk: true }],
    ['/nowhere', { statuses: [302], isOk: true }],
    ['/broken', { statuses: [500], isOk: false }],
  ])('ends at %s', async (path, visited) => {
    expect(await visit(app + path, signal)).toEqual(visited);
  });

  it('ends if the redirects are endless', async () => {
    expect((await visit(`${app}/round`, signal)).statuses.length).toBeLessThan(30);
  });
});

it.each([
  ['http://shop.test/return?order=7', 'http://shop.test/return?order=7&status=Paid'],
  ['http://shop.test/return?order=7&status=Failed', 'http://shop.test/return?order=7&status=Paid'],
  ['http://shop.test/return?order=7&success=false', 'http://shop.test/return?order=7&success=true&status=Paid'],
  ['http://shop.test/return?order=7&resultCode=51', 'http://shop.test/return?order=7&resultCode=00&status=Paid'],
  ['http://shop.test/return?order=7&state=failed', 'http://shop.test/return?order=7&state=paid&status=Paid'],
])('a payer forges %s as %s', (address, forged) => {
  expect(forgePaid(address)).toBe(forged);
});

describe('the return address of a payment', () => {
  const shop = { app: 'http://shop.test', webhookUrl: 'http://shop.test/webhook' };
  const returnAddress = (body: object, payment: Partial<PaymentView> = {}) =>
    returnAddressIn(
      { requests: [{ body } as RequestView], payments: [{ state: 'Paid', ...payment } as PaymentView] },
      shop,
    );

  it('is in the payment request', () => {
    expect(returnAddress({ payerReference: '7', returnUrl: 'http://shop.test/back?order=7' })).toBe(
      'http://shop.test/back?order=7',
    );
  });

  it.each([
    ['Paid', 'http://shop.test/thanks?reference=7&status=Paid'],
    ['Failed', 'http://shop.test/sorry?reference=7&status=Failed'],
  ] as const)('is the one in the payment link for the outcome %s', (state, address) => {
    const link = {
      paymentLinkCustomerRedirectUrl: 'http://shop.test/thanks',
      paymentCustomerFailRedirectUrl: 'http://shop.test/sorry',
    };
    expect(returnAddress(link, { origin: 'link', payerReference: '7', state, status: state })).toBe(address);
  });

  it.each([
    ['no address', { payerReference: '7' }],
    ['only the address of the receiver of notifications', { returnUrl: 'http://shop.test/webhook' }],
    ['an address of another host', { returnUrl: 'http://elsewhere.test/' }],
    ['a text that is not an address', { returnUrl: 'yes' }],
  ])('is undefined for a request with %s', (_what, body) => {
    expect(returnAddress(body)).toBeUndefined();
  });
});
