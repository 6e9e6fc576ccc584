import { toDecimalText } from '../../../base/money.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Payment, PaymentLink } from '../../../base/schema/generated/records.ts';
import { lowerCase } from '../../../base/text/lower-case.ts';
import type { Instant } from '../../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { addToOpenSettlement } from '../books/settlements/settlements.ts';
import { scheduleLaterChanges } from './late-outcome.ts';
import { onceOffLinkOf, paymentsOfLink } from './link-of-payment.ts';
import { findExceededLimit, withPayerKey } from './payer-limits.ts';
import { changeState, type DecidedState, type PaymentAction, type Transition } from './transitions.ts';

export type PaymentOutcome = Pick<Transition<DecidedState>, 'to' | 'cause'> &
  Partial<Transition<DecidedState>> & {
    /** The id of the test card that its payer used. */
    testCard?: string;
    /** Default: the payment is decided for the first time. */
    action?: Extract<PaymentAction, 'late-success'>;
  };

/** Facts in the events of a payment, so that their readers need not fetch it. */
export function factsOf({ payerReference: reference, amount, currency, channel }: Payment) {
  return { reference, amount: toDecimalText(amount), currency, channel };
}

/** `id` is the sandbox's own, not paymentId. Throws `unknown-record`. */
export function paymentById(transaction: Transaction, id: string): Payment {
  const payment = transaction.get('payments', id);
  if (!payment) {
    throw new Refusal('unknown-record', `there is no payment ${id} in session ${transaction.sessionName}`);
  }
  return payment;
}

/** Also true if it was adjusted later. */
export function wasPaid({ history }: Pick<Payment, 'history'>): boolean {
  return history.some(({ to }) => to === 'Paid');
}

/** The time at which an undecided payment is due. */
export function dueOfPayment(payment: Pick<Payment, 'plannedOutcome' | 'expiresAt'>): Instant | null {
  const times = [payment.plannedOutcome?.at, payment.expiresAt].filter((time) => typeof time === 'number');
  return times.length > 0 ? Math.min(...times) : null;
}

/**
 * A ONCE_OFF_FIXED link is paid once: the payment that pays it cancels the open ones, and a later one is cancelled. A payment over a
 * limit of its payer fails, unless a control call decides it. Neither happens to a late success, because the money has already arrived.
 * Throws `conflict` if the transition table does not allow the outcome, or if a control call would pay a paid link again.
 */
export function decidePayment(
  transaction: Transaction,
  storedPayment: Payment,
  { testCard, ...change }: PaymentOutcome,
): Payment {
  const payment = testCard === undefined ? storedPayment : { ...storedPayment, testCard };
  if (change.to !== 'Paid') {
    return applyOutcome(transaction, payment, change);
  }
  const isLate = change.action === 'late-success';
  const link = onceOffLinkOf(transaction, payment);
  if (link?.paid && !isLate) {
    return cancelSecondPayment(transaction, payment, link, change);
  }
  const isLimited = change.cause !== 'control' && !isLate;
  const exceededLimit = isLimited ? findExceededLimit(transaction, payment) : undefined;
  if (exceededLimit) {
    const { cause, decidedBy } = change;
    return applyOutcome(transaction, payment, { ...exceededLimit, to: 'Failed', cause, decidedBy });
  }
  const decided = applyOutcome(transaction, withPayerKey(transaction, payment), change);
  if (link && !link.paid) {
    markLinkPaid(transaction, link, decided);
  }
  return decided;
}

function cancelSecondPayment(
  transaction: Transaction,
  payment: Payment,
  link: PaymentLink,
  { cause, decidedBy }: Pick<PaymentOutcome, 'cause' | 'decidedBy'>,
): Payment {
  if (cause === 'control') {
    throw new Refusal(
      'conflict',
      `${payment.id} cannot become Paid: its payment link ${link.id} has already been paid`,
    );
  }
  const description = 'The payment link has already been paid';
  return applyOutcome(transaction, payment, { to: 'Cancelled', cause, decidedBy, description });
}

function applyOutcome(transaction: Transaction, payment: Payment, change: Omit<PaymentOutcome, 'testCard'>): Payment {
  const defaults = transaction.fixtures.channel(payment.channel)?.outcomes[change.to];
  const { code = defaults?.code ?? null, description = defaults?.description ?? null, action, ...rest } = change;
  const move = change.to === 'Paid' && !payment.testMode ? transaction.next('move') : undefined;
  const changed = changeState(payment, { at: transaction.now, ...rest, code, description, move }, action);
  const decided = scheduleLaterChanges(changed);
  transaction.put('payments', decided);
  if (move !== undefined) {
    addToOpenSettlement(transaction, 'payments', decided, move);
  }
  transaction.emit(`payment.${lowerCase(change.to)}`, 'payments', decided.id, {
    cause: change.cause,
    ...factsOf(decided),
    code,
    description,
  });
  return decided;
}

function markLinkPaid(transaction: Transaction, link: PaymentLink, payment: Payment): void {
  transaction.put('links', { ...link, paid: true });
  const description = `The payment link was paid by ${payment.id}`;
  const cause = payment.history.at(-1)?.cause ?? 'payer';
  for (const other of paymentsOfLink(transaction, link)) {
    if (other.state === 'Processing') {
      applyOutcome(transaction, other, { to: 'Cancelled', cause, description });
    }
  }
}
