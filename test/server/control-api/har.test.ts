import request from 'supertest';
import type { HttpArchive } from '../../../src/base/schema/generated/control.ts';
import { validate } from '../../../src/base/schema/validation.ts';
import { parseBundle } from '../../../src/server/histories/bundle.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
afterAll(() => sandbox.close());

const pay = (baseUrl: string, body: object = {}, headers: Record<string, string> = {}) =>
  request(baseUrl)
    .post('/sandbox/init/authenticate/merchant/wallet')
    .set(headers)
    .send({ ...exampleOf('requests/single-payment'), ...body });

async function archiveOf(session: string): Promise<HttpArchive> {
  const archive = (await sandbox.session(session).httpArchive()) as unknown as HttpArchive;
  expect(await validate('control/http-archive', archive)).toEqual([]);
  return archive;
}

describe('the HTTP archive', () => {
  it('contains altered notifications as they were sent, oldest first', async () => {
    const session = sandbox.session('altered');
    const receiver = await startReceiver();
    await session.setEndpoints([{ url: receiver.url }]);
    await session.useScenario('tampered-webhooks');
    for (const payerReference of ['A', 'B', 'C']) {
      await pay(session.baseUrl, { payerReference });
      await session.settle(payerReference, 'Paid');
    }
    await session.advance('PT10S');
    await receiver.close();
    const { log } = await archiveOf('altered');
    const sent = log.entries.filter(({ request: { url } }) => url === `${receiver.url}/` || url === receiver.url);
    expect(sent.map(({ request }) => request.postData?.text)).toEqual(receiver.received.map(({ body }) => body));
    expect(sent.map(({ comment }) => comment.slice(0, 'delivery-1'.length))).toEqual([
      'delivery-1',
      'delivery-2',
      'delivery-3',
    ]);
  });

  it('contains calls and notification attempts in the order in which they began', async () => {
    const session = sandbox.session('all');
    const receiver = await startReceiver((call, response) => response.writeHead(call === 1 ? 500 : 200).end('noted'));
    await session.setEndpoints([{ url: `${receiver.url}?shop=1` }]);
    await session.useBehaviour('notified-by-put-with-hash');
    await pay(session.baseUrl);
    await session.advance('PT1S');
    await session.settle('ORDER-1001', 'Paid');
    await session.advance('PT1H');
    await pay(session.baseUrl, { amount: 10 });
    await receiver.close();
    const { log } = await archiveOf('all');
    expect(log.entries.map(({ comment }) => comment)).toEqual([
      expect.stringMatching(/^request-1: payer-decides/),
      'delivery-1, attempt 1: the endpoint answered with 500',
      'delivery-1, attempt 2',
      'request-2: refused: invalid-field (SBX-R02)',
    ]);
    const [paid, failed, delivered, refused] = log.entries;
    expect(paid).toMatchObject({
      startedDateTime: '2026-03-01T10:00:00.000Z',
      request: { method: 'POST', url: `${session.baseUrl}/sandbox/init/authenticate/merchant/wallet` },
      response: { status: 200, statusText: 'OK' },
    });
    expect(JSON.parse(paid?.response.content.text ?? '')).toHaveProperty('paymentInitiationResponse');
    expect(failed).toMatchObject({
      startedDateTime: '2026-03-01T10:00:01.000Z',
      request: { method: 'PUT', queryString: [{ name: 'shop', value: '1' }] },
      response: { status: 500, content: { text: 'noted' } },
    });
    expect(JSON.parse(delivered?.request.postData?.text ?? '')).toMatchObject({ paymentReference: 'ORDER-1001' });
    expect(refused?.response.status).toBe(400);
  });

  it('contains a call without an answer with status 0', async () => {
    const session = sandbox.session('unanswered');
    await session.defineScenario({
      name: 'cut',
      description: '',
      rules: [{ fault: { at: 'after', kind: 'reset' } }],
    });
    await expect(pay(session.baseUrl, {}, { 'X-Sandbox-Scenario': 'cut' })).rejects.toThrow();
    const { log } = await archiveOf('unanswered');
    expect(log.entries).toMatchObject([{ response: { status: 0, content: { size: 0, text: '' } } }]);
  });

  it('contains no key, no token and no secret', async () => {
    const session = sandbox.session('secrets');
    const { text } = await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT);
    const { token } = JSON.parse(text);
    await request(session.baseUrl)
      .get('/sandbox/api/getPaymentDetails?transactionReference=ORDER-1001&walletName=WALLET_QR')
      .set('Authorization', `Bearer ${token}`);
    const { endpoints } = await session.setEndpoints([{ url: 'http://127.0.0.1:9/' }]);
    await pay(session.baseUrl);
    await session.settle('ORDER-1001', 'Paid');
    await session.advance('PT0S');
    const exported = JSON.stringify(await archiveOf('secrets'));
    const secrets = [token, MERCHANT.merchantApiKey, MERCHANT.merchantKey, endpoints[0]?.secret ?? 'none'];
    expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
  });

  it('contains no valid card number', async () => {
    const session = sandbox.session('cards');
    await pay(session.baseUrl, { paymentDescription: 'by 4539578763621486', payerReference: '4539578763621487' });
    await request(session.baseUrl).get('/sandbox/nothing?card=4539578763621486');
    const exported = JSON.stringify(await archiveOf('cards'));
    expect(exported).not.toContain('4539578763621486');
    // The check digit of this number is wrong.
    expect(exported).toContain('4539578763621487');
  });

  it('contains the media types, and no body for a GET call with a query', async () => {
    const session = sandbox.session('media-types');
    await pay(session.baseUrl);
    await request(session.baseUrl).get('/sandbox/api/getPaymentDetails?transactionReference=ORDER-1001');
    const [payment, query] = (await archiveOf('media-types')).log.entries;
    expect(payment?.request.postData?.mimeType).toBe('application/json');
    expect(payment?.response.content.mimeType).toBe('text/plain;charset=UTF-8');
    expect(query?.request).not.toHaveProperty('postData');
  });

  it('contains the JSON body of a GET call', async () => {
    const session = sandbox.session('get-with-body');
    const body = JSON.stringify({ transactionReference: 'ORDER-1001', walletName: 'WALLET_QR' });
    await request(session.baseUrl)
      .get('/sandbox/api/getPaymentDetails')
      .set({ 'Content-Type': 'application/json', 'Content-Length': String(body.length) })
      .send(body);
    const [entry] = (await archiveOf('get-with-body')).log.entries;
    expect(entry?.request.postData).toEqual({ mimeType: 'application/json', text: body });
  });

  it('contains a multipart form as its parts, with its type and boundary', async () => {
    const session = sandbox.session('form');
    await request(session.baseUrl)
      .post('/api/merchant/sandbox/fastCheckOut')
      .field('paymentLinkName', 'Tea')
      .field('password', 'hush-4711')
      .attach('paymentLinkImage', Buffer.from('not an image'), { filename: 'tea.png', contentType: 'image/png' });
    const [entry] = (await archiveOf('form')).log.entries;
    expect(entry?.request.postData).toEqual({
      mimeType: expect.stringMatching(/^multipart\/form-data; boundary=\S+$/),
      params: expect.arrayContaining([
        { name: 'paymentLinkName', value: 'Tea' },
        { name: 'password', value: '***' },
        { name: 'paymentLinkImage', fileName: 'tea.png', contentType: 'image/png' },
      ]),
    });
  });

  it('contains each part of a repeated name, in order, even if only the last one counts', async () => {
    for (const validation of ['strict', 'lenient'] as const) {
      const validatingSandbox = await startSandbox({ validation });
      await request(validatingSandbox.url)
        .post('/api/merchant/sandbox/fastCheckOut')
        .field('paymentLinkOtherCurrencies', 'true')
        .field('password', 'hush-4711')
        .field('paymentLinkOtherCurrencies', 'false')
        .field('password', 'hush-4712')
        .attach('paymentLinkImage', Buffer.alloc(300_000), { filename: 'tea.png', contentType: 'image/png' });
      const archive = (await validatingSandbox.client.httpArchive()) as unknown as HttpArchive;
      expect(archive.log.entries[0]?.request.postData?.params).toEqual([
        { name: 'paymentLinkOtherCurrencies', value: 'true' },
        { name: 'password', value: '***' },
        { name: 'paymentLinkOtherCurrencies', value: 'false' },
        { name: 'password', value: '***' },
        { name: 'paymentLinkImage', fileName: 'tea.png', contentType: 'image/png' },
      ]);
      const [logged] = (await validatingSandbox.client.list('requests')).items;
      expect(logged).toMatchObject({ body: { paymentLinkOtherCurrencies: 'false' } });
      expect(logged).not.toHaveProperty('parts');
      await expect(parseBundle(await validatingSandbox.client.bundle())).resolves.toBeDefined();
      await validatingSandbox.close();
    }
  });

  it('contains the query as it was sent, with repeated parameters', async () => {
    const session = sandbox.session('query');
    await request(session.baseUrl).get('/sandbox/nothing?a=1&b=x%20y&a=2&apiKey=hush-4711');
    const [entry] = (await archiveOf('query')).log.entries;
    expect(entry?.request.url).toBe(`${session.baseUrl}/sandbox/nothing?a=1&b=x%20y&a=2&apiKey=***`);
    expect(entry?.request.queryString).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: 'x y' },
      { name: 'a', value: '2' },
      { name: 'apiKey', value: '***' },
    ]);
  });

  it('masks secrets in the address of an endpoint and in the answers of receivers', async () => {
    const session = sandbox.session('receiver');
    const receiver = await startReceiver((_, response) => response.end('{"password":"hush-4711","note":"kept"}'));
    await session.setEndpoints([{ url: `${receiver.url}?token=hush-4712&shop=1` }]);
    await pay(session.baseUrl);
    await session.settle('ORDER-1001', 'Paid');
    await session.advance('PT0S');
    await receiver.close();
    const exported = JSON.stringify(await archiveOf('receiver'));
    expect(exported).not.toMatch(/hush/);
    expect(exported).toContain('token=***&shop=1');
    expect(exported).toContain('kept');
  });

  it('is empty in a session without calls', async () => {
    await sandbox.client.createSession('empty');
    expect((await archiveOf('empty')).log.entries).toEqual([]);
  });
});
