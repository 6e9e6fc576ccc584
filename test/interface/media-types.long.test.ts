import request from 'supertest';
import type { Sandbox } from '../sandbox.ts';
import { single } from './calls.ts';
import { startSandbox } from './sandboxes.ts';

const JSON_TYPE = 'application/json;charset=UTF-8';
const TEXT_TYPE = 'text/plain;charset=UTF-8';

const WALLET = '/init/authenticate/merchant/wallet';
/** Statuses of a success, and of refusals in each envelope. */
const STATUSES = {
  [WALLET]: 200,
  '/init/authenticate/merchant/bulkWallet': 400,
  '/init/authenticate/merchant/bulkPayment': 400,
  '/auth/authenticate/merchant': 400,
  '/api/merchant/fastCheckOut': 415,
  '/api/getPaymentDetails': 405,
  '/no': 404,
};
const JSON_ONLY = ['application/json', 'application/*', 'application/json; charset=utf-8', 'text/plain;q=0, */*'];
const PREFERS_JSON = [...JSON_ONLY, 'application/json, text/plain, */*', 'text/plain;q=0.5, application/json'];
const PREFERS_TEXT = [
  undefined,
  '*/*',
  'text/plain',
  'text/*',
  'text/html',
  'nonsense',
  'text/plain, application/json',
  'application/json;q=0.2, text/plain',
  'application/json;q=0, */*',
];

let strict: Sandbox;
let negotiating: readonly Sandbox[];
let unnegotiated: Sandbox;
beforeAll(async () => {
  strict = await startSandbox();
  negotiating = await Promise.all([
    startSandbox({ contentType: 'negotiated' }),
    startSandbox({ validation: 'lenient' }),
  ]);
  unnegotiated = await startSandbox({ validation: 'lenient', contentType: 'interface' });
});
afterAll(() => Promise.all([strict, ...negotiating, unnegotiated].map((sandbox) => sandbox.close())));

const headersOf = (accept: string | undefined) => (accept === undefined ? {} : { Accept: accept });

async function typesOf({ url }: Sandbox, accept: string | undefined, scenario = ''): Promise<string[]> {
  const types: string[] = [];
  for (const [path, status] of Object.entries(STATUSES)) {
    const answer = await request(url)
      .post(path)
      .set({ ...headersOf(accept), ...(scenario === '' ? {} : { 'X-Sandbox-Scenario': scenario }) })
      .send(path === '/auth/authenticate/merchant' ? {} : single());
    if (scenario === '') {
      expect([path, answer.status]).toEqual([path, status]);
    }
    types.push(answer.headers['content-type'] ?? 'none');
  }
  return [...new Set(types)];
}

describe('the media type of an answer', () => {
  it.each([...PREFERS_TEXT, ...PREFERS_JSON])('is text/plain for Accept %s without negotiation', async (accept) => {
    expect(await typesOf(strict, accept)).toEqual([TEXT_TYPE]);
    expect(await typesOf(strict, accept, 'outage')).toEqual([TEXT_TYPE]);
    expect(await typesOf(unnegotiated, accept)).toEqual([TEXT_TYPE]);
  });

  it.each([...PREFERS_TEXT.map((accept) => [accept, TEXT_TYPE]), ...PREFERS_JSON.map((accept) => [accept, JSON_TYPE])])(
    'for Accept %s is %s with negotiation, in success and refusal',
    async (accept, type) => {
      for (const sandbox of negotiating) {
        expect(await typesOf(sandbox, accept)).toEqual([type]);
      }
    },
  );

  it('for an invalid session name is text/plain, too', async () => {
    const { status, headers } = await request(strict.url)
      .post(`/s/-/${WALLET}`)
      .set('Accept', 'application/json')
      .send({});
    expect([status, headers['content-type']]).toEqual([400, TEXT_TYPE]);
  });
});

describe('a client that accepts only JSON', () => {
  const warningsOf = async ({ url }: Sandbox, accept: string | undefined, path = WALLET) => {
    sessions += 1;
    const { headers } = await request(`${url}/s/json-${sessions}`).post(path).set(headersOf(accept)).send(single());
    return String(headers['x-sandbox-warnings'] ?? '');
  };
  let sessions = 0;

  it.each(JSON_ONLY)('gets a warning for Accept %s, with and without negotiation', async (accept) => {
    for (const sandbox of [strict, ...negotiating]) {
      expect(await warningsOf(sandbox, accept)).toContain('SBX-W22');
    }
  });

  const otherTypes = [...PREFERS_TEXT, ...PREFERS_JSON.filter((accept) => !JSON_ONLY.includes(accept))];
  it.each(otherTypes)('gets no warning for Accept %s', async (accept) => {
    expect(await warningsOf(strict, accept)).toBe('');
  });

  it('gets no warning for a path without an operation', async () => {
    expect(await warningsOf(strict, 'application/json', '/no')).toBe('');
  });
});
