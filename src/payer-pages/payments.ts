import { findMerchant } from '../domain/merchants.ts';
import { paymentById, settlePayment } from '../domain/payments/payment.ts';
import type { Transition } from '../domain/payments/transitions.ts';
import { Refusal } from '../refusal.ts';
import type { Payment, PaymentLink } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';
import type { Redirect } from './page.tsx';

export interface Found {
  payment: Payment;
  /** The merchant's name. */
  merchant: string;
}

/** The newest payment that a payer's reference means. Throws `unknown-record`. */
export async function findBy(session: Session, field: 'paymentId' | 'paymentCode', value: string): Promise<Found> {
  return session.transact(async (transaction) => {
    const payment = (await transaction.find('payments', field, value)).at(-1);
    if (!payment) {
      throw new Refusal('unknown-record', 'There is no such payment. Its sandbox may have been reset.');
    }
    return { payment, merchant: (await findMerchant(transaction, payment.merchantId))?.name ?? payment.merchantId };
  });
}

/** Settles a payment that is still open; one that is settled already stays as it is, however often a form is sent. */
export async function settleOnce(
  session: Session,
  id: string,
  change: Pick<Transition, 'to' | 'cause'> & Partial<Transition>,
): Promise<Payment> {
  return session.transact(async (transaction) => {
    const payment = await paymentById(transaction, id);
    const isOver = payment.expiresAt !== null && payment.expiresAt <= transaction.now;
    return payment.state === 'Processing' && !isOver ? settlePayment(transaction, payment, change) : payment;
  });
}

/** Where a payer goes after a payment: a link's merchant said where; else the payment's own page shows how it ended. */
export async function afterSettlement(session: Session, id: string): Promise<Redirect> {
  const payment = await session.get('payments', id);
  const link =
    payment?.origin === 'link' && payment.originId ? await session.get('links', payment.originId) : undefined;
  if (payment && link) {
    return { location: merchantAddress(session, link, payment) };
  }
  const { addresses } = session;
  if (payment?.paymentCode) {
    return { location: addresses.approval(payment.paymentCode) };
  }
  return {
    location: payment?.payerMobile
      ? addresses.phone(payment.payerMobile)
      : addresses.checkout(payment?.paymentId ?? ''),
  };
}

/** The merchant's address for success or failure, http and https only, with reference and status. */
function merchantAddress(session: Session, link: PaymentLink, payment: Payment): string {
  const address = payment.state === 'Paid' ? link.successUrl : link.failureUrl;
  if (!URL.canParse(address) || !['http:', 'https:'].includes(new URL(address).protocol)) {
    return session.addresses.link(link.token);
  }
  const url = new URL(address);
  url.searchParams.set('reference', payment.payerReference);
  url.searchParams.set('status', session.fixtures.paymentStates[payment.state].word);
  return url.href;
}
