import fc from 'fast-check';
import request from 'supertest';
import { cases } from '../../cases.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Running, startProgram } from '../../running.ts';

let running: Running;
let token: string;

beforeAll(async () => {
  running = await startProgram('start', '--port', '0', '--data', ':memory:');
  const { text } = await request(running.url).post('/auth/authenticate/merchant').send(MERCHANT);
  ({ token } = JSON.parse(text));
});
afterAll(() => running.end('SIGTERM'));

type Call = (token: string) => request.Test;

const name = fc.stringMatching(/^[a-z][a-z-]{0,12}[a-z]$/);
const path = fc.constantFrom(
  '/init/authenticate/merchant/wallet',
  '/auth/authenticate/merchant',
  '/nowhere',
  '/pay/phone',
);
/** Changes a token as it may occur in addresses and lists. */
const variants = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text.slice(0, -5),
  (text) => text.replaceAll('.', '%2E'),
  (text) => `a/${text}/b`,
  (text) => `one ${text}, two`,
);

/** Calls with a token in each part of a request. */
const calls: fc.Arbitrary<Call> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('/', '/init/recurring/cancel/', '/_sandbox/payments/', '/pay/link/', '/a%2F', '/x;token='),
      name,
    )
    .map(
      ([before, after]) =>
        (text: string) =>
          request(running.url).get(`${before}${encodeURI(text)}/${after}`),
    ),
  fc.tuple(path, name).map(
    ([to, key]) =>
      (text: string) =>
        request(running.url).get(`${to}?${key}=${encodeURI(text)}`),
  ),
  fc.tuple(path, name).map(
    ([to, key]) =>
      (text: string) =>
        request(running.url).post(to).set(`x-${key}`, text),
  ),
  fc.tuple(path, name).map(
    ([to, key]) =>
      (text: string) =>
        request(running.url).post(to).set('cookie', `${key}=${text}`),
  ),
  path.map((to) => (text: string) => request(running.url).post(to).set('authorization', `Bearer ${text}`)),
  fc
    .tuple(path, fc.array(fc.oneof(name, fc.nat({ max: 2 })), { minLength: 1, maxLength: 5 }))
    .map(([to, keys]) => (text: string) => {
      const nested = keys.reduce<unknown>((value, key) => (typeof key === 'number' ? [value] : { [key]: value }), text);
      return request(running.url)
        .post(to)
        .send({ unknown: nested, [text]: 1 });
    }),
  fc
    .constantFrom('walletName', 'amount', 'paymentCurrency', 'payerMobile', 'profileId')
    .map((member) => (text: string) => {
      const body = exampleOf('requests/single-payment', { ...MERCHANT, [member]: text });
      return request(running.url).post('/init/authenticate/merchant/wallet').send(body);
    }),
  fc.tuple(path, name).map(
    ([to, key]) =>
      (text: string) =>
        request(running.url)
          .post(to)
          .type('form')
          .send({ [key]: text }),
  ),
  fc
    .constantFrom('{"a": "', '{"a":1,\\n')
    .map(
      (before) => (text: string) =>
        request(running.url).post('/auth/authenticate/merchant').type('json').send(`${before}${text}`),
    ),
  name.map((key) => (text: string) => request(running.url).post('/api/merchant/fastCheckOut').field(key, text)),
);

it('a token is never shown, wherever it was in the request', async () => {
  await fc.assert(
    fc.asyncProperty(calls, variants, async (call, vary) => {
      const answer = await call(vary(token));
      const read = (where: string) => request(running.url).get(`/_sandbox/${where}`);
      const [listed, state] = [await read('requests?limit=1'), await read('state')];
      const one = await read(`requests/${listed.body.items[0].id}`);
      const missed = await request(running.url)
        .post('/_sandbox/requests/verify')
        .send({ match: { merchantId: 'nobody' } });
      expect(missed.status).toBe(422);
      const texts = [answer.text, listed.text, one.text, missed.text, state.text, running.output()];
      // The middle part identifies the merchant, and the last part makes the token valid.
      for (const part of token
        .split('.')
        .slice(1)
        .map((each) => each.slice(0, 20))) {
        expect(texts.filter((text) => text?.includes(part))).toEqual([]);
      }
    }),
    { numRuns: cases(150), seed: 1 },
  );
});
