import { connect } from 'node:net';
import fc from 'fast-check';
import request from 'supertest';
import { validate } from '../../src/base/schema/validation.ts';
import { cases } from '../cases.ts';
import type { Sandbox } from '../sandbox.ts';
import { exampleOf } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const WALLET = '/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let lenient: Sandbox;
beforeAll(async () => {
  [sandbox, lenient] = await Promise.all([startSandbox(), startSandbox({ validation: 'lenient' })]);
});
afterAll(() => Promise.all([sandbox.close(), lenient.close()]));

async function post(body: string | Buffer, headers: Record<string, string> = {}, base = sandbox.url) {
  const answer = await fetch(`${base}${WALLET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text), headers: answer.headers };
}

const single = (members: object = {}) => JSON.stringify({ ...exampleOf('requests/single-payment'), ...members });

describe('bad input', () => {
  it.each<[string, string | Buffer, Record<string, string>, number, string]>([
    ['malformed JSON', '{"merchantId": "M-1000",\n  "merchantKey": secret}', {}, 400, 'line 2, column'],
    ['JSON that ends too early', '{"merchantId":', {}, 400, 'ends too early'],
    ['a JSON array', '[1]', {}, 400, 'a JSON array'],
    ['an empty body', '', {}, 400, 'the body is empty'],
    ['a wrong media type', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'application/json'],
    ['an unsupported charset', '{}', { 'content-type': 'application/json; charset=latin1' }, 415, 'latin1'],
    ['a content encoding', '{}', { 'content-encoding': 'br' }, 415, 'br'],
    ['broken UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), {}, 400, 'UTF-8'],
    ['an oversized body', `{"a":"${'x'.repeat(1024 * 1024)}"}`, {}, 413, 'larger than'],
    ['deep nesting', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, {}, 400, 'levels deep'],
    ['a __proto__ key', '{"__proto__":{"approved":true}}', {}, 400, '__proto__'],
    ['an escaped __proto__ key', '{"\\u005f_proto__":{}}', {}, 400, '__proto__'],
    ['a number that is too large', '{"amount":1e999}', {}, 400, '$.amount'],
  ])('such as %s is refused in the envelope', async (_title, sent, headers, status, words) => {
    const answer = await post(sent, headers);
    expect([answer.status, answer.body.auth.errorResponse.statusCode]).toEqual([status, status]);
    expect(answer.body.auth.errorResponse.errorMessage).toContain(words);
    expect(answer.text).not.toMatch(/secret|\.ts:|node_modules/);
    expect(await validate('responses/failed-payment', answer.body)).toEqual([]);
  });

  it('gets an answer that names every wrong field by its JSON path, and no secret', async () => {
    const { body } = await post(
      JSON.stringify({
        ...exampleOf('requests/bulk-payment'),
        merchantKey: 4711,
        amount: 10,
        dynamicPaidList: [{ dynamicMerchantId: 'M-1001', dynamicPayoutPercentage: 101 }],
      }),
    );
    const message = body.auth.errorResponse.errorMessage;
    expect(message).toContain(
      '$.amount: expected a string (a decimal with two places), e.g. "10.00", received number 10',
    );
    expect(message).toContain('$.dynamicPaidList[0].dynamicPayoutPercentage');
    expect(message).toContain('$.merchantKey');
    expect(message).not.toContain('4711');
  });

  it.each([
    ['amount as a number', { amount: 10 }],
    ['ids as digits in quotes', { profileId: '1', payerAccountId: '7' }],
    ['an amount with one decimal', { amount: '10.0' }],
    ['a mobile number on another channel', { payerMobile: '263770000001' }],
    ['an invalid mobile number on another channel', { payerMobile: '+263 77' }],
    ['an empty mobile number', { payerMobile: '' }],
  ])('such as %s is accepted only in lenient mode', async (_title, members) => {
    expect((await post(single(members))).status).toBe(400);
    expect((await post(single(members), {}, lenient.url)).status).toBe(200);
  });

  it.each([
    ['a null payerMobile', { payerMobile: null }],
    ['an unknown key', { colour: 'green' }],
  ])('such as %s is accepted even in strict mode', async (_title, members) => {
    expect((await post(single(members))).status).toBe(200);
  });

  it('on an unknown path is answered with the nearest path', async () => {
    const answer = await request(sandbox.url).post('/sandbox/init/authenticate/merchant/walletReqest').send({});
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toEqual({
      errorMessage: expect.stringContaining('did you mean POST /sandbox/init/authenticate/merchant/walletRequest?'),
      statusCode: 404,
    });
  });

  it('with a wrong method is answered with the allowed one', async () => {
    const answer = await request(sandbox.url).delete(WALLET);
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });

  it('with an invalid session name is refused', async () => {
    const answer = await request(sandbox.url).get('/s/a%20b/param/paymentIntervals');
    expect([answer.status, JSON.parse(answer.text).statusCode]).toEqual([400, 400]);
  });

  it('of any bytes never stops the server or reveals its internals', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        async (bytes) => {
          const { status, text } = await post(Buffer.from(bytes));
          expect([400, 401, 413, 415]).toContain(status);
          expect(text).not.toMatch(/\.ts:|node_modules/);
        },
      ),
      { numRuns: cases(100) },
    );
    expect((await post(single())).status).toBe(200);
  });

  it('from clients that disconnect while sending does not affect the server', async () => {
    const { port } = new URL(sandbox.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST ${WALLET} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
          () => socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    expect((await post(single())).status).toBe(200);
  });
});
