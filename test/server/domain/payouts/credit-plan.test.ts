import type { Fixtures } from '../../../../src/server/config/fixtures.ts';
import { type CreditAccount, planCredit } from '../../../../src/server/domain/payouts/credit-plan.ts';
import type { PlannedOutcome } from '../../../../src/server/domain/payouts/credits.ts';
import { Workbench } from '../workbench.ts';

type Checks = Fixtures['payouts']['checks'];
type Plans = Parameters<typeof planCredit>[2];

const SECOND = 1000;
const TWO_DAYS = 2 * 86_400 * SECOND;
const VALID = { bankBICCode: 'FSBKZZ22', accountNumber: '2000000001' };
const INVALID = { bankBICCode: 'nonsense', accountNumber: '1' };
const NO_PLAN: Plans = { ownPlan: undefined, settle: undefined };
const BY_DEFAULT = 'payoutDuration in times.json';
const BY_ACCOUNT = 'accounts in payouts.json';
const BY_CHECK = 'checks in payouts.json';

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open();
});

/** The planned outcomes of a credit to an account, with times in milliseconds from now. */
async function plan(account: CreditAccount, plans: Plans, checks: Partial<Checks> = {}): Promise<PlannedOutcome[]> {
  const { fixtures } = bench;
  const payouts = { ...fixtures.payouts, checks: { ...fixtures.payouts.checks, ...checks } };
  bench.fixtures = { ...fixtures, payouts };
  try {
    const planned = await bench.transact((transaction) => planCredit(transaction, account, plans));
    return planned.map((each) => ({ ...each, at: each.at - bench.now }));
  } finally {
    bench.fixtures = fixtures;
  }
}

const paid = (at: number, decidedBy: string) => ({ outcome: 'Paid', at, code: null, description: null, decidedBy });

describe('the planned outcome of a credit', () => {
  it.each<[string, CreditAccount, Plans, object[]]>([
    ['is Paid by default', VALID, NO_PLAN, [paid(SECOND, BY_DEFAULT)]],
    [
      "is that of the scenario's general plan",
      VALID,
      { ...NO_PLAN, settle: { outcome: 'Paid', after: 'PT7S' }, decidedBy: 'rule 1 of slow' },
      [paid(7 * SECOND, 'rule 1 of slow')],
    ],
    [
      'is Failed if the general plan lets payments expire',
      VALID,
      { ...NO_PLAN, settle: { outcome: 'Expired', after: 'PT7S', code: 'AC04' }, decidedBy: 'rule 1 of slow' },
      [
        {
          outcome: 'Failed',
          at: 7 * SECOND,
          code: 'AC04',
          description: 'Closed account number',
          decidedBy: 'rule 1 of slow',
        },
      ],
    ],
    [
      'is Failed for a test account whose credits fail',
      { ...VALID, accountNumber: '9000000003' },
      NO_PLAN,
      [{ outcome: 'Failed', at: SECOND, code: 'AC06', description: 'Blocked account', decidedBy: BY_ACCOUNT }],
    ],
    [
      'is Paid and then Returned for a test account whose credits are returned',
      { ...VALID, accountNumber: '9100000008' },
      NO_PLAN,
      [
        paid(SECOND, BY_ACCOUNT),
        {
          outcome: 'Returned',
          at: SECOND + TWO_DAYS,
          code: 'MD07',
          description: 'Account holder deceased',
          decidedBy: BY_ACCOUNT,
        },
      ],
    ],
    [
      'is that of a test account, but at the time of the general plan',
      { ...VALID, accountNumber: '9000000003' },
      { ...NO_PLAN, settle: { outcome: 'Paid', after: 'PT7S' }, decidedBy: 'rule 1 of slow' },
      [{ outcome: 'Failed', at: 7 * SECOND, code: 'AC06', description: 'Blocked account', decidedBy: BY_ACCOUNT }],
    ],
    [
      "is that of the scenario's plan for the credit, even for a test account",
      { ...VALID, accountNumber: '9000000003' },
      { ...NO_PLAN, ownPlan: { outcome: 'Paid', after: 'PT9S', code: 'AC04', returned: { after: 'PT3S' } } },
      [
        // No description, because the codes in the fixture are reasons for failures and returns.
        { outcome: 'Paid', at: 9 * SECOND, code: 'AC04', description: null },
        { outcome: 'Returned', at: 12 * SECOND, code: null, description: null },
      ],
    ],
    [
      'has the code and the description of the plan',
      VALID,
      {
        ...NO_PLAN,
        ownPlan: { outcome: 'Failed', code: 'AC04', description: 'Own words' },
        decidedBy: 'rule 2 of own',
      },
      [{ outcome: 'Failed', at: SECOND, code: 'AC04', description: 'Own words', decidedBy: 'rule 2 of own' }],
    ],
    [
      'has no description for a code that is not in the fixture',
      VALID,
      { ...NO_PLAN, ownPlan: { outcome: 'Failed', code: 'toString' } },
      [{ outcome: 'Failed', at: SECOND, code: 'toString', description: null }],
    ],
  ])('%s', async (_title, account, plans, expected) => {
    // Strict, because `decidedBy` must be absent if no rule or fixture is given.
    expect(await plan(account, plans)).toStrictEqual(expected);
  });

  const OFF = { bankBICCode: null, bankKnown: null, accountNumber: null };
  const LETTERS = { ...OFF, accountNumber: { pattern: '^\\p{L}+$', code: 'AC03' } };

  it.each<[string, Partial<CreditAccount>, Partial<Checks>, string | null]>([
    ['an account that passes all checks', {}, {}, null],
    ['an account with three mistakes', INVALID, {}, 'RC07'],
    ['an unknown bank and a wrong number', { ...INVALID, bankBICCode: 'XXBKZZ22' }, {}, 'RC04'],
    ['a wrong number', { ...INVALID, bankBICCode: 'FSBKZZ22' }, {}, 'AC03'],
    ['a wrong BIC that is not checked', INVALID, { bankBICCode: null }, 'RC04'],
    ['an account of which only the number is checked', INVALID, { bankBICCode: null, bankKnown: null }, 'AC03'],
    ['an account that is not checked', INVALID, OFF, null],
    ['a number that a Unicode pattern accepts', { accountNumber: 'Äß' }, LETTERS, null],
    ['a number that a Unicode pattern refuses', { accountNumber: 'Ä1' }, LETTERS, 'AC03'],
  ])('follows the first check that fails, if any: %s', async (_title, account, checks, code) => {
    const [planned] = await plan({ ...VALID, ...account }, NO_PLAN, checks);
    const outcome = code === null ? 'Paid' : 'Failed';
    expect(planned).toMatchObject({ outcome, code, decidedBy: code === null ? BY_DEFAULT : BY_CHECK });
  });
});
