import { Refusal } from '../../refusal.ts';
import type { Payment } from '../../schema/records.ts';
import { localJob } from '../../sessions/job.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { Instant } from '../../time.ts';
import { type Transition, transition } from './transitions.ts';

/** A reference that a merchant or payer knows a payment by. */
export interface PaymentReference {
  /** paymentId, payerReference (the newest of several) or paymentCode. */
  reference: string;
  channel: string;
  merchantId: string;
}

/** Finds a merchant's payment on a channel by any of its references; undefined when there is none. */
export async function findPayment(reader: Reader, wanted: PaymentReference): Promise<Payment | undefined> {
  for (const field of ['paymentId', 'paymentCode', 'payerReference'] as const) {
    const found = await reader.find('payments', field, wanted.reference);
    const own = found.filter(
      (payment) => payment.channel === wanted.channel && payment.merchantId === wanted.merchantId,
    );
    const newest = own.at(-1);
    if (newest) {
      return newest;
    }
  }
  return undefined;
}

/** The payment with the sandbox's own id. Throws `unknown-record`. */
export async function paymentById(transaction: Transaction, id: string): Promise<Payment> {
  const payment = await transaction.get('payments', id);
  if (!payment) {
    throw new Refusal('unknown-record', `there is no payment ${id} in session ${transaction.sessionName}`);
  }
  return payment;
}

/** When the scheduler must look at an unsettled payment: at its planned settlement or its expiry, whichever is earlier. */
export function dueOfPayment(payment: Pick<Payment, 'settlement' | 'expiresAt'>): Instant | null {
  const times = [payment.settlement?.at, payment.expiresAt].filter((time) => typeof time === 'number');
  return times.length > 0 ? Math.min(...times) : null;
}

/**
 * Settles a payment, whoever caused it, and tells the world. An outcome without a code or description takes the channel's
 * own from the fixture. Throws `conflict` where the transition table says no.
 */
export async function settlePayment(
  transaction: Transaction,
  payment: Payment,
  change: Pick<Transition, 'to' | 'cause'> & Partial<Transition>,
): Promise<Payment> {
  const words = transaction.fixtures.channel(payment.channel)?.outcomes[change.to as 'Paid'];
  const settled = transition(payment, {
    at: transaction.now,
    code: words?.code ?? null,
    description: words?.description ?? null,
    ...change,
  });
  transaction.put('payments', settled);
  transaction.emit(`payment.${settled.state.toLowerCase()}`, 'payments', settled.id, { cause: change.cause });
  await closeOnceOffLink(transaction, settled);
  return settled;
}

/** A ONCE_OFF_FIXED link is paid once, whoever settled its payment: what else was begun from it is cancelled with that. */
async function closeOnceOffLink(
  transaction: Transaction,
  { id, state, origin, originId, history }: Payment,
): Promise<void> {
  const link =
    state === 'Paid' && origin === 'link' && originId !== null ? await transaction.get('links', originId) : undefined;
  if (link?.type !== 'ONCE_OFF_FIXED') {
    return;
  }
  transaction.put('links', { ...link, paid: true });
  const begun = await transaction.find('payments', 'originId', link.id);
  for (const other of begun) {
    if (other.origin === 'link' && other.state === 'Processing') {
      const description = `The payment link was paid by ${id}`;
      await settlePayment(transaction, other, {
        to: 'Cancelled',
        cause: history.at(-1)?.cause ?? 'payer',
        description,
      });
    }
  }
}

/** A payment that is due: the settlement that was planned, or its expiry. */
export const settlePaymentJob = localJob({
  kind: 'settle-payment',
  collection: 'payments',
  async run(transaction, payment) {
    const { settlement } = payment;
    if (!settlement || settlement.at > transaction.now) {
      await settlePayment(transaction, payment, { to: 'Expired', cause: 'clock' });
      return;
    }
    const { outcome, code, description } = settlement;
    await settlePayment(transaction, payment, {
      to: outcome,
      cause: 'scenario',
      ...(code === null ? {} : { code }),
      ...(description === null ? {} : { description }),
    });
  },
  fail(transaction, payment, failure) {
    transaction.put('payments', { ...payment, dueAt: null, failure });
  },
});
