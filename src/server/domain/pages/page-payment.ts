import type { Payment, PaymentLink } from '../../../base/schema/generated/records.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { findMerchant } from '../merchants/merchants.ts';
import { linkOf } from '../payments/link-of-payment.ts';
import { decidePayment, type PaymentOutcome, paymentById } from '../payments/payment.ts';

/** A payment with the other facts on its page. */
export interface PagePayment {
  payment: Payment;
  /** The merchant's name. */
  merchant: string;
  link: PaymentLink | undefined;
}

/** The newest payment with this paymentCode, or else paymentId, on the flow; if the flow has none, on any flow. */
export async function findByReference(session: Session, flow: string, reference: string): Promise<Payment | undefined> {
  const candidates = [
    ...session.reader.find('payments', 'paymentId', reference),
    ...session.reader.find('payments', 'paymentCode', reference),
  ];
  return candidates.findLast((payment) => isOnFlow(session, flow, payment)) ?? candidates.at(-1);
}

export function isOnFlow(session: Session, flow: string, { channel }: Payment): boolean {
  return session.fixtures.channel(channel)?.flow === flow;
}

export async function pagePaymentOf(session: Session, payment: Payment): Promise<PagePayment> {
  const merchant = findMerchant(session.reader, payment.merchantId)?.name ?? payment.merchantId;
  return { payment, merchant, link: linkOf(session.reader, payment) };
}

export interface DecisionResult {
  payment: Payment;
  /** Whether the payment has the outcome that this payer chose; another client or the clock may have been faster, or a limit exceeded. */
  isAsDecided: boolean;
}

type Decision = Omit<PaymentOutcome, 'cause'>;

/** Decides a payment that is still open. A decided or expired one does not change, so that a form can be sent twice. */
export async function decideOnce(session: Session, id: string, decision: Decision): Promise<DecisionResult> {
  return session.transact(async (transaction) => decideIn(transaction, paymentById(transaction, id), decision));
}

/** Like decideOnce, in a transaction. */
export function decideIn(transaction: Transaction, payment: Payment, decision: Decision): DecisionResult {
  const isExpired = payment.expiresAt !== null && payment.expiresAt <= transaction.now;
  if (payment.state !== 'Processing' || isExpired) {
    return { payment, isAsDecided: payment.state === decision.to };
  }
  const decidedPayment = decidePayment(transaction, payment, { ...decision, cause: 'payer' });
  return { payment: decidedPayment, isAsDecided: decidedPayment.state === decision.to };
}
