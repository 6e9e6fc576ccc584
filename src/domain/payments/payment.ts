import { toDecimalText } from '../../base/money.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Payment, PaymentLink } from '../../base/schema/records.ts';
import type { Instant } from '../../base/time.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { settleLater } from '../settlements/settlements.ts';
import { withPlanned } from './adjustments.ts';
import { withPlans } from './late-outcome.ts';
import { limitBroken, withPayerKey } from './payer-limits.ts';
import { type Event, type Outcome, type Transition, transition } from './transitions.ts';

/** How a payment is to be settled. */
export type Settlement = Pick<Transition<Outcome>, 'to' | 'cause'> &
  Partial<Transition<Outcome>> & {
    /** The id of the test card that its payer used. */
    testCard?: string;
    /** Left out, it is settled for the first time. */
    event?: Extract<Event, 'late-success'>;
  };

/** What an event says of a payment, so that whoever reads it need not look the payment up. */
export function factsOf({ payerReference: reference, amount, currency, channel }: Payment) {
  return { reference, amount: toDecimalText(amount), currency, channel };
}

/** The payment with the sandbox's own id. Throws `unknown-record`. */
export async function paymentById(transaction: Transaction, id: string): Promise<Payment> {
  const payment = await transaction.get('payments', id);
  if (!payment) {
    throw new Refusal('unknown-record', `there is no payment ${id} in session ${transaction.sessionName}`);
  }
  return payment;
}

/** Whether it was paid, adjusted or not. */
export function wasPaid({ history }: Pick<Payment, 'history'>): boolean {
  return history.some(({ to }) => to === 'Paid');
}

/** When the scheduler must look at an unsettled payment: at its planned outcome or its expiry, whichever is earlier. */
export function dueOfPayment(payment: Pick<Payment, 'plannedOutcome' | 'expiresAt'>): Instant | null {
  const times = [payment.plannedOutcome?.at, payment.expiresAt].filter((time) => typeof time === 'number');
  return times.length > 0 ? Math.min(...times) : null;
}

/**
 * Settles a payment, whoever caused it, and tells the world. An outcome without a code or description takes the channel's
 * own from the fixture. A ONCE_OFF_FIXED link is paid once: the first of its payments to be paid cancels the others, and one
 * that comes too late is cancelled instead. What is over a limit of its payer fails, unless a control call wants it
 * paid. A late success asks for no limit, and does not come where the link was paid meanwhile. Throws `conflict` where the transition table says no, or where a control call
 * wants such a link paid twice.
 */
export async function settlePayment(
  transaction: Transaction,
  found: Payment,
  { testCard, ...change }: Settlement,
): Promise<Payment> {
  const payment = testCard === undefined ? found : { ...found, testCard };
  if (change.to !== 'Paid') {
    return settle(transaction, payment, change);
  }
  const link = await onceOffLinkOf(transaction, payment);
  if (!link?.paid) {
    const isLimited = change.cause !== 'control' && change.event === undefined;
    const broken = isLimited ? await limitBroken(transaction, payment) : undefined;
    if (broken) {
      return settle(transaction, payment, {
        ...broken,
        to: 'Failed',
        cause: change.cause,
        decidedBy: change.decidedBy,
      });
    }
    const settled = await settle(transaction, withPayerKey(transaction, payment), change);
    await (link && closeLink(transaction, link, settled));
    return settled;
  }
  if (change.event === 'late-success') {
    const unpaid: Payment = { ...withPlanned(payment, []), plannedOutcome: null };
    transaction.put('payments', unpaid);
    return unpaid;
  }
  const description = 'The payment link has already been paid';
  if (change.cause === 'control') {
    throw new Refusal(
      'conflict',
      `${payment.id} cannot become Paid: its payment link ${link.id} has already been paid`,
    );
  }
  return settle(transaction, payment, {
    to: 'Cancelled',
    cause: change.cause,
    decidedBy: change.decidedBy,
    description,
  });
}

async function settle(
  transaction: Transaction,
  payment: Payment,
  change: Omit<Settlement, 'testCard'>,
): Promise<Payment> {
  const words = transaction.fixtures.channel(payment.channel)?.outcomes[change.to];
  const { code = words?.code ?? null, description = words?.description ?? null, event, ...how } = change;
  const move = change.to === 'Paid' && !payment.testMode ? transaction.next('move') : undefined;
  const settled = withPlans(transition(payment, { at: transaction.now, ...how, code, description, move }, event));
  const { cause } = change;
  transaction.put('payments', settled);
  if (move !== undefined) {
    await settleLater(transaction, 'payments', settled, move);
  }
  transaction.emit(`payment.${settled.state.toLowerCase()}`, 'payments', settled.id, {
    cause,
    ...factsOf(settled),
    code,
    description,
  });
  return settled;
}

async function onceOffLinkOf(
  transaction: Transaction,
  { origin, originId }: Payment,
): Promise<PaymentLink | undefined> {
  const link = origin === 'link' && originId !== null ? await transaction.get('links', originId) : undefined;
  return link?.type === 'ONCE_OFF_FIXED' ? link : undefined;
}

/** Marks a link as paid, and cancels what else was begun from it. */
async function closeLink(transaction: Transaction, link: PaymentLink, paid: Payment): Promise<void> {
  transaction.put('links', { ...link, paid: true });
  const description = `The payment link was paid by ${paid.id}`;
  const cause = paid.history.at(-1)?.cause ?? 'payer';
  for (const other of await transaction.find('payments', 'originId', link.id)) {
    // Recurring payments are numbered like links.
    if (other.origin === 'link' && other.state === 'Processing') {
      await settle(transaction, other, { to: 'Cancelled', cause, description });
    }
  }
}
