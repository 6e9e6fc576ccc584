import { apportion, type MinorUnits, toMinorUnits } from '../../../base/money.ts';
import type { Adjustment, Payment, PlannedAdjustment } from '../../../base/schema/generated/records.ts';
import { addDuration, type Instant } from '../../../base/time.ts';
import { sumOfFees } from '../books/ledger/accounts.ts';

/** Source: the scenario's `adjustments`. */
export interface AdjustmentRule {
  kind: Adjustment['kind'];
  /** An ISO 8601 duration, counted from when the payment is paid. */
  after: string;
  /** A decimal. Default: all that is left or, for `chargeback-reversed`, all that was charged back. */
  amount?: string;
  code?: string;
  description?: string;
}

/** A part of a payment, and of the sum of its fees. */
interface Part {
  amount: MinorUnits;
  feeTotal: MinorUnits;
}

/** The parts of a paid payment that are left and that are charged back; together they never exceed its amount. */
export interface Remainder {
  left: Part;
  chargedBack: Part;
}

export function remainderOf({ amount, fees, adjustments = [] }: Payment): Remainder {
  return adjustments.reduce(remainderAfter, {
    left: { amount, feeTotal: sumOfFees(fees) },
    chargedBack: { amount: 0, feeTotal: 0 },
  });
}

export function remainderAfter(
  { left, chargedBack }: Remainder,
  { kind, amount }: Pick<Adjustment, 'kind' | 'amount'>,
): Remainder {
  if (kind === 'chargeback-reversed') {
    const part = partOf(chargedBack, amount);
    return { left: add(left, part), chargedBack: subtract(chargedBack, part) };
  }
  const part = partOf(left, amount);
  return { left: subtract(left, part), chargedBack: kind === 'chargeback' ? add(chargedBack, part) : chargedBack };
}

/** An amount with its part of the fees, apportioned because rounding each part separately could lose or add a cent. */
export function partOf({ amount, feeTotal }: Part, takenAmount: MinorUnits): Part {
  const [takenFees = 0] = apportion(feeTotal, [BigInt(takenAmount), BigInt(amount - takenAmount)]);
  return { amount: takenAmount, feeTotal: takenFees };
}

function add(one: Part, other: Part): Part {
  return { amount: one.amount + other.amount, feeTotal: one.feeTotal + other.feeTotal };
}

function subtract(one: Part, other: Part): Part {
  return { amount: one.amount - other.amount, feeTotal: one.feeTotal - other.feeTotal };
}

/** `at` is null, because the delays count from the time of payment. */
export function planAdjustments(rules: readonly AdjustmentRule[]): PlannedAdjustment[] {
  return rules.map(({ kind, after, amount, code = null, description = null }) => ({
    kind,
    amount: amount === undefined ? null : toMinorUnits(amount),
    after,
    at: null,
    code,
    description,
  }));
}

export function scheduleAdjustments(planned: readonly PlannedAdjustment[], paidAt: Instant): PlannedAdjustment[] {
  return planned
    .map((each) => ({ ...each, at: addDuration(paidAt, each.after) }))
    .sort((one, other) => one.at - other.at);
}

/** Once the payment is paid, `planned` must be sorted by time, because the payment becomes due at the first of them. */
export function replacePlannedAdjustments(payment: Payment, planned: readonly PlannedAdjustment[]): Payment {
  const { plannedAdjustments: _, ...others } = payment;
  const [next] = planned;
  return next === undefined
    ? { ...others, dueAt: null }
    : { ...others, plannedAdjustments: [...planned], dueAt: next.at };
}
