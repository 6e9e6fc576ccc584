import fc from 'fast-check';
import request from 'supertest';
import { CONTROL_OPERATIONS } from '../../../src/server/control-api/operations.ts';
import { cases } from '../../cases.ts';
import { hostile, mutateInside } from '../../fuzz/hostile.ts';
import { post, saveLink, single, tokenOf } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

let sandbox: Sandbox;
let base: string;
let state: {
  state: { counters: Record<string, number> };
  payments: { id: string }[];
  endpoints: object[];
  deliveries: object[];
};

/** A session with records of most kinds. */
beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z') });
  base = sandbox.sessionUrl('kept');
  const token = await tokenOf(base);
  await control('put', '/webhooks/endpoints', { endpoints: [{ url: 'http://127.0.0.1:1/' }] });
  await post('/init/authenticate/merchant/wallet', single(), base);
  await post(
    '/init/authenticate/merchant/wallet',
    single({ walletName: 'WALLET_MOBILE', payerMobile: '263770000001' }),
    base,
  );
  await post(
    '/init/authenticate/merchant/wallet',
    single({ merchantId: 'a stranger', merchantKey: 'a', merchantApiKey: 'b' }),
    base,
  );
  for (const [path, schema] of [
    ['/init/authenticate/merchant/bulkWallet', 'requests/bulk-payment'],
    ['/init/authenticate/merchant/bulkPayment', 'requests/bulk-payout'],
    ['/api/addRecurringPayment', 'requests/recurring-payment'],
    ['/api/requestPaymentTokenAndPay', 'requests/payment-token-with-payment'],
  ] as const) {
    await post(path, exampleOf(schema, MERCHANT), base, token);
  }
  await saveLink(base, token, '/api/merchant/fastCheckOut');
  await control('put', '/scenarios/mine', {
    name: 'mine',
    description: '',
    rules: [{ fault: { at: 'before', kind: 'latency', latency: 'PT1S', times: 1 } }],
  });
  await sandbox.session('kept').settle('payment-1', 'Paid');
  state = (await control('get', '/state')).body;
});
afterAll(() => sandbox.close());

const control = (method: 'get' | 'put', path: string, body?: object) =>
  request(base)[method](`/_sandbox${path}`).send(body);

/** Reads the lists and the pages of records. Returns the statuses. */
async function readEverything(): Promise<number[]> {
  const lists = CONTROL_OPERATIONS.filter(
    ({ method, path }) => method === 'GET' && !/[{]|events|stream|docs|openapi/.test(path),
  );
  const answers = await Promise.all(lists.map(({ path }) => control('get', path)));
  const { payments = [], links = [], images = [] } = (await control('get', '/state')).body;
  const pages = [
    ...payments.map(({ paymentCode }: { paymentCode: string }) => `/pay/approve/${encodeURIComponent(paymentCode)}`),
    ...payments.map(({ payerMobile }: { payerMobile: string }) => `/pay/phone/${encodeURIComponent(payerMobile)}`),
    ...links.map(({ token }: { token: string }) => `/pay/link/${encodeURIComponent(token)}`),
    ...images.map(({ id }: { id: string }) => `/pay/images/${encodeURIComponent(id)}`),
  ];
  const shown = await Promise.all(pages.map((page) => request(base).get(page)));
  return [...answers, ...shown].map(({ status }) => status);
}

it('the prepared state has records of most kinds', () => {
  expect(Object.keys(state)).toEqual(
    expect.arrayContaining([
      'merchants',
      'payments',
      'payouts',
      'links',
      'images',
      'endpoints',
      'deliveries',
      'scenarios',
    ]),
  );
});

it('a damaged state is refused without any change, or can be shown without an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), hostile, async (place, value) => {
      await control('put', '/state', state).expect(200);
      const before = (await control('get', '/state')).text;
      const damaged = structuredClone(state);
      mutateInside(damaged, place, value);
      const { status } = await control('put', '/state', damaged);
      expect([200, 400]).toContain(status);
      if (status === 400) {
        expect((await control('get', '/state')).text).toBe(before);
      } else {
        expect((await readEverything()).filter((each) => each >= 500)).toEqual([]);
      }
    }),
    { numRuns: cases(60), seed: Number(process.env['STATE_SEED'] ?? 1) },
  );
});

it.each<[string, (damaged: typeof state) => void, string]>([
  ['two records with the same id', ({ payments }) => payments.push({ ...(payments[0] ?? { id: '' }) }), '$.payments['],
  ['an id that would be issued again', (damaged) => (damaged.state.counters['payment'] = 1), '$.payments[1].id'],
  ['an unknown scenario', (damaged) => Object.assign(damaged.state, { scenario: 'none' }), '$.state.scenario'],
  [
    'an endpoint whose address no call could have set',
    ({ endpoints }) => Object.assign(endpoints[0] ?? {}, { url: `http://127.0.0.1:1/${'a'.repeat(2000)}` }),
    '$.endpoints[0].url',
  ],
  [
    'a notification to an address that no endpoint can have',
    ({ deliveries }) => Object.assign(deliveries[0] ?? {}, { url: `http://127.0.0.1:1/${'a'.repeat(2000)}` }),
    '$.deliveries[0].url',
  ],
  [
    'a clock without a valid time',
    (damaged) => Object.assign(damaged.state, { clock: { mode: 'real', offset: 1e15 } }),
    '$.state.clock',
  ],
  [
    'a position of the random number generator that cannot be advanced',
    (damaged) => Object.assign(damaged.state, { rngPosition: 1e300 }),
    '$.state.rngPosition',
  ],
])('a state with %s is refused with the path', async (_title, damage, path) => {
  const damaged = structuredClone(state);
  damage(damaged);
  const { status, body } = await control('put', '/state', damaged);
  expect([status, body.detail]).toEqual([400, expect.stringContaining(path)]);
});
