import request from 'supertest';
import { schemaMembers } from '../../../src/base/schema/references.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { ControlError } from '../../../src/client/control-error.ts';
import type { Shown, ShownPayment } from '../../../src/client/shown.ts';
import { cursorAt } from '../../../src/server/control-api/cursor.ts';
import { CONTROL_OPERATIONS } from '../../../src/server/control-api/operations.ts';
import { tokenOf } from '../../interface/calls.ts';
import { exampleOf, MERCHANT, PNG } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`records-${sessions}`);
}

async function post({ baseUrl }: SandboxClient, path: string, body: object) {
  const { text } = await request(baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
  const answer = await request(baseUrl)
    .post(path)
    .set('Authorization', `Bearer ${JSON.parse(text).token}`)
    .send(body);
  expect([path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, 200, '']);
  return JSON.parse(answer.text);
}

const pay = (session: SandboxClient, members: Record<string, unknown> = {}) =>
  post(session, '/init/authenticate/merchant/wallet', exampleOf('requests/single-payment', members));

async function saveLink({ baseUrl }: SandboxClient, members: Record<string, unknown>): Promise<void> {
  const { text } = await request(baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
  const call = request(baseUrl)
    .post('/api/merchant/fastCheckOut')
    .set('Authorization', `Bearer ${JSON.parse(text).token}`);
  const { paymentLinkImage: _, ...body } = exampleOf('requests/payment-link', members);
  for (const [name, value] of Object.entries(body)) {
    call.field(name, String(value));
  }
  expect((await call.attach('paymentLinkImage', PNG, 'picture.png')).status).toBe(200);
}

async function subscribe(session: SandboxClient, recurringReference: string): Promise<void> {
  const tokenRequest = exampleOf('requests/payment-token', {
    paymentTokenReferenceRequest: `${recurringReference}-TOKEN`,
  });
  const { paymentToken: recurringPaymentToken } = await post(session, '/api/requestPaymentToken', tokenRequest);
  const order = exampleOf('requests/recurring-payment', { recurringPaymentToken, recurringReference });
  await post(session, '/api/addRecurringPayment', order);
}

const get = (session: SandboxClient, path: string) => session.call<Shown>('GET', path);

describe('a call with an id or a reference finds', () => {
  it('a payment by id, payerReference, paymentId and paymentCode', async () => {
    const session = newSession();
    const first = (await pay(session)).paymentInitiationResponse;
    await pay(session);
    const card = (await pay(session, { walletName: 'WALLET_CARD_A', payerReference: 'CARD' }))
      .paymentInitiationResponse;
    expect((await session.payment('payment-1')).id).toBe('payment-1');
    expect((await session.payment('ORDER-1001')).id).toBe('payment-2');
    expect((await session.payment(first.paymentCode)).id).toBe('payment-1');
    expect((await session.payment(card.paymentId)).id).toBe('payment-3');
  });

  it('the payment with this id, not one that has the id as its reference', async () => {
    const session = newSession();
    await pay(session);
    await pay(session, { payerReference: 'payment-1' });
    expect((await session.payment('payment-1')).payerReference).toBe('ORDER-1001');
  });

  it('the payment that was created last, even if the clock was set back in between', async () => {
    const session = newSession();
    const { paymentId } = (await pay(session, { walletName: 'WALLET_CARD_A' })).paymentInitiationResponse;
    await session.freeze('2026-01-01T10:00:00.000Z');
    await pay(session, { payerReference: paymentId });
    expect((await session.payment(paymentId)).id).toBe('payment-2');
  });

  it('the newest payment, by any of its references', async () => {
    const session = newSession();
    const { paymentId } = (await pay(session, { walletName: 'WALLET_CARD_A' })).paymentInitiationResponse;
    expect((await session.payment(paymentId)).id).toBe('payment-1');
    await session.advance('PT1M');
    await pay(session, { payerReference: paymentId });
    expect((await session.payment(paymentId)).id).toBe('payment-2');
  });

  it('a payment or payout to settle', async () => {
    const session = newSession();
    await pay(session);
    await pay(session);
    expect(await session.settle('ORDER-1001', 'Paid')).toMatchObject({ id: 'payment-2', state: 'Paid' });
    expect((await session.payment('payment-1')).state).toBe('Processing');
    await post(
      session,
      '/init/authenticate/merchant/bulkPayment',
      exampleOf('requests/bulk-payout', { payerReference: 'OUT 1' }),
    );
    const decided = await session.call('POST', '/payouts/OUT%201/settle', { outcome: 'Failed' });
    expect(decided).toMatchObject({ id: 'payout-1', state: 'Failed' });
    expect(await get(session, '/payouts/OUT%201')).toEqual(decided);
  });

  it('a payment link, a recurring payment, a payment token', async () => {
    const session = newSession();
    await saveLink(session, { paymentLinkReference: 'LINK' });
    await saveLink(session, { paymentLinkReference: 'LINK' });
    await subscribe(session, 'PLAN');
    expect((await get(session, '/links/1')).id).toBe('1');
    expect((await get(session, '/links/LINK')).id).toBe('2');
    expect(await get(session, '/recurring-payments/PLAN')).toEqual(await get(session, '/recurring-payments/1'));
    const token = await get(session, '/payment-tokens/PLAN-TOKEN');
    expect(token['reference']).toBe('PLAN-TOKEN');
    expect(await get(session, `/payment-tokens/${token.id}`)).toEqual(token);
  });

  it('a merchant by its id, without its keys', async () => {
    const merchant = await get(newSession(), '/merchants/M-1000');
    expect(merchant).toMatchObject({ id: 'M-1000', approved: true });
    expect(Object.keys(merchant)).not.toEqual(expect.arrayContaining(['merchantKey']));
    expect(Object.keys(merchant)).not.toEqual(expect.arrayContaining(['merchantApiKey']));
  });

  it.each([
    'payments',
    'payouts',
    'links',
    'recurring-payments',
    'payment-tokens',
    'shop-codes',
    'merchants',
    'webhooks/deliveries',
    'requests',
  ])('no record for an unknown id in %s, which is a 404', async (list) => {
    const answer = get(newSession(), `/${list}/none`);
    await expect(answer).rejects.toThrow('"none"');
    await answer.catch((error: ControlError) => expect(error.status).toBe(404));
  });
});

describe('a list', () => {
  const lists = CONTROL_OPERATIONS.filter(({ method, response }) => method === 'GET' && response?.isList);

  const operations = lists.map((operation) => [operation.name, operation] as const);

  /** Gets a page of a list as the client does; a merchant's own list with the merchant's access token. */
  async function getPage<Page>(
    session: SandboxClient,
    { path, authentication }: (typeof lists)[number],
    query: string,
  ): Promise<Page> {
    if (authentication !== 'merchant') {
      return session.call<Page>('GET', `${path}?${query}`);
    }
    const token = await tokenOf(session.baseUrl);
    const { status, body } = await request(`${session.baseUrl}/_sandbox${path}?${query}`)
      .get('')
      .set('Authorization', `Bearer ${token}`);
    if (status !== 200) {
      throw new ControlError(status, body);
    }
    return body;
  }

  it.each(operations)('%s accepts limit and cursor', async (_name, operation) => {
    const session = newSession();
    await pay(session);
    const fullList = await getPage<{ items: Shown[] }>(session, operation, 'limit=1000');
    const first = await getPage<{ items: Shown[]; nextCursor: string | null }>(session, operation, 'limit=1');
    expect(first.items).toEqual(fullList.items.slice(0, 1));
    expect(first.nextCursor === null).toBe(fullList.items.length <= 1);
    for (const limit of ['0', '1001', 'ten', '1.5', '']) {
      await expect(getPage(session, operation, `limit=${limit}`)).rejects.toThrow('limit');
    }
  });

  it.each(operations)(
    '%s refuses filters that its query schema does not declare, and accepts those that it does',
    async (_name, operation) => {
      const { path, query } = operation;
      const session = newSession();
      await expect(getPage(session, operation, 'colour=green&limt=2')).rejects.toThrow(
        `GET ${path} does not take "colour"; nor "limt", did you mean limit?; it takes`,
      );
      for (const [filter, { type, format, enum: values }] of Object.entries(schemaMembers(String(query)))) {
        const text = format === 'date' ? '2026-03-01' : String(values?.[0] ?? 'x').toUpperCase();
        const value = { integer: '1', boolean: 'TRUE' }[String(type)] ?? text;
        if (filter !== 'cursor') {
          await getPage(session, operation, `${filter}=${value}`);
        }
      }
    },
  );

  const cursors = lists.map(({ path }) => cursorAt(path.slice(1), '1'));
  it.each(operations)('%s refuses a cursor of another list, and an invalid one', async (_name, operation) => {
    const { path } = operation;
    const session = newSession();
    await pay(session);
    const foreign = cursors.filter((cursor) => cursor !== cursorAt(path.slice(1), '1'));
    for (const cursor of [...foreign, '1', 'payment-1', 'x', '%00', cursorAt('', '1')]) {
      const page = getPage(session, operation, `cursor=${cursor}`);
      await expect(page).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('start without a cursor'),
      });
    }
  });

  it.each(['sessions', 'merchants', 'scenarios'])('%s is complete across pages', async (list) => {
    const session = newSession();
    const fullList = await session.list(list, { limit: '1000' });
    const items: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: unknown[]; nextCursor: string | null } = await session.list(list, {
        limit: '2',
        ...(cursor === '' ? {} : { cursor }),
      });
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(items).toEqual(fullList.items);
    expect(items.length).toBeGreaterThan(2);
  });

  it('is filtered by values in any letter case, and by several filters at once', async () => {
    const session = newSession();
    await pay(session);
    await pay(session, { payerReference: 'ORDER-2' });
    await session.settle('ORDER-2', 'Paid');
    const ids = async (filters: Record<string, string>) => (await session.payments(filters)).items.map(({ id }) => id);
    expect(await ids({ state: 'paid' })).toEqual(['payment-2']);
    expect(await ids({ channel: 'QR-Wallet', state: 'PROCESSING' })).toEqual(['payment-1']);
    expect(await ids({ payerReference: 'order-2' })).toEqual(['payment-2']);
    await expect(ids({ state: 'payed' })).rejects.toThrow('$.state: expected one of Processing, Paid');
    const answered = await session.list('requests', { status: '200', reference: 'order-2' });
    expect(answered.items).toMatchObject([{ id: 'request-4' }]);
    await expect(session.list('requests', { operation: 'pay' })).rejects.toThrow('$.operation: expected one of');
  });

  it('is filtered by channel, and refuses an unknown state', async () => {
    const session = newSession();
    await pay(session, { payerReference: 'A' });
    await pay(session, { payerReference: 'B', walletName: 'WALLET_CARD_A' });
    const payments = await session.payments({ channel: 'card-network-a' });
    expect(payments.items.map(({ payerReference }: ShownPayment) => payerReference)).toEqual(['B']);
    await expect(session.payments({ state: 'Lost' })).rejects.toThrow('$.state: expected one of Processing, Paid');
  });
});

it('a call without query parameters refuses any, and a stream refuses a negative event number', async () => {
  await expect(newSession().call('GET', '/clock?at=noon')).rejects.toThrow(
    'GET /clock does not take "at"; it takes no query',
  );
  await expect(newSession().call('GET', '/events?since=-1')).rejects.toThrow('$.since');
});
