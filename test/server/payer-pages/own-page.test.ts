import request from 'supertest';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { addressOf, fieldsOf, pay, textById } from './visits.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

const PHONE = { walletName: 'WALLET_MOBILE', payerMobile: '263770000001', payerReference: 'PHONE-1' };

/** Initiates one payment of each kind. Returns them with their pages. */
async function payOfEachKind() {
  const session = sandbox.session('each');
  const card = await pay(session, { walletName: 'WALLET_CARD_A', payerReference: 'CARD-1' });
  const qr = await pay(session, { walletName: 'WALLET_QR', payerReference: 'QR-1' });
  const phone = await pay(session, PHONE);
  const checkout = `/s/each/pay/checkout?paymentCode=${card['paymentId']}`;
  const wallet = `/s/each/pay/approve/${qr['paymentCode']}`;
  return { session, card, qr, phone, pages: { checkout, wallet, phone: '/s/each/pay/phone/263770000001' } };
}

it('a page opened for a payment of another channel is a 404 that links to the right page', async () => {
  const { session, card, qr, phone, pages } = await payOfEachKind();
  for (const [path, instead] of [
    [`/pay/checkout?paymentCode=${qr['paymentCode']}`, pages.wallet],
    [`/pay/checkout?paymentCode=${phone['paymentId']}`, pages.phone],
    [`/pay/checkout/challenge?paymentCode=${qr['paymentCode']}&card=approved&step=x`, pages.wallet],
    [`/pay/approve/${card['paymentId']}`, pages.checkout],
    [`/pay/approve/${phone['paymentId']}`, pages.phone],
  ] as const) {
    const { status, text } = await request(session.baseUrl).get(path);
    expect([path, status, textById(text, 'message-title'), addressOf(text, 'instead')]).toEqual([
      path,
      404,
      'Nothing to pay here',
      instead,
    ]);
    expect((await request(sandbox.url).get(instead)).status).toBe(200);
  }
});

it('a form for a payment of another channel is refused, even with a valid token', async () => {
  const { session, card, qr, phone, pages } = await payOfEachKind();
  const tokenOn = async (path: string) => fieldsOf((await request(sandbox.url).get(path)).text)['formToken'] ?? '';
  for (const [path, form, page] of [
    ['/pay/checkout', { paymentCode: qr['paymentCode'], testCard: 'approved' }, pages.wallet],
    ['/pay/checkout', { paymentCode: phone['paymentId'], testCard: 'approved' }, pages.phone],
    ['/pay/checkout/challenge', { paymentCode: qr['paymentCode'], action: 'confirm' }, pages.wallet],
    [`/pay/approve/${card['paymentId']}`, { action: 'approve' }, pages.checkout],
    [`/pay/approve/${phone['paymentId']}`, { action: 'approve' }, pages.phone],
  ] as const) {
    const formToken = await tokenOn(page);
    const { status, text } = await request(session.baseUrl)
      .post(path)
      .type('form')
      .send({ ...form, formToken });
    expect([path, status, addressOf(text, 'instead')]).toEqual([path, 404, page]);
  }
  const states = (await session.payments()).items.map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['Processing']));
});

it('a phone shows only its own prompts, and refuses the form of another number', async () => {
  const session = sandbox.session('phones');
  await pay(session, PHONE);
  const { text } = await request(session.baseUrl).get('/pay/phone/263770000001');
  const form = { ...fieldsOf(text), pin: '1234', action: 'confirm' };
  const other = await request(session.baseUrl).post('/pay/phone/263770000002').type('form').send(form);
  expect([other.status, (await session.payment('payment-1')).state]).toEqual([404, 'Processing']);
  expect((await request(session.baseUrl).get('/pay/phone/263770000002')).text).toContain('data-testid="no-prompts"');
});

it('the id of a payment redirects to its page, and an unknown id is a 404', async () => {
  const { session, pages } = await payOfEachKind();
  const ids = (await session.payments()).items.map(({ id }) => id).sort();
  const locations = await Promise.all(
    ids.map(async (id) => (await request(session.baseUrl).get(`/pay/payments/${id}`)).headers['location']),
  );
  expect(locations.slice(-3)).toEqual([pages.checkout, pages.wallet, pages.phone]);
  expect((await request(session.baseUrl).get('/pay/payments/payment-99')).status).toBe(404);
});

it('a QR payment that is answered with an address in place of a code opens in the wallet', async () => {
  const session = sandbox.session('alternate');
  const qr = await pay(session, { paymentDescription: 'Tea #qr-alternate' });
  const { status, text } = await request(qr['paymentRedirectUrl'] ?? '').get('');
  expect([status, textById(text, 'description')]).toEqual([200, 'Tea #qr-alternate']);
  expect(text).toContain('data-testid="approve"');
});

it('a page is refused with an error page if there are too many sessions', async () => {
  const small = await startSandbox({ maxSessions: 1 });
  await small.session('first').reset();
  const { status, headers, text } = await request(small.url).get('/pay/approve/123456789');
  const style = await request(small.url).get(new URL('../assets/payer.css', `${small.url}/pay/approve/1`).pathname);
  await small.close();
  expect([status, headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
  expect(textById(text, 'message-title')).toBe('Too many sessions');
  expect(text).toContain('href="../assets/payer.css"');
  expect(style.status).toBe(200);
});
