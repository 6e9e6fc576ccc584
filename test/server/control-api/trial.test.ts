import type { ScenarioTrial, TriedScenario } from '../../../src/base/schema/generated/control.ts';
import type { SandboxClient } from '../../../src/client/client.ts';
import { post, single } from '../../interface/calls.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const WALLET = '/sandbox/init/authenticate/merchant/wallet';

let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession() {
  sessions += 1;
  return sandbox.session(`trial-${sessions}`);
}

const pay = ({ baseUrl }: SandboxClient, members: object = {}) => post(WALLET, single(members), baseUrl);
const tryScenario = (session: SandboxClient, trial: ScenarioTrial = {}) =>
  session.call<TriedScenario>('POST', '/scenarios/try', trial);
const definition = (...rules: object[]) =>
  ({ name: 'mine', description: 'Tried, and not kept.', rules }) as NonNullable<ScenarioTrial['definition']>;

it('a trial names the rule that applies to the last call, and the unmet conditions of the others', async () => {
  const session = newSession();
  await pay(session, { amount: '150.00' });
  const rules = [
    { when: { operation: 'getPaymentStatus', channel: ['mobile-money'], environment: 'production' } },
    { when: { body: { properties: { amount: { const: '100.00' } }, required: ['colour'] } } },
    {
      when: { channel: 'qr-wallet', body: { required: ['amount'] } },
      settle: { outcome: 'Failed', after: 'PT3S', code: '51' },
      webhook: { mode: 'duplicate' },
    },
    { respond: { template: 'testMode' }, fault: { at: 'after', kind: 'status', status: 503, times: 2 } },
    {},
  ];
  const answer = await tryScenario(session, { definition: definition(...rules) });
  expect(answer).toMatchObject({
    scenario: 'mine',
    requestId: 'request-1',
    operation: 'initiatePayment',
    channel: 'qr-wallet',
    environment: 'sandbox',
    rule: 3,
  });
  expect(answer.rules).toEqual([
    {
      number: 1,
      words: 'getPaymentStatus on mobile-money in production: as the channel does',
      state: 'unmet',
      unmet: [
        { path: '$.when.operation', expected: 'getPaymentStatus', received: 'initiatePayment' },
        { path: '$.when.channel', expected: 'mobile-money', received: 'qr-wallet' },
        { path: '$.when.environment', expected: 'production', received: 'sandbox' },
      ],
    },
    {
      number: 2,
      words: 'any call whose body fits: as the channel does',
      state: 'unmet',
      unmet: [
        {
          path: '$.when.body',
          expected: 'a body that fits',
          received: "$ must have required property 'colour'",
        },
      ],
    },
    {
      number: 3,
      words: 'any call on qr-wallet whose body fits: Failed after 3 s, code 51; notifications duplicate',
      state: 'acts',
      unmet: [],
    },
    {
      number: 4,
      words: 'any call: status 503 after the call, 2 times; answer with template "testMode"',
      state: 'after',
      unmet: [],
    },
    { number: 5, words: 'any call: as the channel does', state: 'after', unmet: [] },
  ]);
});

it.each(['declined', 'outage', 'payer-decides', 'rate-limited', 'auto-approve'])(
  'a trial names the rule of %s that applies to the call',
  async (scenario) => {
    const session = newSession();
    await pay(session);
    const { rule } = await tryScenario(session, { scenario, requestId: 'request-1' });
    await session.call('PUT', '/scenario', { name: scenario });
    await pay(session);
    const logged = await session.call<{ outcome: string }>('GET', '/requests/request-2');
    const acted = /^rule (\d+)/.exec(logged.outcome)?.[1];
    expect(rule).toBe(acted === undefined ? null : Number(acted));
    expect((await tryScenario(session)).scenario).toBe(scenario);
  },
);

it('a trial on a call that was refused before the rules were applied allows only faults on arrival', async () => {
  const session = newSession();
  await pay(session, { amount: 10 });
  const onArrival = { fault: { at: 'arrival', kind: 'status', status: 503 } };
  const settling = { settle: { outcome: 'Paid', after: 'PT0S' } };
  expect(await tryScenario(session, { definition: definition(onArrival, settling) })).toMatchObject({ rule: 1 });
  const { rule, rules } = await tryScenario(session, { definition: definition(settling, onArrival) });
  expect([rule, rules.map(({ state }) => state)]).toEqual([null, ['unmet', 'after']]);
  expect(rules[0]?.unmet).toEqual([
    { path: '$.fault.at', expected: 'arrival', received: 'a call that was refused before the rules were applied' },
  ]);
});

it('a trial changes nothing', async () => {
  const session = newSession();
  await pay(session);
  const before = await session.call('GET', '/state');
  await tryScenario(session, { scenario: 'declined' });
  expect(await session.call('GET', '/state')).toEqual(before);
  expect((await session.list('event-log')).items).toHaveLength(1);
});

it('a trial reports mistakes in its input', async () => {
  const session = newSession();
  await expect(tryScenario(sandbox.session('default'))).rejects.toThrow('there is no call in the request log');
  await pay(session);
  await expect(tryScenario(session, { requestId: 'request-9' })).rejects.toThrow(
    'there is no "request-9" in the request log',
  );
  await expect(tryScenario(session, { scenario: 'declned' })).rejects.toThrow('did you mean declined?');
  const scenarioAndDefinition = { scenario: 'declined', definition: definition() };
  await expect(tryScenario(session, scenarioAndDefinition)).rejects.toThrow('not both');
  const broken = { definition: definition({ when: { channel: 'no-such-channel' } }) };
  await expect(tryScenario(session, broken)).rejects.toThrow('$.definition.rules[0].when.channel');
  const definitionWithId = { definition: { ...definition(), id: 'SBX-S02' } };
  await expect(tryScenario(session, definitionWithId)).rejects.toThrow('$.definition.id');
  await post('/sandbox/nowhere', {}, session.baseUrl);
  await expect(tryScenario(session)).rejects.toThrow('request-2 matched no operation');
});

it('a trial describes mistakes in settlement files, and the announcement and delay of reports', async () => {
  const session = newSession();
  await pay(session);
  const when = { operation: 'closeSettlement' };
  const { rules } = await tryScenario(session, {
    definition: definition(
      { when, reports: { announced: true, late: 'PT6H' }, mismatches: { kinds: ['new-layout'], totals: 'stay' } },
      { when, reports: { announced: false } },
    ),
  });
  expect(rules.map(({ words }) => words)).toEqual([
    'closeSettlement: settlement files with mistakes: new-layout; settlement reports announced, 6 h late',
    'closeSettlement: settlement reports not announced',
  ]);
});

it('a trial names the range of amounts that excludes a call', async () => {
  const session = newSession();
  await pay(session, { amount: '9.99' });
  const rules = [{ when: { amount: { minimum: 10, maximum: 20.5 } } }, { when: { amount: { maximum: 9.99 } } }];
  const answer = await tryScenario(session, { definition: definition(...rules) });
  expect(answer).toMatchObject({
    rule: 2,
    rules: [
      {
        words: 'any call of an amount from 10 up to 20.5: as the channel does',
        unmet: [{ path: '$.when.amount', expected: 'from 10 up to 20.5', received: '9.99' }],
      },
      { words: 'any call of an amount up to 9.99: as the channel does', unmet: [] },
    ],
  });
});
