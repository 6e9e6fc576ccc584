import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import request from 'supertest';
import { cases } from '../../cases.ts';
import { single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ maxSessions: 1 });
});
afterAll(() => sandbox.close());

const FORM = 'application/x-www-form-urlencoded';
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a body with a value that breaks conversions to text in JavaScript', () => {
  const names = fc.constantFrom('number', 'walletName', 'payerMobile', 'amount', 'token', 'payerReference', 'x');
  const broken = fc.constantFrom({ toString: 1 }, { toString: null, valueOf: {} }, { toJSON: 1 }, [{ toString: 1 }]);

  it('is answered without a server error, and logged', async () => {
    await fc.assert(
      fc.asyncProperty(names, broken, fc.boolean(), async (name, value, isDeep) => {
        const body = single({ [name]: isDeep ? { [name]: [value] } : value });
        const { status, headers } = await request(sandbox.url).post('/init/authenticate/merchant/wallet').send(body);
        expect(status).toBeLessThan(500);
        const { items } = (await request(sandbox.url).get('/_sandbox/requests?limit=1')).body;
        expect(items[0]?.id).toBe(headers['x-sandbox-request']);
      }),
      { numRuns: cases(50) },
    );
  });
});

describe('the control API', () => {
  it.each([
    ['/requests/verify', `{"match":{"body":${deep(5000)}}}`],
    ['/requests/verify', `{"match":{"body":${deep(100_000)}}}`],
    ['/scenarios/x', `{"name":"x","description":"","rules":[{"when":{"body":${deep(5000)}}}]}`],
    ['/state', `{"state":${deep(5000)}}`],
  ])('refuses a body for %s that is nested too deeply', async (path, body) => {
    const method = path === '/requests/verify' ? 'post' : 'put';
    const answer = await request(sandbox.url)[method](`/_sandbox${path}`).type('json').send(body);
    expect([answer.status, answer.body.title]).toEqual([400, 'malformed-body']);
  });

  it('refuses a compressed body, and does not decompress it', async () => {
    const body = gzipSync(`{"name":"${' '.repeat(1_000_000)}"}`);
    const answer = await request(sandbox.url)
      .put('/_sandbox/scenario')
      .set({ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .serialize((bytes) => bytes)
      .send(body);
    expect([answer.status, answer.type]).toEqual([415, 'application/problem+json']);
  });

  it('refuses a cursor that no list returned', async () => {
    for (const list of ['requests', 'payments', 'sessions', 'jobs', 'scenarios']) {
      const { status } = await request(sandbox.url).get(`/_sandbox/${list}?cursor=bogus`);
      expect([list, status]).toEqual([list, 400]);
    }
  });
});

describe("a payer's page", () => {
  it.each<[string, string, Record<string, string>, string | Buffer, number]>([
    ['too many fields', FORM, {}, 'a=1&'.repeat(2000), 413],
    ['a form that is too large', FORM, {}, `a=${'x'.repeat(70_000)}`, 413],
    ['an unknown character set', `${FORM}; charset=utf-16`, {}, 'a=1', 415],
    ['an unknown encoding', FORM, { 'Content-Encoding': 'zstd' }, 'a=1', 415],
    ['a compressed form', FORM, { 'Content-Encoding': 'gzip' }, gzipSync('a=1'), 415],
    ['JSON instead of a form', 'application/json', {}, '{"a":', 404],
    ['no form at all', 'text/plain', {}, '', 404],
  ])('refuses %s with a page', async (_title, type, headers, body, status) => {
    const answer = await request(sandbox.url)
      .post('/pay/approve/1')
      .set({ ...headers, 'Content-Type': type })
      .serialize((bytes) => bytes)
      .send(body);
    expect([answer.status, answer.type]).toEqual([status, 'text/html']);
  });

  it.each([
    '/pay/checkout?paymentCode=1&paymentCode=2',
    '/pay/phone?mobile=%ff&mobile=%',
    '/pay/approve/%',
    '/pay/link/%ff',
  ])('answers %s with a page', async (address) => {
    const { status, type } = await request(sandbox.url).get(address);
    expect([status < 500, type]).toEqual([true, 'text/html']);
  });

  it('of an unknown session is refused, and does not create the session', async () => {
    const { status, type } = await request(sandbox.sessionUrl('one-too-many')).get('/pay/phone');
    expect([status, type]).toEqual([404, 'text/html']);
  });
});
