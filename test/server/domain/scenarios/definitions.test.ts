import request from 'supertest';
import { OPERATIONS } from '../../../../src/server/merchant-api/operations.ts';
import { exampleOf } from '../../../interface/examples.ts';
import { type Sandbox, startSandbox } from '../../../sandbox.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';
const LAST_INSTANT = '6999-12-31T23:59:59.999Z';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z'), checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession() {
  sessions += 1;
  return sandbox.session(`definition-${sessions}`);
}

async function define(baseUrl: string, ...rules: object[]) {
  const { status, body } = await request(baseUrl)
    .put('/_sandbox/scenarios/mine')
    .send({ name: 'mine', description: '', rules });
  const findings: { path: string; expected: string; received: string }[] = body.findings ?? [];
  return { status, findings, paths: findings.map(({ path }) => path) };
}

function pay(baseUrl: string, members: object = {}, scenario = 'mine') {
  return request(baseUrl)
    .post(WALLET)
    .set('X-Sandbox-Scenario', scenario)
    .send({ ...exampleOf('requests/single-payment'), ...members });
}

describe('a wrong definition is refused with the path of every mistake', () => {
  it.each<[string, object, string[]]>([
    ['an unknown operation', { when: { operation: 'pay' } }, ['$.rules[0].when.operation']],
    [
      'an unknown operation in a list',
      { when: { operation: ['initiatePayment', 'pay'] } },
      ['$.rules[0].when.operation[1]'],
    ],
    [
      'an amount range whose minimum exceeds its maximum',
      { when: { amount: { minimum: 20, maximum: 10 } } },
      ['$.rules[0].when.amount.minimum'],
    ],
    [
      'an amount condition for a fault on arrival',
      { when: { amount: { minimum: 20 } }, fault: { at: 'arrival', kind: 'timeout' } },
      ['$.rules[0].when.amount'],
    ],
    ['an unknown channel', { when: { channel: ['qr-wallet', 'cash'] } }, ['$.rules[0].when.channel[1]']],
    [
      'a template whose answer would be too large, and a template that is too long',
      {
        respond: { paymentResponseMessage: '{{payerName}}'.repeat(21), paymentCode: `{{amount}}${'x'.repeat(10_000)}` },
      },
      ['$.rules[0].respond.paymentCode', '$.rules[0].respond.paymentResponseMessage'],
    ],
    [
      'mistakes in a settlement file, with a condition on other operations',
      { when: { operation: ['initiatePayment', 'payShopCode'] }, mismatches: { kinds: ['fee'] } },
      ['$.rules[0].when.operation'],
    ],
    [
      'reports of a settlement, with a condition on the channel',
      { when: { channel: 'qr-wallet' }, reports: { announced: true } },
      ['$.rules[0].when.channel'],
    ],
    [
      'a condition on the channel for closing a settlement',
      { when: { operation: 'closeSettlement', channel: 'qr-wallet' } },
      ['$.rules[0].when.channel'],
    ],
    ['an empty list of mistakes', { mismatches: { kinds: [] } }, ['$.rules[0].mismatches.kinds']],
    ['an empty list of bank mistakes', { mismatches: { bank: [] } }, ['$.rules[0].mismatches.bank']],
    ['totals without mistakes', { mismatches: { totals: 'follow' } }, ['$.rules[0].mismatches']],
    ['an empty list of channels', { when: { channel: [] } }, ['$.rules[0].when.channel']],
    [
      'two mistakes in a body schema',
      { when: { body: { type: 'sum', properties: { amount: { minLength: -1 } } } } },
      ['$.rules[0].when.body.properties.amount.minLength', '$.rules[0].when.body.type'],
    ],
    [
      'an invalid pattern in a body schema',
      { when: { body: { properties: { amount: { pattern: '(' } } } } },
      ['$.rules[0].when.body.properties.amount.pattern'],
    ],
    ['a reference in a body schema', { when: { body: { $ref: '#' } } }, ['$.rules[0].when.body']],
    ['an answer template that no channel has', { respond: { template: 'nowhere' } }, ['$.rules[0].respond.template']],
    [
      'an answer template that the rule’s channel does not have',
      { when: { channel: 'qr-wallet' }, respond: { template: 'testMode' } },
      ['$.rules[0].respond.template'],
    ],
    [
      'members that the answer does not have, and members with a value of another type',
      { respond: { status: null, paymentCode: 7, extra: 'x' } },
      ['$.rules[0].respond.extra', '$.rules[0].respond.paymentCode', '$.rules[0].respond.status'],
    ],
    [
      'templates that cannot be filled',
      { respond: { status: '{{state}}', paymentId: '{{paymentId' } },
      ['$.rules[0].respond.paymentId', '$.rules[0].respond.status'],
    ],
    [
      'an invalid outcome, delay and code',
      { settle: { outcome: 'Lost', after: '-PT1S', code: 5 } },
      ['$.rules[0].settle.after', '$.rules[0].settle.code', '$.rules[0].settle.outcome'],
    ],
    ['a delay that is too long', { settle: { outcome: 'Paid', after: 'P1001Y' } }, ['$.rules[0].settle.after']],
    [
      'an unknown webhook mode and an invalid delay',
      { webhook: { mode: 'lost', delay: 'PT' } },
      ['$.rules[0].webhook.delay', '$.rules[0].webhook.mode'],
    ],
    ['a status fault without a status', { fault: { at: 'before', kind: 'status' } }, ['$.rules[0].fault.status']],
    [
      'a fault on arrival with conditions on the body and channel, which are unknown at that time',
      { when: { channel: 'qr-wallet', body: {} }, fault: { at: 'arrival', kind: 'reset' } },
      ['$.rules[0].when.body', '$.rules[0].when.channel'],
    ],
    ['a latency fault without a latency', { fault: { at: 'before', kind: 'latency' } }, ['$.rules[0].fault.latency']],
    [
      'a credit condition whose minimum amount exceeds its maximum',
      { credits: [{ when: { amount: { minimum: 10, maximum: 9.99 } }, outcome: 'Failed', code: 'AC04' }] },
      ['$.rules[0].credits[0].when.amount.minimum'],
    ],
    [
      'a fault with values out of range',
      { fault: { at: 'never', kind: 'status', status: 200, probability: 2, times: 0, latency: 'PT0.0001S' } },
      ['at', 'latency', 'probability', 'status', 'times'].map((name) => `$.rules[0].fault.${name}`),
    ],
  ])('for %s', async (_title, rule, paths) => {
    const session = newSession();
    const refused = await define(session.baseUrl, rule);
    expect([refused.status, refused.paths.sort()]).toEqual([400, paths]);
    const { body } = await request(session.baseUrl).get('/_sandbox/scenarios');
    expect(body.items.map(({ name }: { name: string }) => name)).not.toContain('mine');
  });

  it('in all rules at once', async () => {
    const { paths } = await define(
      newSession().baseUrl,
      { when: { channel: 'a' } },
      {},
      { respond: { template: 'b' } },
    );
    expect(paths).toEqual(['$.rules[0].when.channel', '$.rules[2].respond.template']);
  });
});

it('an accepted definition with extreme values runs without an internal error, with valid answers', async () => {
  const rules = [
    { when: { body: { properties: { payerReference: { const: 'one' } } } }, respond: { template: 'testMode' } },
    {
      when: { operation: ['initiatePayment'], channel: 'qr-wallet', environment: 'sandbox' },
      respond: { status: '{{amount}} {{currency}}', paymentCode: '{{paymentCode}}', unused: 'empty' },
      settle: { outcome: 'Failed', after: 'P1000Y', code: '', description: '{{' },
      webhook: { mode: 'burst', count: 3, delay: 'PT0S' },
    },
    { fault: { at: 'after', kind: 'status', status: 599, message: '{{x}}', retryAfter: 0, times: 1, probability: 1 } },
  ];
  const session = newSession();
  expect((await define(session.baseUrl, ...rules)).status).toBe(200);
  const answers = [
    await pay(session.baseUrl, { payerReference: 'one' }),
    await pay(session.baseUrl, { payerReference: 'two' }),
    await pay(session.baseUrl, { walletName: 'WALLET_CARD_A', payerReference: 'three' }),
    await pay(session.baseUrl, { walletName: 'WALLET_SWITCH', payerReference: 'four' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 599, 200]);
  expect(JSON.parse(answers[1]?.text ?? '').paymentInitiationResponse.status).toBe('10.00 USD');
});

describe('an outage', () => {
  const calls = OPERATIONS.flatMap(({ name, method, paths }) =>
    paths.map(({ path }) => [name, method, path.replace('{id}', '1')] as const),
  );

  it.each(calls)('affects %s (%s %s), even for invalid requests', async (_name, method, path) => {
    const session = newSession();
    await session.useScenario('outage');
    for (const body of ['{}', '{', exampleOf('requests/single-payment', { merchantKey: 'wrong' })]) {
      const call = request(session.baseUrl)[method === 'GET' ? 'get' : 'post'](path);
      const answer = await call.set('Content-Type', 'application/json').send(body);
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
      expect(answer.text).toContain('The service is not available');
    }
  });

  it('for one operation does not affect the others, and can be chosen by a #tag', async () => {
    const session = newSession();
    const fault = { at: 'arrival', kind: 'status', status: 503 };
    await define(session.baseUrl, { when: { operation: 'initiatePayment', environment: 'sandbox' }, fault });
    const answers = [
      await pay(session.baseUrl, { amount: 5 }),
      await request(session.baseUrl).post('/auth/authenticate/merchant').set('X-Sandbox-Scenario', 'mine').send({}),
      await pay(session.baseUrl, { paymentDescription: '#mine' }, 'payer-decides'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 400, 200]);
    const tagged = await request(session.baseUrl)
      .post(WALLET)
      .send(exampleOf('requests/single-payment', { paymentDescription: '#mine' }));
    expect(tagged.status).toBe(503);
  });

  it('applies as often as its rule says, also to invalid calls', async () => {
    const session = newSession();
    const fault = { at: 'arrival', kind: 'status', status: 503, times: 2 };
    await define(session.baseUrl, { fault });
    const amounts = [{ amount: 5 }, {}, { amount: 5 }, {}];
    const statuses = [];
    for (const members of amounts) {
      statuses.push((await pay(session.baseUrl, members)).status);
    }
    expect(statuses).toEqual([503, 503, 400, 200]);
  });
});

it('a pattern that would block a backtracking engine is matched at once', async () => {
  const session = newSession();
  const hostile = { type: 'string', pattern: '^(a+)+$' };
  const body = { properties: { payerName: hostile }, patternProperties: { '^(p+)+y(a|a)*$': hostile } };
  await define(session.baseUrl, { when: { body }, fault: { at: 'before', kind: 'status', status: 503 } });
  expect((await pay(session.baseUrl, { payerName: 'a'.repeat(50) })).status).toBe(503);
  expect((await pay(session.baseUrl, { payerName: `${'a'.repeat(50)}b` })).status).toBe(200);
});

describe('a scenario defined while the sandbox runs', () => {
  const remove = (baseUrl: string, name: string) => request(baseUrl).delete(`/_sandbox/scenarios/${name}`);

  it('cannot be deleted while the session uses it', async () => {
    const session = newSession();
    await define(session.baseUrl, {});
    await session.useScenario('mine');
    const refused = await remove(session.baseUrl, 'mine');
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('choose another one first')]);
    expect((await pay(session.baseUrl)).status).toBe(200);
    await session.useScenario('payer-decides');
    expect((await remove(session.baseUrl, 'mine')).status).toBe(204);
    expect((await remove(session.baseUrl, 'mine')).status).toBe(404);
  });

  it('can be deleted while it is used if a fixture has the same name', async () => {
    const session = newSession();
    await session.defineScenario({ name: 'declined', description: 'mine', rules: [] });
    await session.useScenario('declined');
    expect((await remove(session.baseUrl, 'declined')).status).toBe(204);
    const { body } = await request(session.baseUrl).get('/_sandbox/scenario');
    expect(body.description).toBe('Every payment is declined by the issuer or wallet.');
  });

  it('is also validated when it is restored with a state', async () => {
    const session = newSession();
    await define(session.baseUrl, { when: { channel: 'qr-wallet' } });
    const state = (await request(session.baseUrl).get('/_sandbox/state')).body;
    state.scenarios[0].scenario.rules[0].when = { channel: 'cash', body: { pattern: '(' } };
    const refused = await request(session.baseUrl).put('/_sandbox/state').send(state);
    expect([refused.status, refused.body.findings.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['$.scenarios[0].scenario.rules[0].when.channel', '$.scenarios[0].scenario.rules[0].when.body.pattern'],
    ]);
  });

  it('cannot be the scenario of a new session', async () => {
    const session = newSession();
    await define(session.baseUrl, {});
    const answer = await request(session.baseUrl)
      .post('/_sandbox/sessions')
      .send({ name: 'by-mine', scenario: 'mine' });
    expect([answer.status, answer.body.findings?.[0]?.path]).toEqual([400, '$.scenario']);
  });
});

describe('a clock', () => {
  it.each(['2026-02-30T00:00:00Z', '2026-01-01 00:00:00Z', '2026-12-31T23:59:60Z', '1969-01-01T00:00:00Z', 'noon'])(
    'cannot be set to %s, and that of a new session cannot start there',
    async (now) => {
      const session = newSession();
      const before = (await request(session.baseUrl).get('/_sandbox/clock')).body;
      const set = await request(session.baseUrl).put('/_sandbox/clock').send({ mode: 'frozen', now });
      const answer = await request(session.baseUrl)
        .post('/_sandbox/sessions')
        .send({ name: `clock-${sessions}`, now });
      for (const { status, body } of [set, answer]) {
        expect([status, body.detail]).toEqual([400, expect.stringContaining('$.now: expected an RFC 3339 instant')]);
      }
      expect((await request(session.baseUrl).get('/_sandbox/clock')).body).toEqual(before);
    },
  );

  it('advances to the last instant that it can show, and no further', async () => {
    const session = newSession();
    await request(session.baseUrl).put('/_sandbox/clock').send({ mode: 'frozen', now: '6999-12-31T23:59:59' });
    const advance = (by: string) => request(session.baseUrl).post('/_sandbox/clock/advance').send({ by });
    expect((await advance('PT0.999S')).body.now).toBe(LAST_INSTANT);
    for (const by of ['PT0.001S', 'P1000Y']) {
      const refused = await advance(by);
      expect([refused.status, refused.body.detail]).toEqual([
        400,
        expect.stringContaining('no clock shows such a moment'),
      ]);
    }
    for (const by of ['-PT1S', 'PT0.0001S', 'P1001Y', 'a while']) {
      const refused = await advance(by);
      expect([refused.status, refused.body.detail]).toEqual([
        400,
        expect.stringContaining('$.by: expected a duration such as 15m'),
      ]);
    }
    expect((await request(session.baseUrl).get('/_sandbox/clock')).body.now).toBe(LAST_INSTANT);
    expect((await pay(session.baseUrl, {}, 'payer-decides')).status).toBe(200);
  });
});
