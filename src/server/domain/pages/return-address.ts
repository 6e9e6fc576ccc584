import type { Payment, PaymentLink } from '../../../base/schema/generated/records.ts';
import { appendQuery } from '../../../base/text/url.ts';
import type { Session } from '../../sessions/session.ts';
import { wasPaid } from '../payments/payment.ts';
import { paymentStatus } from '../payments/payment-status.ts';

/** Whether a payment was never paid, but its once-off link was, with another payment. */
export function isPaidByOther(link: PaymentLink | undefined, payment: Payment): boolean {
  return link?.type === 'ONCE_OFF_FIXED' && link.paid && !wasPaid(payment);
}

/**
 * The merchant's address for the outcome of a link's payment, with reference and status. If the link was paid with another payment, it is
 * the address for success, because the merchant has the money. Undefined if there is no link, no outcome, or no http or https address.
 */
export function returnAddress(session: Session, link: PaymentLink | undefined, payment: Payment): string | undefined {
  if (!link || payment.state === 'Processing') {
    return undefined;
  }
  return merchantAddress(session, link, isPaidByOther(link, payment) ? undefined : payment);
}

/** States for which payers return to the merchant's address for failures; Refunded, Reversed and ChargedBack are states of paid payments. */
const FAILURE_STATES: ReadonlySet<Payment['state']> = new Set(['Failed', 'Cancelled', 'Expired']);

/** The merchant's address for the state of a link's payment; without a payment, for a link that was paid with another one. */
export function merchantAddress(
  { fixtures }: Pick<Session, 'fixtures'>,
  link: PaymentLink,
  payment?: Payment,
): string | undefined {
  const address = payment && FAILURE_STATES.has(payment.state) ? link.failureUrl : link.successUrl;
  return appendQuery(address, {
    reference: link.reference,
    status: payment ? paymentStatus(payment, fixtures).status : fixtures.paymentStates.Paid.word,
  });
}
