import type { Payment } from '../../../base/schema/generated/records.ts';
import { localJob } from '../../sessions/job.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { addAdjustment } from './add-adjustment.ts';
import { replacePlannedAdjustments } from './adjustments.ts';
import { decidePayment } from './payment.ts';
import { causeOf } from './transitions.ts';

/** Runs when a payment is due: applies its planned outcome or its expiry or, once it is decided, its late outcome or next adjustment. */
export const decidePaymentJob = localJob({
  kind: 'settle-payment',
  collection: 'payments',
  async run(transaction, payment) {
    const hasDueOutcome = payment.state === 'Processing' || payment.plannedOutcome !== null;
    await (hasDueOutcome ? applyDueOutcome(transaction, payment) : applyNextAdjustment(transaction, payment));
  },
  fail(transaction, payment, failure) {
    // Drops a planned outcome and all adjustments, or only the due adjustment; at the expiry none, as the control API can still pay it.
    const { state, plannedOutcome, plannedAdjustments = [] } = payment;
    const rest = plannedOutcome !== null ? [] : plannedAdjustments.slice(state === 'Processing' ? 0 : 1);
    transaction.put('payments', { ...replacePlannedAdjustments(payment, rest), plannedOutcome: null, failure });
  },
});

function applyDueOutcome(transaction: Transaction, payment: Payment): void {
  const { plannedOutcome, state } = payment;
  if (!plannedOutcome || plannedOutcome.at > transaction.now) {
    decidePayment(transaction, payment, { to: 'Expired', cause: 'clock' });
    return;
  }
  const { outcome, code, description, decidedBy } = plannedOutcome;
  decidePayment(transaction, payment, {
    to: outcome,
    ...(state === 'Processing' ? {} : { action: 'late-success' as const }),
    cause: causeOf(decidedBy),
    decidedBy,
    ...(code === null ? {} : { code }),
    ...(description === null ? {} : { description }),
  });
}

function applyNextAdjustment(transaction: Transaction, payment: Payment): void {
  const [next, ...rest] = payment.plannedAdjustments ?? [];
  if (next) {
    const { kind, amount, code, description } = next;
    addAdjustment(transaction, replacePlannedAdjustments(payment, rest), {
      kind,
      amount,
      cause: 'scenario',
      code,
      description,
    });
  }
}
