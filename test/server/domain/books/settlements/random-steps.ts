import fc from 'fast-check';
import { Refusal } from '../../../../../src/base/refusal.ts';
import type { Adjustment, Settlement } from '../../../../../src/base/schema/generated/records.ts';
import type { SettlementLine } from '../../../../../src/server/domain/books/ledger/settlement-lines.ts';
import { readLines } from '../../../../../src/server/domain/books/settlements/read-lines.ts';
import { settleJob } from '../../../../../src/server/domain/books/settlements/settle-job.ts';
import { closeAll, returnSettlement } from '../../../../../src/server/domain/books/settlements/settlements.ts';
import { addAdjustment } from '../../../../../src/server/domain/payments/add-adjustment.ts';
import { decideCredit } from '../../../../../src/server/domain/payouts/payout.ts';
import type { Workbench } from '../../workbench.ts';
import { anyPayment, makePayment, makePayout, type RandomPayment } from '../books-under-test.ts';

/** A step of a random history. */
export type Step =
  | { kind: 'pay'; payment: RandomPayment }
  | { kind: 'clock'; by: number }
  | { kind: 'to-cut-off'; by: number }
  | { kind: 'payout'; amounts: number[] }
  | { kind: 'credit'; index: number; outcome: 'Paid' | 'Failed' | 'Returned' }
  | { kind: 'adjustment'; index: number; adjustment: Adjustment['kind']; amount: number | null }
  | { kind: 'close' }
  | { kind: 'return'; index: number }
  | { kind: 'late' };

const HOUR = 3_600_000;
const SETTLE_JOB = settleJob(async () => undefined);

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: anyPayment.map((payment): Step => ({ kind: 'pay', payment })) },
  // Payments of fewer cents than they have receivers, or of 0.
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyPayment, fc.integer({ min: 0, max: 3 }))
      .map(([payment, amount]): Step => ({ kind: 'pay', payment: { ...payment, amount, outcome: 0, isTest: false } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(1, HOUR, 25 * HOUR, 100 * HOUR, -HOUR, -30 * HOUR)
      .map((by): Step => ({ kind: 'clock', by })),
  },
  { weight: 2, arbitrary: fc.constantFrom(-1, 0, 1).map((by): Step => ({ kind: 'to-cut-off', by })) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constant(0)), { minLength: 1, maxLength: 4 })
      .map((amounts): Step => ({ kind: 'payout', amounts })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(9), fc.constantFrom('Paid', 'Failed', 'Returned'))
      .map(([index, outcome]): Step => ({ kind: 'credit', index, outcome })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.nat(9),
        fc.constantFrom('refund', 'reversal', 'chargeback', 'chargeback-reversed'),
        fc.option(fc.integer({ min: 1, max: 200 })),
      )
      .map(([index, adjustment, amount]): Step => ({ kind: 'adjustment', index, adjustment, amount })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'close' }) },
  { weight: 1, arbitrary: fc.nat(5).map((index): Step => ({ kind: 'return', index })) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'late' }) },
);

/** Moving the clock runs due jobs, unless a `late` step precedes it. */
export async function playSteps(bench: Workbench, steps: readonly Step[]): Promise<void> {
  let isLate = false;
  for (const step of steps) {
    if (step.kind === 'pay') {
      await ignoreRefusal(makePayment(bench, step.payment));
    } else if (step.kind === 'payout') {
      await ignoreRefusal(makePayout(bench, step.amounts));
    } else if (step.kind === 'credit') {
      await changeCredit(bench, step.index, step.outcome);
    } else if (step.kind === 'adjustment') {
      await adjustPayment(bench, step);
    } else if (step.kind === 'close') {
      await bench.transact((transaction) => closeAll(transaction, {}, async () => undefined));
    } else if (step.kind === 'return') {
      await returnPaidSettlement(bench, step.index);
    } else if (step.kind === 'late') {
      isLate = true;
    } else {
      const cutOff = (await settlementsOf(bench)).findLast(({ state }) => state === 'Open')?.cutOff ?? bench.now;
      await moveTo(bench, step.kind === 'clock' ? bench.now + step.by : cutOff + step.by, isLate);
      isLate = false;
    }
  }
}

export function settlementsOf(bench: Workbench): Promise<Settlement[]> {
  return bench.transact((transaction) => transaction.all('settlements'));
}

export function linesIn(bench: Workbench, settlement: Settlement): Promise<SettlementLine[]> {
  return bench.transact((transaction) => readLines(settlement, transaction));
}

/** Moves the clock and, unless `isLate`, runs the jobs of settlements that become due, as a session's scheduler does. */
export async function moveTo(bench: Workbench, target: number, isLate = false): Promise<void> {
  const nextDue = async () => {
    const due = (await settlementsOf(bench)).filter(({ dueAt }) => dueAt !== null && dueAt <= target);
    return due.sort((one, other) => (one.dueAt ?? 0) - (other.dueAt ?? 0))[0];
  };
  for (let settlement = await nextDue(); settlement && !isLate; settlement = await nextDue()) {
    bench.now = settlement.dueAt ?? bench.now;
    const { id } = settlement;
    await bench.transact(async (transaction) => {
      const present = await transaction.get('settlements', id);
      await (present && 'run' in SETTLE_JOB && SETTLE_JOB.run(transaction, present));
    });
  }
  bench.now = target;
}

async function changeCredit(bench: Workbench, index: number, outcome: 'Paid' | 'Failed' | 'Returned'): Promise<void> {
  await ignoreRefusal(
    bench.transact(async (transaction) => {
      const payouts = await transaction.all('payouts');
      const payout = payouts[index % Math.max(payouts.length, 1)];
      if (payout) {
        await decideCredit(transaction, payout, { number: 1 + (index % payout.credits.length), outcome });
      }
    }),
  );
}

async function adjustPayment(
  bench: Workbench,
  { index, adjustment: kind, amount }: Extract<Step, { kind: 'adjustment' }>,
): Promise<void> {
  await ignoreRefusal(
    bench.transact(async (transaction) => {
      const payments = await transaction.all('payments');
      const payment = payments[index % Math.max(payments.length, 1)];
      if (payment) {
        await addAdjustment(transaction, payment, { kind, amount, cause: 'control' });
      }
    }),
  );
}

export async function ignoreRefusal(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof Refusal)) {
      throw error;
    }
  }
}

async function returnPaidSettlement(bench: Workbench, index: number): Promise<void> {
  const paidSettlements = (await settlementsOf(bench)).filter(({ state }) => state === 'Paid');
  const settlement = paidSettlements[index % Math.max(paidSettlements.length, 1)];
  if (settlement) {
    await bench.transact((transaction) => returnSettlement(transaction, settlement, { code: 'AC04' }));
  }
}
