import { Refusal } from '../../base/refusal.ts';
import type { Payment } from '../../base/schema/generated/records.ts';
import { flowOfPayment } from '../domain/channels/channels.ts';
import { pathsOf } from '../domain/pages/paths.ts';
import type { Redirect } from '../domain/pages/payer-page.tsx';
import { WORDS } from '../domain/pages/words.ts';
import type { Reader } from '../sessions/reader.ts';
import type { Session } from '../sessions/session.ts';

/** The path of the page on which a payment's payer decides, and sees the outcome. */
export function pagePathOf(session: Session, payment: Payment): string {
  return pathsOf(session).to(flowOfPayment(payment, session.fixtures).pathOf(payment));
}

/** Redirects from a payment's id to its page. Throws `unknown-record`. */
export function openPayment(session: Session, id: string): Redirect {
  return { location: pagePathOf(session, requirePayment(session.reader.get('payments', id))) };
}

/** Throws `unknown-record` if the payment does not exist. */
export function requirePayment(payment: Payment | undefined): Payment {
  if (!payment) {
    throw new Refusal('unknown-record', WORDS.unknownPayment);
  }
  return payment;
}

/** The payment that an earlier submission of the same form initiated. */
export function paymentOfForm(reader: Reader, formId: string): Payment | undefined {
  const [payment] = reader.find('payments', 'formId', formId);
  return payment;
}
