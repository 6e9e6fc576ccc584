import fc from 'fast-check';
import request from 'supertest';
import { CONTROL_OPERATIONS } from '../../../src/server/control-api/operations.ts';
import { cases } from '../../cases.ts';
import { post, saveLink, single, tokenOf } from '../../interface/calls.ts';
import { exampleOf, MERCHANT } from '../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

type Json = Record<string, unknown>;
type State = Record<string, Json[]> & { state: { counters: Record<string, number> } };

const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const PAYOUT = '/sandbox/init/authenticate/merchant/bulkPayment';

let sandbox: Sandbox;
let exported: State;
let sessions = 0;

const control = (base: string, method: 'get' | 'put' | 'post', path: string, body?: object) =>
  request(base)[method](`/_sandbox${path}`).send(body);

/** A session with records of many kinds and states, from three days. */
beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-02T10:00:00Z') });
  const base = sandbox.sessionUrl('exported');
  const token = await tokenOf(base);
  await control(base, 'put', '/webhooks/endpoints', {
    endpoints: [{ url: 'http://127.0.0.1:1/', types: ['payout.paid', 'payment.refunded'] }],
  });
  const day = async (name: string) => {
    for (const [payerReference, more] of [
      ['A', { amount: '500.00' }],
      ['B', { walletName: 'WALLET_SWITCH' }],
      ['C', { walletName: 'WALLET_MOBILE', payerMobile: '263770000001' }],
      ['D', { walletName: 'WALLET_CARD_A', profileId: 2 }],
      ['E', { walletName: 'WALLET_SWITCH', paymentDescription: '#chargeback' }],
    ] as const) {
      await post(WALLET, single({ payerReference: `${name}-${payerReference}`, ...more }), base);
    }
    const split = exampleOf('requests/bulk-payment', { ...MERCHANT, payerReference: `${name}-S`, amount: '7.77' });
    await post('/sandbox/init/authenticate/merchant/bulkWallet', split, base);
    for (const payment of ['A', 'B', 'S']) {
      await control(base, 'post', `/payments/${name}-${payment}/settle`, { outcome: 'Paid' });
    }
    await control(base, 'post', `/payments/${name}-A/adjustments`, { kind: 'refund', amount: '3.00' });
    await control(base, 'post', `/payments/${name}-S/adjustments`, { kind: 'chargeback', amount: '5.01' });
    await control(base, 'post', `/payments/${name}-S/adjustments`, { kind: 'chargeback-reversed', amount: '2.00' });
    await control(base, 'post', `/payments/${name}-B/adjustments`, { kind: 'chargeback' });
    await post(PAYOUT, exampleOf('requests/bulk-payout', { ...MERCHANT, payerReference: `${name}-P` }), base);
  };
  await post(
    '/sandbox/api/requestPaymentTokenAndPay',
    exampleOf('requests/payment-token-with-payment', MERCHANT),
    base,
    token,
  );
  const issued = await post(
    '/sandbox/api/requestPaymentToken',
    exampleOf('requests/payment-token', MERCHANT),
    base,
    token,
  );
  await post(
    '/sandbox/api/addRecurringPayment',
    exampleOf('requests/recurring-payment', {
      recurringPaymentToken: issued.body.paymentToken,
      recurringIntervalId: '2',
      recurringIntervalName: 'Daily',
      recurringStartDate: '2026-03-03',
      recurringExpiryDate: '2026-03-20',
    }),
    base,
    token,
  );
  await saveLink(base, token, '/api/merchant/sandbox/fastCheckOut');
  await control(base, 'post', '/shop-codes', {
    merchantId: 'M-1000',
    reference: 'TILL-1',
    currency: 'USD',
    amount: '2.50',
  });
  await day('one');
  await control(base, 'post', '/clock/advance', { by: 'P1D' });
  await control(base, 'post', '/settlements/close', {});
  await day('two');
  await control(base, 'post', '/clock/advance', { by: 'P1D' });
  await control(base, 'post', '/settlements/settlement-1/return', { code: 'AC04' });
  await day('three');
  await post(WALLET.replace('/sandbox', ''), single({ payerReference: 'F', amount: '50.00' }), base);
  await control(base, 'post', '/payments/F/settle', { outcome: 'Paid' });
  await control(base, 'post', '/settlements/close', { environment: 'production' });
  exported = (await control(base, 'get', '/state')).body;
});
afterAll(() => sandbox.close());

it('the prepared state has records of many kinds and states', () => {
  const statesOf = (collection: string) => new Set(exported[collection]?.map(({ state }) => state));
  expect(statesOf('payments')).toEqual(new Set(['Processing', 'Paid', 'Expired', 'ChargedBack']));
  expect(statesOf('payouts')).toEqual(new Set(['Paid', 'Processing']));
  expect(statesOf('settlements')).toEqual(new Set(['Open', 'InTransit', 'CarriedOver', 'Paid', 'Returned']));
  expect(statesOf('recurringPayments')).toEqual(new Set(['Active']));
  expect(Object.keys(exported)).toEqual(
    expect.arrayContaining(['links', 'images', 'paymentTokens', 'shopCodes', 'endpoints', 'deliveries']),
  );
});

it.each<[string, (state: State) => unknown, string]>([
  ['a negative charge interval', (state) => set(state, 'recurringPayments', 0, { intervalDays: -5 }), '.intervalDays'],
  ['a charge that has been due for years', (state) => set(state, 'recurringPayments', 0, { dueAt: 0 }), '.dueAt'],
  [
    "a charge of another merchant's token",
    (state) => set(state, 'recurringPayments', 0, { merchantId: 'M-1001' }),
    '.paymentToken',
  ],
  [
    'a settlement that is its own predecessor',
    (state) => set(state, 'settlements', 1, { previous: 'settlement-2' }),
    '$.settlements[1]',
  ],
  [
    'a settlement that would be paid again',
    (state) => set(state, 'settlements', 0, { dueAt: 1 }),
    '$.settlements[0].dueAt',
  ],
  [
    'a settlement whose corrected report would never be issued',
    (state) =>
      set(state, 'settlements', 0, {
        mismatches: { kinds: ['corrected-file'], totals: 'stay' },
      }),
    '$.settlements[0].dueAt',
  ],
  [
    'a settlement file that has a line for an unknown payment',
    (state) =>
      set(state, 'settlements', 0, {
        mismatches: { kinds: ['status-conflict'], totals: 'stay', failed: 'payment-99' },
      }),
    '$.settlements[0].mismatches.failed',
  ],
  ['a lowered counter of moves', ({ state }) => Object.assign(state.counters, { move: 3 }), 'a unique move, up to 3'],
  [
    'a raised counter of moves',
    ({ state }) => Object.assign(state.counters, { move: 900_000_000 }),
    '$.state.counters.move',
  ],
  [
    'a raised counter of payments',
    ({ state }) => Object.assign(state.counters, { payment: 900 }),
    '$.state.counters.payment',
  ],
  [
    'a payment of an unknown link',
    (state) => set(state, 'payments', 0, { origin: 'link', originId: '9' }),
    '$.payments[0].originId: expected one of $.links, received "9"',
  ],
  [
    'a payment of an unknown merchant',
    (state) => set(state, 'payments', 0, { merchantId: 'nobody' }),
    '$.payments[0].merchantId: expected one of the merchants',
  ],
  [
    'a settlement with lines of unknown records',
    (state) => set(state, 'settlements', 0, { last: { payments: 99_999_999 } }),
    '$.settlements[0].last.payments',
  ],
  [
    'a notification about an unknown record',
    (state) => set(state, 'deliveries', 0, { subjectId: 'payment-99' }),
    '$.deliveries[0].subjectId',
  ],
  ['a link without its image', (state) => set(state, 'links', 0, { imageId: 'image-9' }), '$.links[0].imageId'],
  ['a payment with a wrong due time', (state) => set(state, 'payments', 0, { dueAt: 7 }), '$.payments[0].dueAt'],
])('a state with %s is refused, and the message names the mistake', async (_title, damage, message) => {
  const damaged = structuredClone(exported);
  damage(damaged);
  const base = sandbox.sessionUrl('refused');
  const { status, body } = await control(base, 'put', '/state', damaged);
  expect([status, body.detail]).toEqual([400, expect.stringContaining(message)]);
});

function set(state: State, collection: string, index: number, members: object): void {
  Object.assign(state[collection]?.[index] ?? {}, members);
}

it('all mistakes in a state are reported at once', async () => {
  const damaged = structuredClone(exported);
  set(damaged, 'payments', 0, { merchantId: 'nobody' });
  set(damaged, 'recurringPayments', 0, { dueAt: 0 });
  damaged.state.counters['payout'] = 50;
  set(damaged, 'settlements', 0, { sequence: 2 });
  const { body } = await control(sandbox.sessionUrl('refused'), 'put', '/state', damaged);
  const paths = body.findings.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      '$.payments[0].merchantId',
      '$.recurringPayments[0].dueAt',
      '$.state.counters.payout',
      '$.settlements[0]',
    ]),
  );
});

/** A change of one value, as by an editor or a defect. */
const anyChange = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Change>(0, 1, -1, 2, -5, 99_999_999, 253_402_300_799_999, 4_503_599_627_370_496),
  },
  { weight: 3, arbitrary: fc.constantFrom<Change>('more', 'less', 'another', 'null') },
  { weight: 2, arbitrary: fc.constantFrom<Change>('gone', 'twice') },
);
type Change = number | 'more' | 'less' | 'another' | 'null' | 'gone' | 'twice';

/** Changes one value of a state. Returns its path and the change. */
function changeAt(state: State, place: number, change: Change): string {
  const places = placesIn(state, '$');
  const { owner, key, path } = places[place % places.length] ?? { owner: state, key: 'state', path: '$.state' };
  const value = Reflect.get(owner, key);
  if (change === 'gone' || change === 'twice') {
    if (Array.isArray(owner)) {
      owner.splice(Number(key), change === 'gone' ? 1 : 0, ...(change === 'gone' ? [] : [structuredClone(value)]));
    } else {
      Reflect.deleteProperty(owner, key);
    }
  } else {
    Reflect.set(owner, key, changeValue(value, change, places));
  }
  return `${path} ${change}`;
}

function changeValue(value: unknown, change: Exclude<Change, 'gone' | 'twice'>, places: readonly Place[]): unknown {
  switch (change) {
    case 'null':
      return null;
    case 'more':
    case 'less':
      return typeof value === 'number' ? value + (change === 'more' ? 1 : -1) : `${value}x`;
    case 'another': {
      // The value of another place of the same type, such as the id of another record.
      const sameType = places.filter(({ owner, key }) => typeof Reflect.get(owner, key) === typeof value);
      const ownIndex = sameType.findIndex(({ owner, key }) => Reflect.get(owner, key) === value);
      const { owner, key } = sameType[(ownIndex + 1) % sameType.length] ?? { owner: {}, key: '' };
      return structuredClone(Reflect.get(owner, key));
    }
    default:
      return change;
  }
}

interface Place {
  owner: object;
  key: string;
  path: string;
}

function placesIn(value: unknown, path: string): Place[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, member]) => [
    { owner: value, key, path: `${path}.${key}` },
    ...placesIn(member, `${path}.${key}`),
  ]);
}

const READ_OPERATIONS = CONTROL_OPERATIONS.filter(
  ({ method, path }) => method === 'GET' && !/[{]|stream|events$|docs|openapi/.test(path),
);

/** Makes calls that people and tests would make next. Returns each call with the status of its answer. */
async function continueSession(base: string): Promise<[string, number][]> {
  const answers: [string, number][] = [];
  const call = async (method: 'get' | 'put' | 'post', path: string, body?: object) => {
    const answer = await control(base, method, path, body);
    answers.push([`${method} ${path}`, answer.status]);
    return answer.body;
  };
  answers.push(['pay', (await post(WALLET, single({ payerReference: 'next' }), base)).status]);
  await call('post', '/payments/next/settle', { outcome: 'Paid' });
  for (const payment of ['one-A', 'one-S', 'two-A', 'three-S']) {
    await call('post', `/payments/${payment}/settle`, { outcome: 'Paid' });
    await call('post', `/payments/${payment}/adjustments`, { kind: 'refund', amount: '0.50' });
  }
  const payout = exampleOf('requests/bulk-payout', { ...MERCHANT, payerReference: 'next-P' });
  answers.push(['payout', (await post(PAYOUT, payout, base)).status]);
  await call('post', '/payouts/three-P/settle', { outcome: 'Failed' });
  await call('post', '/clock/advance', { by: 'PT30M' });
  await call('get', '/ledger/check');
  await call('post', '/settlements/close', {});
  await call('post', '/clock/advance', { by: 'P3D' });
  await call('post', '/clock/run-until-idle');
  for (const { path } of READ_OPERATIONS) {
    await call('get', path);
  }
  const { items } = await call('get', '/settlements');
  for (const { id } of items) {
    await call('get', `/settlements/${id}/file`);
  }
  return answers;
}

it('a session accepts a state that was exported, and continues with it', async () => {
  const base = sandbox.sessionUrl('again');
  expect((await control(base, 'put', '/state', exported)).status).toBe(200);
  const failed = (await continueSession(base)).filter(([, status]) => status >= 500);
  expect(failed).toEqual([]);
  const state = (await control(base, 'get', '/state')).body;
  expect((await control(base, 'put', '/state', state)).status).toBe(200);
});

it('a session refuses a state with one changed value, or keeps consistent books after further calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), anyChange, async (place, change) => {
      const damaged = structuredClone(exported);
      const changeText = changeAt(damaged, place, change);
      sessions += 1;
      const base = sandbox.sessionUrl(`changed-${sessions}`);
      const { status, body } = await control(base, 'put', '/state', damaged);
      expect([200, 400]).toContain(status);
      if (status === 400) {
        expect(body.findings).not.toEqual([]);
      } else {
        const check = await control(base, 'get', '/ledger/check');
        const failed = (await continueSession(base)).filter(([, each]) => each >= 500);
        expect([changeText, check.status, failed]).toEqual([changeText, 200, []]);
        const after = await control(base, 'put', '/state', (await control(base, 'get', '/state')).body);
        expect([changeText, after.status, after.body.detail]).toEqual([changeText, 200, undefined]);
      }
      await request(sandbox.url).delete(`/_sandbox/sessions/changed-${sessions}`);
    }),
    { numRuns: cases(40), seed: Number(process.env['STATE_SEED'] ?? 1) },
  );
});
