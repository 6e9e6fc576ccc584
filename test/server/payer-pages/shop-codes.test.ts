import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import request from 'supertest';
import type { ShopCodeView } from '../../../src/base/schema/generated/control.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import type { ControlError } from '../../../src/client/control-error.ts';
import { tokenOf } from '../../interface/calls.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { fieldsOf, submit, textById } from './visits.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const temporaryFolder = temporaryFolders();

let sandbox: Sandbox;
let sessionCount = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessionCount += 1;
  return sandbox.session(`shop-${sessionCount}`);
}

const order = { merchantId: 'M-1000', reference: 'TILL-1', amount: '2.50', currency: 'USD', description: 'Coffee' };
const create = (session: SandboxClient, members: object = {}) =>
  session.call<ShopCodeView>('POST', '/shop-codes', { ...order, ...members });
const scan = (session: SandboxClient, members: Record<string, string> = {}) =>
  submit(session, '/pay/scan/shop-code-1', members);
const get = ({ baseUrl }: SandboxClient, path: string) => request(baseUrl).get(path);

function textInQr(png: Buffer): string | undefined {
  const { data, width, height } = PNG.sync.read(png);
  return jsQR.default(new Uint8ClampedArray(data), width, height)?.data;
}

describe('a shop code', () => {
  it('has a reference that is unique for its merchant and environment', async () => {
    const session = newSession();
    await create(session);
    await expect(create(session)).rejects.toThrow('merchant M-1000 already has shop-code-1 with the reference TILL-1');
    await session.call('POST', '/shop-codes/TILL-1/deactivate');
    await expect(create(session)).rejects.toThrow('already');
    expect(await create(session, { merchantId: 'M-1001' })).toMatchObject({ reference: 'TILL-1' });
    expect(await create(session, { environment: 'production' })).toMatchObject({ reference: 'TILL-1' });
  });

  it('is created by the control API, listed, found by its reference and by search, and has an event', async () => {
    const session = newSession();
    const code = await create(session);
    const page = `${session.baseUrl}/pay/shop/shop-code-1`;
    expect(code).toEqual({
      id: 'shop-code-1',
      createdAt: '2026-03-01T10:00:00.000Z',
      environment: 'sandbox',
      ...order,
      content: 'address',
      active: true,
      scans: 0,
      text: `${session.baseUrl}/pay/scan/shop-code-1`,
      url: page,
      scanUrl: `${session.baseUrl}/pay/scan/shop-code-1`,
      pngUrl: `${page}.png`,
      svgUrl: `${page}.svg`,
    });
    await create(session, { reference: 'TILL-2', amount: null });
    expect(await session.call('GET', '/shop-codes/TILL-1')).toEqual(code);
    expect((await session.list('shop-codes', { reference: 'till-1' })).items).toEqual([code]);
    expect((await session.list('shop-codes', { search: 'coffee 2.50' })).items).toEqual([code]);
    expect((await session.list('shop-codes')).items.map(({ id }) => id)).toEqual(['shop-code-2', 'shop-code-1']);
    expect(await session.waitForEvent('shop-code.created', LONG_WAIT)).toMatchObject({
      subjectId: 'shop-code-1',
      data: { reference: 'TILL-1', amount: '2.50', currency: 'USD' },
    });
  });

  it.each([
    ['an unknown merchant', { merchantId: 'M-9' }, 404, 'there is no merchant "M-9"'],
    ['a merchant that may not trade', { merchantId: 'M-1007' }, 403, 'is not approved'],
    ['an unknown currency', { currency: 'XXX' }, 422, '$.currency: expected a known currency'],
    ['an amount outside the limits', { amount: '0.00' }, 422, '$.amount: expected an amount from 0.01'],
    ['an amount without two decimals', { amount: '2' }, 400, '$.amount: expected'],
    ['an unknown member', { tip: '1.00' }, 400, '$.tip'],
  ])('is refused for %s', async (_title, members, status, words) => {
    const error = await create(newSession(), members).catch((each: ControlError) => each);
    expect([(error as ControlError).status, (error as ControlError).message]).toEqual([
      status,
      expect.stringContaining(words),
    ]);
  });

  it('has a page to print, and a PNG and an SVG with the same text', async () => {
    const session = newSession();
    const { text } = await create(session);
    const page = await get(session, '/pay/shop/shop-code-1');
    expect([page.status, textById(page.text, 'merchant'), textById(page.text, 'reference')]).toEqual([
      200,
      'Corner Shop',
      'TILL-1',
    ]);
    const png = await get(session, '/pay/shop/shop-code-1.png');
    expect([png.type, textInQr(png.body)]).toEqual(['image/png', text]);
    const svg = await get(session, '/pay/shop/shop-code-1.svg').buffer(true);
    expect(svg.type).toBe('image/svg+xml');
    expect(textInQr(toPng(String(svg.body)))).toBe(text);
    expect((await get(session, '/pay/shop/shop-code-2.png')).status).toBe(404);
  });

  it('can contain a text in the format of EMVCo in place of an address', async () => {
    const session = newSession();
    const { text } = await create(session, { content: 'emv', amount: null });
    expect(text).toMatch(/^000201010211.*6304[0-9A-F]{4}$/);
    expect(textInQr((await get(session, '/pay/shop/shop-code-1.png')).body)).toBe(text);
    const typeIn = (code: string) => get(session, `/pay/approve?paymentCode=${encodeURIComponent(code)}`);
    expect((await typeIn(text)).headers['location']).toBe(`${new URL(session.baseUrl).pathname}/pay/scan/shop-code-1`);
    for (const damaged of [text.replace('TILL-1', 'TILL-2'), text.slice(0, -1), '000201', '6304FFFF']) {
      expect((await typeIn(damaged)).status).toBe(404);
    }
  });
});

/** A PNG of an SVG that consists of one path of unit squares. */
function toPng(svg: string): Buffer {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  const scale = 4;
  const png = new PNG({ width: side * scale, height: side * scale });
  png.data.fill(255);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let dy = 0; dy < scale; dy += 1) {
      for (let dx = 0; dx < scale; dx += 1) {
        const at = ((Number(y) * scale + dy) * side * scale + Number(x) * scale + dx) * 4;
        png.data.fill(0, at, at + 3);
      }
    }
  }
  return PNG.sync.write(png);
}

describe('a scan', () => {
  it('creates a separate payment, which its merchant finds by its reference and is notified of', async () => {
    const session = newSession();
    await session.setEndpoints([{ url: 'http://127.0.0.1:9/' }]);
    await create(session);
    const first = await scan(session);
    await scan(session);
    const { text } = await request(new URL(String(first.headers['location']), session.baseUrl).href).get('');
    expect(textById(text, 'outcome')).toBe('Paid. Thank you.');
    const { items } = await session.payments({ origin: 'shop-code', originId: 'shop-code-1', order: 'oldest' });
    expect(items).toMatchObject([
      { payerReference: 'TILL-1-1', state: 'Paid', amount: '2.50', channel: 'qr-wallet', merchantId: 'M-1000' },
      { payerReference: 'TILL-1-2', state: 'Paid' },
    ]);
    const status = await request(session.baseUrl)
      .get('/sandbox/api/getPaymentDetails')
      .query({ transactionReference: 'TILL-1-2', walletName: 'WALLET_QR' })
      .set('Authorization', `Bearer ${await tokenOf(session.baseUrl)}`);
    expect(JSON.parse(status.text)).toMatchObject({ status: 'Paid', paymentReference: 'TILL-1-2', paymentAmount: 2.5 });
    const notifications = (await session.deliveries({ order: 'oldest' })).items.map(
      ({ body }) => JSON.parse(body).paymentReference,
    );
    expect(notifications).toEqual(['TILL-1-1', 'TILL-1-2']);
    expect(await session.call('GET', '/shop-codes/TILL-1')).toMatchObject({ scans: 2 });
  });

  it('asks for an amount if the code has none', async () => {
    const session = newSession();
    await create(session, { amount: null });
    for (const amount of ['', 'much', '-1', '1.234']) {
      const { status, text } = await scan(session, { amount });
      expect([status, textById(text, 'problem')]).toEqual([422, 'Enter an amount such as 10.00.']);
    }
    const { status, text } = await scan(session, { amount: '1000000.01' });
    expect([status, textById(text, 'problem')]).toEqual([422, 'This wallet does not take this amount.']);
    expect((await scan(session, { amount: '12.3' })).status).toBe(303);
    expect((await session.payments()).items).toMatchObject([
      { amount: '12.30', state: 'Paid', payerReference: 'TILL-1-1' },
    ]);
  });

  it('creates one payment, even if its form is sent several times, also simultaneously', async () => {
    const session = newSession();
    await create(session);
    const { text } = await get(session, '/pay/scan/shop-code-1');
    const send = () => request(session.baseUrl).post('/pay/scan/shop-code-1').type('form').send(fieldsOf(text));
    const answers = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1);
    expect((await session.payments()).items).toHaveLength(1);
    expect(await session.call('GET', '/shop-codes/shop-code-1')).toMatchObject({ scans: 1 });
  });

  it('can be cancelled, which creates no payment, and then repeated', async () => {
    const session = newSession();
    await create(session, { amount: undefined });
    const { status, text } = await scan(session, { action: 'cancel' });
    expect([status, textById(text, 'outcome')]).toEqual([200, 'You cancelled. Nothing was paid.']);
    expect((await session.payments()).items).toEqual([]);
    const [, again = ''] = /href="([^"]+)" data-testid="scan-again"/.exec(text) ?? [];
    expect((await request(new URL(session.baseUrl).origin).get(again)).status).toBe(200);
  });

  it.each(['', 'wrong', 'wrong.wrong'])('is refused with the form token %j', async (formToken) => {
    const session = newSession();
    await create(session);
    expect((await scan(session, { formToken })).status).toBe(403);
    expect((await session.payments()).items).toEqual([]);
  });

  it('has the outcome of its scenario', async () => {
    const session = newSession();
    await create(session);
    await session.useScenario('declined');
    const { headers } = await scan(session);
    await session.runUntilIdle();
    expect(await session.payment('payment-1')).toMatchObject({ state: 'Failed' });
    const { text } = await request(new URL(String(headers['location']), session.baseUrl).href).get('');
    expect(textById(text, 'outcome')).toBe('The payment failed.');
  });

  it('is matched by a scenario with the amount that the payer entered', async () => {
    const session = newSession();
    await create(session, { amount: undefined });
    const settle = { outcome: 'Failed', after: 'PT0S' } as const;
    const rules = [{ when: { amount: { minimum: 10 } }, settle }];
    await session.defineScenario({ name: 'large-fail', description: '', rules });
    await session.useScenario('large-fail');
    await scan(session, { amount: '9.99' });
    await scan(session, { amount: '10.00' });
    await session.runUntilIdle();
    expect((await session.payments()).items.map(({ amount, state }) => [amount, state])).toEqual([
      ['10.00', 'Failed'],
      ['9.99', 'Paid'],
    ]);
  });

  it('pays nothing after its code is deactivated, even with an earlier form', async () => {
    const session = newSession();
    await create(session);
    const { text } = await get(session, '/pay/scan/shop-code-1');
    expect(await session.call('POST', '/shop-codes/TILL-1/deactivate')).toMatchObject({ active: false });
    const sent = await request(session.baseUrl).post('/pay/scan/shop-code-1').type('form').send(fieldsOf(text));
    expect([sent.status, textById(sent.text, 'message')]).toEqual([
      410,
      'This code is no longer active. Ask the merchant for another one.',
    ]);
    expect((await get(session, '/pay/scan/shop-code-1')).status).toBe(410);
    expect(textById((await get(session, '/pay/shop/shop-code-1')).text, 'inactive')).toBeDefined();
    expect((await session.payments()).items).toEqual([]);
    await expect(session.call('POST', '/shop-codes/TILL-1/deactivate')).rejects.toThrow('is already inactive');
  });
});

it("a shop code is restored with its session's state, and continues to number its scans", async () => {
  const session = newSession();
  await create(session);
  await scan(session);
  const copy = newSession();
  await copy.reset();
  await copy.restore(await session.state());
  await scan(copy);
  expect((await copy.payments()).items.map(({ payerReference }) => payerReference)).toEqual(['TILL-1-2', 'TILL-1-1']);
  expect(await create(copy, { reference: 'TILL-2' })).toMatchObject({ id: 'shop-code-2' });
});

it('all payments of a shop code have the same reference if the fixture says so', async () => {
  const fixtures = join(temporaryFolder(), 'fixtures');
  mkdirSync(fixtures);
  writeFileSync(join(fixtures, 'shop-codes.json'), JSON.stringify({ paymentReference: '{{code}}', content: 'emv' }));
  const otherSandbox = await startSandbox({ now: NOW, fixtures });
  expect(await create(otherSandbox.client)).toMatchObject({ content: 'emv' });
  await scan(otherSandbox.client);
  await scan(otherSandbox.client);
  expect((await otherSandbox.client.payments({ payerReference: 'TILL-1' })).items).toHaveLength(2);
  await otherSandbox.close();
});
