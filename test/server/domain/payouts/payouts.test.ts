import fc from 'fast-check';
import { Refusal } from '../../../../src/base/refusal.ts';
import type { Payout } from '../../../../src/base/schema/generated/records.ts';
import type { CreditPlan } from '../../../../src/server/domain/payouts/credit-plan.ts';
import { type CreditOutcome, creditTotals } from '../../../../src/server/domain/payouts/credits.ts';
import { initiatePayout } from '../../../../src/server/domain/payouts/initiate-payout.ts';
import { decideCredit, decidePayout, decidePayoutJob } from '../../../../src/server/domain/payouts/payout.ts';
import type { LocalJob } from '../../../../src/server/sessions/job.ts';
import type { Transaction } from '../../../../src/server/sessions/transaction.ts';
import { cases } from '../../../cases.ts';
import { requireDefined, Workbench } from '../workbench.ts';

type Action =
  | { kind: 'credit'; number: number; outcome: CreditOutcome }
  | { kind: 'all'; outcome: 'Paid' | 'Failed' }
  | { kind: 'due' };

interface PlannedCredit {
  amount: number;
  plan: CreditPlan | undefined;
}

const after = fc.constantFrom('PT0S', 'PT1S', 'PT2S', 'P1D');
const code = fc.constantFrom('AC04', 'MD07', 'OWN');
const plans: fc.Arbitrary<CreditPlan> = fc.oneof(
  fc.record({ outcome: fc.constant('Failed' as const), after, code }),
  fc.record({ outcome: fc.constant('Paid' as const), after }),
  fc.record({ outcome: fc.constant('Paid' as const), after, returned: fc.record({ after, code }) }),
);
const credits: fc.Arbitrary<PlannedCredit[]> = fc.array(
  fc.record({ amount: fc.integer({ min: 1, max: 5000 }), plan: fc.option(plans, { nil: undefined }) }),
  { minLength: 1, maxLength: 6 },
);
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('credit' as const),
      number: fc.integer({ min: 1, max: 7 }),
      outcome: fc.constantFrom<CreditOutcome[]>('Paid', 'Failed', 'Returned'),
    }),
    fc.record({ kind: fc.constant('all' as const), outcome: fc.constantFrom<('Paid' | 'Failed')[]>('Paid', 'Failed') }),
    fc.record({ kind: fc.constant('due' as const) }),
  ),
  { maxLength: 15 },
);

function payOut(bench: Workbench, planned: readonly PlannedCredit[]): Promise<Payout> {
  const account = { bankName: 'First Sandbox Bank', bankBICCode: 'FSBKZZ22', accountName: 'One' };
  return bench.transact((transaction) =>
    initiatePayout(transaction, {
      environment: 'sandbox',
      merchant: bench.merchant(),
      outcomePlan: {},
      creditPlans: planned.map(({ plan }) => plan),
      total: planned.reduce((sum, { amount }) => sum + amount, 0),
      currency: 'USD',
      description: '',
      debit: { ...account, accountNumber: '1000000001' },
      payerName: '',
      payerReference: 'PAYOUT-1',
      payerBankReference: '',
      credits: planned.map(({ amount }) => ({ ...account, merchantId: null, accountNumber: '2000000001', amount })),
    }),
  );
}

const storedPayout = (bench: Workbench, id: string): Promise<Payout> =>
  bench.transact(async (transaction) => requireDefined(await transaction.get('payouts', id)));

async function runDue(transaction: Transaction, payout: Payout): Promise<void> {
  await (decidePayoutJob as unknown as LocalJob<'payouts'>).run(transaction, payout);
}

async function act(bench: Workbench, payout: Payout, action: Action): Promise<void> {
  if (action.kind === 'due') {
    bench.now = Math.max(bench.now, payout.dueAt ?? 0);
    await bench.transact((transaction) => runDue(transaction, payout));
    return;
  }
  await bench.transact((transaction) =>
    action.kind === 'all'
      ? decidePayout(transaction, payout, { outcome: action.outcome })
      : decideCredit(transaction, payout, { number: action.number, outcome: action.outcome }),
  );
}

/** The expected state of a payout, computed differently from the code under test. */
function expectedState({ credits: all }: Payout): string {
  const paidCount = all.filter(({ state }) => state === 'Paid').length;
  const openCount = all.filter(({ state }) => state === 'Processing').length;
  return openCount > 0 ? 'Processing' : paidCount === all.length ? 'Paid' : paidCount === 0 ? 'Failed' : 'PartlyPaid';
}

function expectConsistent(payout: Payout): void {
  expect(payout.state).toBe(expectedState(payout));
  expect(payout.history.at(-1)?.to).toBe(payout.state);
  expectChain(payout.history, null);
  for (const credit of payout.credits) {
    expectChain(credit.history, 'Processing');
    expect(credit.history.at(-1)?.to ?? 'Processing').toBe(credit.state);
    expect(credit.state === 'Failed' || credit.state === 'Returned' ? credit.plannedOutcomes : []).toEqual([]);
  }
  const sums = Object.values(creditTotals(payout.credits));
  expect(sums.reduce((sum, { amount }) => sum + amount, 0)).toBe(payout.total);
  expect(sums.reduce((sum, each) => sum + each.credits, 0)).toBe(payout.credits.length);
  const times = payout.credits.flatMap(({ plannedOutcomes }) => plannedOutcomes.map(({ at }) => at));
  expect(payout.dueAt).toBe(times.length === 0 ? null : Math.min(...times));
  // Each step that moves money has a unique number, and no other step has one.
  const steps = payout.credits.flatMap(({ history }) => history);
  const moves = [...steps, ...payout.history].flatMap(({ move }) => move ?? []).sort((one, other) => one - other);
  expect(moves).toEqual(Array.from({ length: steps.length + 1 }, (_, index) => index + 1));
}

/** Every step must start in the state in which the previous one ended, and change it. */
function expectChain(history: readonly { from: string | null; to: string }[], start: string | null): void {
  expect(history.map(({ from }) => from)).toEqual([start, ...history.map(({ to }) => to)].slice(0, history.length));
  expect(history.filter(({ from, to }) => from === to)).toEqual([]);
}

it('a payout has the state and sums of its credits, and a history without gaps, after any actions', async () => {
  await fc.assert(
    fc.asyncProperty(credits, actions, async (planned, allActions) => {
      const bench = await Workbench.open();
      const { id } = await payOut(bench, planned);
      for (const action of allActions) {
        const before = await storedPayout(bench, id);
        const problem = await act(bench, before, action).catch((error: unknown) => error);
        const now = await storedPayout(bench, id);
        if (problem !== undefined) {
          expect(problem).toBeInstanceOf(Refusal);
          expect(now).toEqual(before);
        }
        expectConsistent(now);
      }
    }),
    { numRuns: cases(75) },
  );
});

it('the credits of a payout reach their planned outcomes in order of time, and at the same time in order of number', async () => {
  await fc.assert(
    fc.asyncProperty(credits, async (planned) => {
      const bench = await Workbench.open();
      const payout = await payOut(bench, planned);
      for (let now = payout; now.dueAt !== null; now = await storedPayout(bench, payout.id)) {
        await act(bench, now, { kind: 'due' });
      }
      const end = await storedPayout(bench, payout.id);
      expectConsistent(end);
      expect(end.credits.map(({ history }) => history.map(({ to, at }) => [to, at]))).toEqual(
        payout.credits.map(({ plannedOutcomes }) => plannedOutcomes.map(({ outcome, at }) => [outcome, at])),
      );
      // A credit that is returned in the instant in which it was paid follows all others that are due in that instant.
      const steps = end.credits.flatMap(({ history }, index) =>
        history.map(({ at, move = 0 }, place) => ({ at, move, turn: history[place - 1]?.at === at ? 1 : 0, index })),
      );
      const inOrder = steps.toSorted(
        (one, other) => one.at - other.at || one.turn - other.turn || one.index - other.index,
      );
      expect(steps.toSorted((one, other) => one.move - other.move)).toEqual(inOrder);
    }),
    { numRuns: cases(60) },
  );
});

it('a payout emits an event for each change of a credit, and then one if its own state changes', async () => {
  const bench = await Workbench.open();
  const failed: CreditPlan = { outcome: 'Failed', after: 'PT1S', code: 'AC04' };
  const returned: CreditPlan = { outcome: 'Paid', after: 'PT1S', returned: { after: 'P2D', code: 'MD07' } };
  const { id } = await payOut(bench, [
    { amount: 6050, plan: returned },
    { amount: 4000, plan: failed },
  ]);
  await act(bench, await storedPayout(bench, id), { kind: 'due' });
  await act(bench, await storedPayout(bench, id), { kind: 'due' });
  expect(bench.events.map(({ type, data }) => [type, data['number'], data['amount'], data['code']])).toEqual([
    ['payout.created', undefined, '100.50', undefined],
    ['payout.credit-paid', 1, '60.50', null],
    ['payout.credit-failed', 2, '40.00', 'AC04'],
    ['payout.partly-paid', undefined, '100.50', null],
    ['payout.credit-returned', 1, '60.50', 'MD07'],
    ['payout.failed', undefined, '100.50', null],
  ]);
  expect(bench.events[0]?.data['plannedOutcome']).toEqual({ outcome: 'Failed', at: '2026-03-03T10:00:01.000Z' });
  expect(bench.events[2]?.data).toMatchObject({
    of: 2,
    reference: 'PAYOUT-1',
    currency: 'USD',
    accountNumber: '2000000001',
    bankBICCode: 'FSBKZZ22',
    description: 'Closed account number',
  });
});

it('the planned return of a credit stays planned if the credit is paid by hand', async () => {
  const bench = await Workbench.open();
  const { id } = await payOut(bench, [
    { amount: 100, plan: { outcome: 'Paid', after: 'PT1H', returned: { after: 'P2D' } } },
  ]);
  await act(bench, await storedPayout(bench, id), { kind: 'credit', number: 1, outcome: 'Paid' });
  const { credits: all, dueAt } = await storedPayout(bench, id);
  expect(all[0]?.plannedOutcomes).toEqual([{ outcome: 'Returned', at: dueAt, code: null, description: null }]);
});
