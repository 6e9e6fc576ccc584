import { Refusal } from '../../base/refusal.ts';
import type { Payment, PaymentLink } from '../../base/schema/records.ts';
import type { Channel } from '../../domain/channels/channels.ts';
import { findMerchant } from '../../domain/merchants/merchants.ts';
import { paymentById, type Settlement, settlePayment } from '../../domain/payments/payment.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { nameableOrigin } from './headers.ts';
import { type Page, type Redirect, wrongPage } from './page.tsx';
import { pageOf } from './paths.ts';
import { isPaidOtherwise, linkOf, wayBack } from './way-back.ts';

/** A payment with what its page says beside it. */
export interface Found {
  payment: Payment;
  /** The merchant's name. */
  merchant: string;
  /** The link that it was begun from. */
  link: PaymentLink | undefined;
}

type Flow = Channel['flow'];

/** The newest payment that a payer's reference means, preferably one on the given flow; undefined when there is none. */
export async function lookUp(session: Session, flow: Flow, reference: string): Promise<Payment | undefined> {
  const found = [
    ...(await session.find('payments', 'paymentId', reference)),
    ...(await session.find('payments', 'paymentCode', reference)),
  ];
  return found.findLast((payment) => isOn(session, flow, payment)) ?? found.at(-1);
}

/** The payment that a page is about; of another flow's payment, the page that says what to open. Throws `unknown-record`. */
export async function findOn(session: Session, flow: Flow, reference: string): Promise<Found | Page> {
  const payment = await lookUp(session, flow, reference);
  if (!payment) {
    throw new Refusal('unknown-record', 'There is no such payment. Its sandbox may have been reset.');
  }
  if (!isOn(session, flow, payment)) {
    return wrongPage(session, payment);
  }
  const merchant = (await findMerchant(session, payment.merchantId))?.name ?? payment.merchantId;
  return { payment, merchant, link: await linkOf(session, payment) };
}

export function isOn(session: Session, flow: Flow, { channel }: Payment): boolean {
  return session.fixtures.channel(channel)?.flow === flow;
}

/** The payment that a form has made already. */
export async function paymentOfForm(reader: Reader, formId: string): Promise<Payment | undefined> {
  const [payment] = await reader.find('payments', 'formId', formId);
  return payment;
}

/** What became of a payment when its payer decided. */
export interface Decided {
  payment: Payment;
  /** Whether it ended as this payer wanted; somebody else, or the clock, may have been faster. */
  isAsDecided: boolean;
}

type Decision = Omit<Settlement, 'cause'>;

/** Settles a payment that is still open; one that is settled already stays as it is, however often a form is sent. */
export async function settleOnce(session: Session, id: string, decision: Decision): Promise<Decided> {
  return session.transact(async (transaction) => decide(transaction, await paymentById(transaction, id), decision));
}

export async function decide(transaction: Transaction, payment: Payment, decision: Decision): Promise<Decided> {
  const isOver = payment.expiresAt !== null && payment.expiresAt <= transaction.now;
  if (payment.state !== 'Processing' || isOver) {
    return { payment, isAsDecided: payment.state === decision.to };
  }
  const settled = await settlePayment(transaction, payment, { ...decision, cause: 'payer' });
  return { payment: settled, isAsDecided: settled.state === decision.to };
}

/**
 * Where a payer goes after deciding: to where the link's merchant said. Where somebody was faster, where there is no such
 * address, or none that the browser would follow a form to, the payment's own page says how it ended.
 */
export async function leadOn(session: Session, { payment, isAsDecided }: Decided): Promise<Redirect> {
  const link = await linkOf(session, payment);
  const address = wayBack(session, link, payment);
  const leadsBack = isAsDecided && !isPaidOtherwise(link, payment) && address && nameableOrigin(address);
  return { location: leadsBack ? address : pageOf(session, payment) };
}
