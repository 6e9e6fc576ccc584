import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobView } from '../../src/base/schema/generated/control.ts';
import type { ScenarioFixture } from '../../src/base/schema/generated/fixtures.ts';
import { validate } from '../../src/base/schema/validation.ts';
import type { SandboxClient } from '../../src/client/client.ts';
import type { ShownPayout } from '../../src/client/shown.ts';
import { loadFixtures } from '../../src/server/config/fixtures.ts';
import type { Sandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { post } from './calls.ts';
import { exampleOf } from './examples.ts';
import { startSandbox } from './sandboxes.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const PAYOUT = '/sandbox/init/authenticate/merchant/bulkPayment';
/** An address without a server, because the tests only read the planned deliveries. */
const NOWHERE = 'http://127.0.0.1:1/';

type Rule = ScenarioFixture['rules'][number];
type When = NonNullable<NonNullable<Rule['credits']>[number]['when']>;

const newFolder = temporaryFolders();
let sandbox: Sandbox;
let sessions = 0;

beforeAll(async () => {
  sandbox = await startSandbox({ now: NOW, checkAnswers: true });
});
afterAll(() => sandbox.close());

function newSession(): SandboxClient {
  sessions += 1;
  return sandbox.session(`payouts-${sessions}`);
}

/** An entry of dynamicCreditList. */
const credit = (members: object = {}) => ({
  creditBankName: 'First Sandbox Bank',
  creditBankBICCode: 'FSBKZZ22',
  creditAccountNumber: '2000000001',
  creditAccountName: 'Receiver',
  creditAmount: 10,
  ...members,
});

async function payOut(session: SandboxClient, list: readonly ReturnType<typeof credit>[]): Promise<void> {
  const debitTotalAmount = list.reduce((sum, { creditAmount }) => sum + creditAmount * 100, 0) / 100;
  const body = exampleOf('requests/bulk-payout', { dynamicCreditList: list, debitTotalAmount });
  expect(await post(PAYOUT, body, session.baseUrl)).toMatchObject({ status: 200, body: { status: 'Success' } });
}

async function follow(session: SandboxClient, ...rules: Rule[]): Promise<void> {
  await session.defineScenario({ name: 'mine', description: '', rules });
  await session.useScenario('mine');
}

/** State and code of each credit, as in "Failed AC04". */
const creditOutcomes = ({ credits }: ShownPayout) =>
  credits.map(({ state, history }) => [state, history.at(-1)?.code].filter((word) => word != null).join(' '));

async function creditOutcomesAfter(session: SandboxClient, by = 'PT1S'): Promise<string[]> {
  await session.advance(by);
  return creditOutcomes(await session.payout('PAYOUT-1'));
}

describe("the cause of a credit's outcome", () => {
  it.each<[string, Rule[], object, string, string]>([
    ['the default in the fixtures', [], {}, 'fixtures', 'payoutDuration in times.json'],
    ['a test account', [], { creditAccountNumber: '9000000001' }, 'fixtures', 'accounts in payouts.json'],
    [
      'a test account that returns credits',
      [],
      { creditAccountNumber: '9100000001' },
      'fixtures',
      'accounts in payouts.json',
    ],
    ['a check', [], { creditBankBICCode: 'nonsense' }, 'fixtures', 'checks in payouts.json'],
    [
      'the second rule',
      [{ when: { channel: 'qr-wallet' } }, { settle: { outcome: 'Paid', after: 'PT1S' } }],
      {},
      'scenario',
      'rule 2 of mine',
    ],
    ['an entry for the credit', [{ credits: [{ outcome: 'Failed', code: 'AC06' }] }], {}, 'scenario', 'rule 1 of mine'],
    [
      'a test account, rather than a rule for all credits',
      [{ settle: { outcome: 'Paid', after: 'PT1S' } }],
      { creditAccountNumber: '9000000001' },
      'fixtures',
      'accounts in payouts.json',
    ],
    ['insufficient funds, if a rule enforces them', [{ payoutFunds: 'enforced' }], {}, 'scenario', 'rule 1 of mine'],
  ])('is %s', async (_title, rules, members, cause, decidedBy) => {
    const session = newSession();
    await follow(session, ...rules);
    await payOut(session, [credit(members)]);
    await session.advance('P7D');
    const { credits, history } = await session.payout('PAYOUT-1');
    const steps = [...credits.flatMap((each) => each.history), ...history.slice(1)];
    expect(steps).toEqual(steps.map(() => expect.objectContaining({ cause, decidedBy })));
    expect(steps.length).toBeGreaterThan(1);
  });

  it('is the control call, and nothing else, if it was decided by hand', async () => {
    const session = newSession();
    await payOut(session, [credit()]);
    await session.settlePayout('PAYOUT-1', 'Failed');
    const { credits, history } = await session.payout('PAYOUT-1');
    const steps = [...credits.flatMap((each) => each.history), ...history.slice(1)];
    expect(steps.map((step) => [Reflect.get(step, 'cause'), Reflect.get(step, 'decidedBy')])).toEqual([
      ['control', undefined],
      ['control', undefined],
    ]);
  });
});

describe('a scenario with rules for credits', () => {
  it.each<[string, When, object]>([
    ['number', { number: 2 }, {}],
    ['one of several numbers', { number: [2, 7] }, {}],
    ['merchant', { merchantId: 'M-1001' }, { creditMerchantId: 'M-1001' }],
    ['bank', { bankBICCode: ['SSBKZZ22', 'XXXXZZ22'] }, { creditBankBICCode: 'SSBKZZ22' }],
    ['account', { accountNumber: '2000000002' }, { creditAccountNumber: '2000000002' }],
    ['minimum amount', { amount: { minimum: 10.01 } }, { creditAmount: 10.01 }],
    ['maximum amount', { amount: { maximum: 9.99 } }, { creditAmount: 9.99 }],
    [
      'a JSON Schema',
      { body: { properties: { creditAccountName: { pattern: '^Two' } }, required: ['creditAccountName'] } },
      { creditAccountName: 'Two of them' },
    ],
  ])('chooses credits by %s, and pays the others', async (_title, when, members) => {
    const session = newSession();
    await follow(session, { credits: [{ when, outcome: 'Failed', code: 'AC06' }] });
    await payOut(session, [credit(), credit(members), credit()]);
    expect(await creditOutcomesAfter(session)).toEqual(['Paid', 'Failed AC06', 'Paid']);
  });

  it('uses the first matching entry, each with its own time and words', async () => {
    const session = newSession();
    await follow(session, {
      settle: { outcome: 'Paid', after: 'PT1M' },
      credits: [
        { when: { number: 1 }, outcome: 'Failed', after: 'PT5S', code: 'OURS', description: 'By hand' },
        { when: { number: [1, 2] }, outcome: 'Failed', code: 'AB08' },
        { when: { number: 3 }, outcome: 'Paid', after: 'PT2S', returned: { after: 'P3D', code: 'MD07' } },
        { when: { number: 4 }, outcome: 'Paid', returned: {} },
      ],
    });
    await payOut(session, Array(5).fill(credit()));
    const decidedBy = 'rule 1 of mine';
    expect((await session.payout('PAYOUT-1')).credits.map(({ plannedOutcomes }) => plannedOutcomes)).toEqual([
      [{ outcome: 'Failed', at: '2026-03-01T10:00:05.000Z', code: 'OURS', description: 'By hand', decidedBy }],
      [
        {
          outcome: 'Failed',
          at: '2026-03-01T10:01:00.000Z',
          code: 'AB08',
          description: 'Creditor bank offline',
          decidedBy,
        },
      ],
      [
        { outcome: 'Paid', at: '2026-03-01T10:00:02.000Z', code: null, description: null, decidedBy },
        {
          outcome: 'Returned',
          at: '2026-03-04T10:00:02.000Z',
          code: 'MD07',
          description: 'Account holder deceased',
          decidedBy,
        },
      ],
      [
        { outcome: 'Paid', at: '2026-03-01T10:01:00.000Z', code: null, description: null, decidedBy },
        { outcome: 'Returned', at: '2026-03-03T10:01:00.000Z', code: null, description: null, decidedBy },
      ],
      [{ outcome: 'Paid', at: '2026-03-01T10:01:00.000Z', code: null, description: null, decidedBy }],
    ]);
    await session.runUntilIdle();
    const { state, totals, history } = await session.payout('PAYOUT-1');
    expect([state, totals]).toEqual([
      'PartlyPaid',
      {
        Processing: { credits: 0, amount: '0.00' },
        Paid: { credits: 1, amount: '10.00' },
        Failed: { credits: 2, amount: '20.00' },
        Returned: { credits: 2, amount: '20.00' },
      },
    ]);
    expect(history.map(({ at, to, description }) => [at, to, description])).toEqual([
      ['2026-03-01T10:00:00.000Z', 'Processing', null],
      ['2026-03-01T10:01:00.000Z', 'PartlyPaid', '3 of 5 credits paid, 30.00 of 50.00 USD'],
    ]);
  });

  it.each(['Failed', 'Cancelled', 'Expired'] as const)(
    'applies settle to all other credits: %s makes them fail, with its words',
    async (outcome) => {
      const session = newSession();
      await follow(session, {
        settle: { outcome, after: 'PT1S', code: '51', description: 'Insufficient funds' },
        credits: [{ when: { number: 2 }, outcome: 'Paid' }],
      });
      await payOut(session, [credit(), credit(), credit()]);
      expect(await creditOutcomesAfter(session)).toEqual(['Failed 51', 'Paid', 'Failed 51']);
    },
  );

  it.each<[string, Rule, string]>([
    [
      'for an operation without payouts',
      { when: { operation: 'initiatePayment' }, credits: [] },
      '$.rules[0].when.operation',
    ],
    [
      'with an invalid schema',
      { credits: [{ when: { body: { type: 'text' } }, outcome: 'Paid' }] },
      '$.rules[0].credits[0].when.body.type',
    ],
    ['that fails and is returned', { credits: [{ outcome: 'Failed', returned: {} }] }, '$.rules[0].credits[0].outcome'],
  ])('is refused with an entry %s', async (_title, rule, place) => {
    await expect(follow(newSession(), rule)).rejects.toMatchObject({ message: expect.stringContaining(place) });
  });

  it('is described in words when it is tried', async () => {
    const session = newSession();
    await payOut(session, [credit()]);
    const credits = [{ when: { number: 1 }, outcome: 'Paid', after: 'PT1S', returned: { code: 'AC04' } }];
    const definition = { name: 'mine', description: '', rules: [{ credits }] };
    expect(await session.call('POST', '/scenarios/try', { definition })).toMatchObject({
      rule: 1,
      rules: [{ words: 'any call: a credit that fits Paid after 1 s, then Returned, code AC04' }],
    });
  });
});

describe('the fixture of payouts', () => {
  it('has a test account for each code', async () => {
    const { payouts } = await loadFixtures();
    const accounts = Object.entries(payouts.accounts);
    const session = newSession();
    await payOut(
      session,
      accounts.map(([creditAccountNumber]) => credit({ creditAccountNumber })),
    );
    const expected = accounts.map(([, account]) => `${account?.outcome} ${account?.code}`);
    expect(await creditOutcomesAfter(session)).toEqual(
      expected.map((end) => (end.startsWith('Returned') ? 'Paid' : end)),
    );
    expect(await creditOutcomesAfter(session, 'P2D')).toEqual(expected);
    const codes = (['Failed', 'Returned'] as const).flatMap((outcome) =>
      Object.keys(payouts.codes[outcome]).map((code) => `${outcome} ${code}`),
    );
    expect([...expected].sort()).toEqual(codes.sort());
    const { credits } = await session.payout('PAYOUT-1');
    expect(credits.flatMap(({ history }) => history.filter(({ to }) => to !== 'Paid'))).not.toContainEqual(
      expect.objectContaining({ description: null }),
    );
  });

  it.each([
    ['an unknown bank', { creditBankBICCode: 'FARBZZ22' }, 'RC04'],
    ['an invalid BIC', { creditBankBICCode: 'first' }, 'RC07'],
    ['an invalid account number', { creditAccountNumber: '?' }, 'AC03'],
  ])('makes a credit to %s fail when it is due', async (_title, members, code) => {
    const session = newSession();
    await payOut(session, [credit(), credit(members), credit({ creditAccountNumber: 'ZZ12 FSBK 2000-0000 01' })]);
    expect(await creditOutcomesAfter(session)).toEqual(['Paid', `Failed ${code}`, 'Paid']);
  });

  it('overrides a general rule of a scenario, but not a rule for the credit', async () => {
    const session = newSession();
    await follow(session, {
      settle: { outcome: 'Paid', after: 'PT3S' },
      credits: [{ when: { number: 2 }, outcome: 'Paid' }],
    });
    const closed = credit({ creditAccountNumber: '9000000002' });
    await payOut(session, [closed, closed]);
    expect(await creditOutcomesAfter(session, 'PT3S')).toEqual(['Failed AC04', 'Paid']);
  });

  it('can turn off checks, test accounts and the notifications of credits', async () => {
    const fixtures = newFolder();
    mkdirSync(fixtures, { recursive: true });
    const payouts = {
      notifyCredits: false,
      checks: { bankBICCode: null, bankKnown: null, accountNumber: null },
      accounts: { 9000000001: null, 1: { outcome: 'Failed', code: 'X1' } },
      codes: { Failed: { X1: 'Ours' } },
    };
    writeFileSync(join(fixtures, 'payouts.json'), JSON.stringify(payouts));
    const otherSandbox = await startSandbox({ now: NOW, fixtures, webhookUrl: NOWHERE });
    const session = otherSandbox.session('default');
    await payOut(session, [
      credit({ creditBankBICCode: '?', creditAccountNumber: '?' }),
      credit({ creditAccountNumber: '9000000001' }),
      credit({ creditAccountNumber: '9000000002' }),
      credit({ creditAccountNumber: '1' }),
    ]);
    const ends = await creditOutcomesAfter(session);
    const { items } = await session.deliveries();
    await otherSandbox.close();
    expect(ends).toEqual(['Paid', 'Paid', 'Failed AC04', 'Failed X1']);
    expect(items.map(({ type }) => type)).toEqual(['payout.partly-paid']);
  });
});

describe('notifications', () => {
  it('report each credit with its number and code, then the payout', async () => {
    const session = newSession();
    await session.setEndpoints([{ url: NOWHERE }]);
    await payOut(session, [
      credit({ creditAccountNumber: '9100000001', creditAmount: 60.5 }),
      credit({ creditAccountNumber: '9000000002', creditAmount: 40 }),
      credit(),
    ]);
    await session.advance('PT1S');
    await session.advance('P2D');
    const { items } = await session.deliveries();
    const notifications = items.reverse().map(({ type, body }) => ({ type, ...JSON.parse(body) }));
    expect(notifications.map((each) => [each.type, each.status, each.paymentAmount, each.description])).toEqual([
      ['payout.credit-paid', 'CreditPaid', 60.5, 'Credit 1 of 3: Transaction paid successfully'],
      ['payout.credit-failed', 'CreditFailed', 40, 'Credit 2 of 3: AC04 Closed account number'],
      ['payout.credit-paid', 'CreditPaid', 10, 'Credit 3 of 3: Transaction paid successfully'],
      ['payout.partly-paid', 'PartlyPaid', 110.5, '2 of 3 credits paid, 70.50 of 110.50 USD'],
      ['payout.credit-returned', 'CreditReturned', 60.5, 'Credit 1 of 3: AC04 Closed account number'],
    ]);
    expect(notifications.at(-1)).toMatchObject({
      paymentCharges: 0,
      paymentReference: 'PAYOUT-1',
      paymentMethod: 'First Sandbox Bank',
      paymentDate: '2026-03-03T10:00:01.000+00:00',
    });
    const answers = await Promise.all(items.map(({ body }) => validate('responses/notification', JSON.parse(body))));
    expect(answers.flat()).toEqual([]);
  });

  it('are sent to endpoints that subscribe to their types, and only the payout has a burst', async () => {
    const session = newSession();
    await session.setEndpoints([{ url: NOWHERE, types: ['payout.credit-paid', 'payout.paid'] }]);
    await follow(session, { webhook: { mode: 'burst', count: 3 } });
    await payOut(session, [credit(), credit()]);
    await session.advance('PT1S');
    const { items } = await session.deliveries();
    const credits = Array(2).fill('payout.credit-paid');
    expect(items.map(({ type }) => type)).toEqual([...Array(3).fill('payout.paid'), ...credits]);
  });
});

describe('a decision by hand', () => {
  it('decides a credit only once, even if several calls arrive at the same time', async () => {
    const session = newSession();
    await payOut(session, [credit(), credit()]);
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => session.settleCredit('PAYOUT-1', 2, index % 2 ? 'Paid' : 'Failed')),
    );
    const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason.problem.status] : []));
    expect(refused).toEqual(Array(7).fill(409));
    const { state, credits } = await session.payout('payout-1');
    expect([state, credits[1]?.history.length]).toEqual(['Processing', 1]);
  });

  it('decides all pending credits, and cancels their planned outcomes', async () => {
    const session = newSession();
    await payOut(session, [credit(), credit(), credit()]);
    await session.settleCredit('PAYOUT-1', 1, 'Paid');
    expect(await session.settlePayout('PAYOUT-1', 'Failed', 'AM04')).toMatchObject({ state: 'PartlyPaid' });
    expect(await creditOutcomesAfter(session, 'P1D')).toEqual(['Paid', 'Failed AM04', 'Failed AM04']);
    expect(await session.settleCredit('PAYOUT-1', 1, 'Returned', 'FOCR')).toMatchObject({ state: 'Failed' });
  });

  it('is refused for a transition that is not in the table, and for an unknown record', async () => {
    const session = newSession();
    await payOut(session, [credit()]);
    const refusal = (work: Promise<unknown>) => work.then(() => undefined).catch(({ problem }) => problem);
    expect(await refusal(session.settleCredit('PAYOUT-1', 1, 'Returned'))).toMatchObject({
      status: 409,
      detail: 'credit 1 of payout-1 is Processing and cannot become Returned',
    });
    expect(await refusal(session.settleCredit('PAYOUT-1', 2, 'Paid'))).toMatchObject({
      status: 404,
      detail: 'payout-1 has no credit 2: they are numbered from 1 to 1',
    });
    expect(
      await refusal(session.call('POST', '/payouts/payout-1/credits/1e0/settle', { outcome: 'Paid' })),
    ).toMatchObject({ status: 404 });
    expect(await refusal(session.call('POST', '/payouts/payout-1/settle', { outcome: 'Cancelled' }))).toMatchObject({
      status: 400,
    });
    await session.settlePayout('PAYOUT-1', 'Paid');
    expect(await refusal(session.settleCredit('PAYOUT-1', 1, 'Failed'))).toMatchObject({
      status: 409,
      detail: 'credit 1 of payout-1 is Paid and cannot become Failed',
    });
    expect(await refusal(session.settlePayout('PAYOUT-1', 'Paid'))).toMatchObject({
      status: 409,
      detail: 'payout-1 is Paid: none of its credits is Processing any more',
    });
  });
});

describe('the planned outcome of a credit', () => {
  const mixedCredits = [
    credit({ creditAccountNumber: '9100000001' }),
    credit({ creditAccountNumber: '9000000002' }),
    credit(),
  ];

  it('is in the list of jobs', async () => {
    const session = newSession();
    await payOut(session, mixedCredits);
    const due = async () =>
      (await session.list<JobView>('jobs')).items
        .filter(({ collection }) => collection === 'payouts')
        .map(({ kind, what }) => [kind, what]);
    expect(await due()).toEqual([['settle-payout', '2 credits Paid, credit 2 Failed']]);
    await session.advance('PT1S');
    expect(await due()).toEqual([['settle-payout', 'credit 1 Returned']]);
  });

  it('continues after a restart, and after the state is restored in another session', async () => {
    const data = join(newFolder(), 'state.json');
    const first = await startSandbox({ now: NOW, data });
    await payOut(first.session('default'), mixedCredits);
    await first.session('default').advance('PT1S');
    await first.close();
    const second = await startSandbox({ data });
    const state = await second.session('default').state();
    const afterRestart = await creditOutcomesAfter(second.session('default'), 'P2D');
    const elsewhere = second.session('elsewhere');
    await elsewhere.restore(state);
    const afterRestore = await creditOutcomesAfter(elsewhere, 'P2D');
    await second.close();
    expect(afterRestart).toEqual(['Returned AC04', 'Failed AC04', 'Paid']);
    expect(afterRestore).toEqual(afterRestart);
  });
});
