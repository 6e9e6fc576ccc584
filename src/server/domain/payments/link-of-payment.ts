import type { Payment, PaymentLink } from '../../../base/schema/generated/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';

export function linkOf(reader: Pick<Reader, 'get'>, { origin, originId }: Payment): PaymentLink | undefined {
  return origin === 'link' && originId !== null ? reader.get('links', originId) : undefined;
}

export function onceOffLinkOf(transaction: Transaction, payment: Payment): PaymentLink | undefined {
  const link = linkOf(transaction, payment);
  return link?.type === 'ONCE_OFF_FIXED' ? link : undefined;
}

export function paymentsOfLink(transaction: Transaction, link: PaymentLink): Payment[] {
  // A recurring payment can have the same id as a link.
  return transaction.find('payments', 'originId', link.id).filter(({ origin }) => origin === 'link');
}

/** Whether a payment pays its link. A refund or chargeback leaves it paid, because the goods were bought; a late failure does not. */
export function paysLink({ state, history }: Pick<Payment, 'state' | 'history'>): boolean {
  return state !== 'Failed' && history.some(({ to }) => to === 'Paid');
}

/** Called after a late failure, because otherwise nobody could pay the link again. */
export function reopenUnpaidLink(transaction: Transaction, failedPayment: Payment): void {
  const link = linkOf(transaction, failedPayment);
  if (link?.paid && !paymentsOfLink(transaction, link).some(paysLink)) {
    transaction.put('links', { ...link, paid: false });
  }
}
