import fc from 'fast-check';
import { Refusal } from '../../../../src/base/refusal.ts';
import type { Adjustment, Payment } from '../../../../src/base/schema/generated/records.ts';
import { sumOfFees } from '../../../../src/server/domain/books/ledger/accounts.ts';
import { type AdjustmentOrder, addAdjustment } from '../../../../src/server/domain/payments/add-adjustment.ts';
import { remainderOf } from '../../../../src/server/domain/payments/adjustments.ts';
import { decidePaymentJob } from '../../../../src/server/domain/payments/decide-payment-job.ts';
import { decidePayment } from '../../../../src/server/domain/payments/payment.ts';
import type { LocalJob } from '../../../../src/server/sessions/job.ts';
import { cases } from '../../../cases.ts';
import { runDue } from '../books/books-under-test.ts';
import { refusalOf, requireDefined, Workbench } from '../workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await Workbench.open();
});

const storedPayment = (id: string) =>
  bench.transact(async (transaction) => requireDefined(await transaction.get('payments', id)));

async function makePaidPayment(members: Parameters<Workbench['pay']>[0] = {}): Promise<Payment> {
  const payment = await bench.pay(members);
  return bench.transact((transaction) => decidePayment(transaction, payment, { to: 'Paid', cause: 'payer' }));
}

const add = async ({ id }: Payment, kind: AdjustmentOrder['kind'], amount: number | null = null) => {
  const payment = await storedPayment(id);
  return bench.transact((transaction) => addAdjustment(transaction, payment, { kind, amount, cause: 'control' }));
};

const STATE_AFTER = { refund: 'Refunded', reversal: 'Reversed', chargeback: 'ChargedBack' } as const;

describe.each(['refund', 'reversal', 'chargeback'] as const)('a %s', (kind) => {
  it('of the whole remainder changes the state of the payment', async () => {
    const payment = await add(await makePaidPayment(), kind);
    expect([payment.state, remainderOf(payment).left.amount]).toEqual([STATE_AFTER[kind], 0]);
    expect(payment.history.at(-1)).toMatchObject({ from: 'Paid', to: STATE_AFTER[kind], cause: 'control' });
    expect(payment.history.at(-1)?.move).toBe(payment.adjustments?.[0]?.move);
  });

  it('is refused for an unpaid payment', async () => {
    const payment = await bench.pay();
    const refusal = await refusalOf(add(payment, kind));
    expect([refusal.kind, refusal.message]).toEqual([
      'conflict',
      `${payment.id} is Processing: only a paid payment can have a ${kind}`,
    ]);
  });

  it('is refused if nothing is left', async () => {
    const payment = await add(await makePaidPayment(), kind);
    const { message } = await refusalOf(add(payment, kind));
    expect(message).toBe(`nothing of ${payment.id} is left`);
  });
});

it('a partial refund leaves a payment Paid and adds a step to its history', async () => {
  const payment = await add(await makePaidPayment(), 'refund', 300);
  expect([payment.state, remainderOf(payment).left.amount]).toEqual(['Paid', 700]);
  expect(payment.history.map(({ from, to, move }) => [from, to, move])).toEqual([
    [null, 'Processing', undefined],
    ['Processing', 'Paid', 1],
    ['Paid', 'Paid', 2],
  ]);
  expect((await refusalOf(add(payment, 'refund', 701))).message).toBe(
    `only 7.00 USD of ${payment.id} is left, not 7.01`,
  );
  expect((await add(payment, 'chargeback', 700)).state).toBe('ChargedBack');
});

it('a reversal returns the fees, a chargeback costs a fee, and a refund does neither', async () => {
  const [reversed, chargedBack, refunded] = [await makePaidPayment(), await makePaidPayment(), await makePaidPayment()];
  expect((await add(reversed, 'reversal')).adjustments?.[0]?.fee).toBe(sumOfFees(reversed.fees));
  expect((await add(chargedBack, 'chargeback', 100)).adjustments?.[0]?.fee).toBe(1500);
  expect((await add(refunded, 'refund')).adjustments?.[0]?.fee).toBe(0);
});

it('a chargeback costs the fee for its currency, or nothing without such a fee', async () => {
  const { chargeback, ...others } = bench.fixtures.adjustments;
  const feeWith = async (fees: Record<string, number>) => {
    bench.fixtures = { ...bench.fixtures, adjustments: { ...others, chargeback: { ...chargeback, fees } } };
    return (await add(await makePaidPayment(), 'chargeback')).adjustments?.[0]?.fee;
  };
  expect(await feeWith({ ZZZ: 9, USD: 7.01 })).toBe(701);
  expect(await feeWith({ ZZZ: 9 })).toBe(0);
});

it('a reversal must be of the whole remainder if the fixture allows no partial ones', async () => {
  const payment = await add(await makePaidPayment(), 'refund', 300);
  const { message } = await refusalOf(add(payment, 'reversal', 300));
  expect(message).toContain('must be of all of the 7.00 USD that is left');
  expect((await add(payment, 'reversal', 700)).state).toBe('Reversed');
});

it('a reversed chargeback makes a payment Paid again, and never exceeds the chargeback', async () => {
  const payment = await add(await makePaidPayment(), 'chargeback');
  expect((await add(payment, 'chargeback-reversed', 400)).state).toBe('Paid');
  expect((await refusalOf(add(payment, 'chargeback-reversed', 601))).message).toContain('only 6.00 USD');
  const reversed = await add(payment, 'chargeback-reversed');
  expect(remainderOf(reversed)).toEqual({
    left: { amount: 1000, feeTotal: sumOfFees(payment.fees) },
    chargedBack: { amount: 0, feeTotal: 0 },
  });
  expect((await refusalOf(add(payment, 'chargeback-reversed'))).message).toBe(
    `nothing of ${payment.id} was charged back`,
  );
});

it.each<[string, AdjustmentOrder['kind'], number]>([
  ['nothing was charged back', 'chargeback-reversed', 1],
  ['the amount exceeds what is left', 'refund', 1001],
  ['the kind allows no partial amount', 'reversal', 999],
])('an adjustment is a conflict if %s', async (_title, kind, amount) => {
  const refusal = await refusalOf(add(await makePaidPayment(), kind, amount));
  expect(refusal.kind).toBe('conflict');
});

it('an adjustment emits an event about its payment', async () => {
  const { id } = await add(await makePaidPayment(), 'refund', 300);
  expect(bench.events.at(-1)).toMatchObject({
    type: 'payment.refunded',
    collection: 'payments',
    subjectId: id,
    data: { cause: 'control', amount: '3.00', left: '7.00', fee: '0.00', code: null },
  });
});

it.each([
  ['belongs to the settlement of the day on which it is made', 1, 2],
  ['in test mode belongs to no settlement', 2, 0],
])('an adjustment %s', async (_title, profileId, settlements) => {
  const payment = await makePaidPayment({ profileId });
  bench.now += 7 * 86_400_000;
  const { adjustments } = await add(payment, 'refund', 300);
  const all = await bench.transact((transaction) => transaction.find('settlements', 'merchantId', 'M-1000'));
  expect(all).toHaveLength(settlements);
  const move = adjustments?.[0]?.move;
  expect(all[0]?.throughMove).toBe(move === undefined ? undefined : move - 1);
});

it('an adjustment of a test payment moves no money', async () => {
  const payment = await add(await makePaidPayment({ profileId: 2 }), 'refund');
  expect([payment.testMode, payment.adjustments?.[0]?.move, payment.history.at(-1)?.move]).toEqual([
    true,
    undefined,
    undefined,
  ]);
});

it('a payment never returns more than was paid, and its state depends on the remainder', async () => {
  const kinds = ['refund', 'reversal', 'chargeback', 'chargeback-reversed', 'late-failure'] as const;
  const step = fc.record({ kind: fc.constantFrom(...kinds), amount: fc.option(fc.integer({ min: 1, max: 1200 })) });
  const rules = bench.fixtures.adjustments;
  bench.fixtures = { ...bench.fixtures, adjustments: { ...rules, reversal: { ...rules.reversal, inPart: true } } };
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2000 }), fc.array(step, { maxLength: 12 }), async (amount, steps) => {
      let payment = await makePaidPayment({ amount });
      for (const { kind, amount: requestedAmount } of steps) {
        payment = await add(payment, kind, requestedAmount).catch((error: unknown) => {
          expect(error).toBeInstanceOf(Refusal);
          return payment;
        });
        expectConsistent(payment);
      }
    }),
    { numRuns: cases(60) },
  );
});

/** Invariants of a payment, computed differently from the code under test. */
function expectConsistent(payment: Payment): void {
  const { amount, fees, adjustments = [], history, state } = payment;
  const sum = (...kinds: Adjustment['kind'][]) =>
    adjustments.filter(({ kind }) => kinds.includes(kind)).reduce((added, each) => added + each.amount, 0);
  const chargedBack = sum('chargeback') - sum('chargeback-reversed');
  const remaining = amount - sum('refund', 'reversal', 'late-failure') - chargedBack;
  const remainder = remainderOf(payment);
  expect([remainder.left.amount, remainder.chargedBack.amount]).toEqual([remaining, chargedBack]);
  expect(
    Math.min(remaining, chargedBack, remainder.left.feeTotal, remainder.chargedBack.feeTotal),
  ).toBeGreaterThanOrEqual(0);
  expect(remaining).toBeLessThanOrEqual(amount);
  const last = adjustments.at(-1)?.kind;
  const finalState = last === 'late-failure' ? 'Failed' : STATE_AFTER[last as 'refund'];
  expect(state).toBe(remaining > 0 || last === undefined ? 'Paid' : finalState);
  const givenBack = adjustments
    .filter(({ kind }) => kind === 'reversal' || kind === 'late-failure')
    .reduce((added, { fee }) => added + fee, 0);
  expect(givenBack).toBeLessThanOrEqual(sumOfFees(fees));
  const moves = history.flatMap(({ move }) => move ?? []);
  expect(moves).toEqual(moves.toSorted((one, other) => one - other));
  expect(history.slice(2).map(({ move }) => move)).toEqual(adjustments.map(({ move }) => move));
}

describe('an adjustment that a scenario plans', () => {
  const chargeback = { kind: 'chargeback', after: 'P3D' } as const;

  it('gets its due time when the payment is paid, and happens at that time', async () => {
    const payment = await bench.pay({ outcomePlan: { adjustments: [chargeback] } });
    expect(payment.plannedAdjustments).toMatchObject([{ kind: 'chargeback', after: 'P3D', at: null }]);
    expect(payment.dueAt).toBe(payment.expiresAt);
    bench.now += 60_000;
    const decided = await bench.transact((transaction) =>
      decidePayment(transaction, payment, { to: 'Paid', cause: 'payer' }),
    );
    expect(decided.dueAt).toBe(bench.now + 3 * 86_400_000);
    const charged = await runDue(bench, decided);
    expect(charged).toMatchObject({
      state: 'ChargedBack',
      dueAt: null,
      adjustments: [{ cause: 'scenario', amount: 1000 }],
    });
    expect(charged).not.toHaveProperty('plannedAdjustments');
  });

  it('happens when it is due, even if a later one is listed first', async () => {
    const planned = [
      { kind: 'chargeback-reversed', after: 'P9D' },
      { ...chargeback, amount: '4.00' },
    ] as const;
    const decided = await makePaidPayment({ outcomePlan: { adjustments: planned } });
    const charged = await runDue(bench, decided);
    expect(charged).toMatchObject({ state: 'Paid', adjustments: [{ kind: 'chargeback', amount: 400 }] });
    expect(await runDue(bench, charged)).toMatchObject({
      dueAt: null,
      adjustments: [{}, { kind: 'chargeback-reversed', amount: 400 }],
    });
  });

  it('is removed if the payment fails', async () => {
    const payment = await bench.pay({ outcomePlan: { adjustments: [chargeback] } });
    const failed = await bench.transact((transaction) =>
      decidePayment(transaction, payment, { to: 'Failed', cause: 'control' }),
    );
    expect(failed.dueAt).toBeNull();
    expect(failed).not.toHaveProperty('plannedAdjustments');
  });

  it('also happens after a part was adjusted by hand', async () => {
    const decided = await add(await makePaidPayment({ outcomePlan: { adjustments: [chargeback] } }), 'refund', 300);
    expect(await runDue(bench, decided)).toMatchObject({
      state: 'ChargedBack',
      adjustments: [{ amount: 300 }, { amount: 700 }],
    });
  });

  it('records the reason if it cannot happen, and the next one still happens', async () => {
    const planned = [
      { ...chargeback, amount: '8.00' },
      { kind: 'refund', after: 'P4D' },
    ] as const;
    const decided = await add(await makePaidPayment({ outcomePlan: { adjustments: planned } }), 'refund', 300);
    const job = decidePaymentJob as LocalJob<'payments'>;
    const refusal = await refusalOf(bench.transact((transaction) => job.run(transaction, decided)));
    const failure = { at: bench.now, reason: refusal.message };
    await bench.transact((transaction) => job.fail(transaction, decided, failure));
    const failed = await storedPayment(decided.id);
    expect(failed).toMatchObject({ failure: { reason: `only 7.00 USD of ${decided.id} is left, not 8.00` } });
    expect(await runDue(bench, failed)).toMatchObject({ state: 'Refunded', dueAt: null });
  });

  it('stays planned if the job that expires its payment fails, because the control API can still pay it', async () => {
    const payment = await bench.pay({ outcomePlan: { adjustments: [chargeback] } });
    const job = decidePaymentJob as LocalJob<'payments'>;
    await bench.transact((transaction) =>
      job.fail(transaction, payment, { at: bench.now, reason: 'the disk is full' }),
    );
    expect(await storedPayment(payment.id)).toMatchObject({
      plannedAdjustments: [{ kind: 'chargeback' }],
      dueAt: null,
    });
  });
});
