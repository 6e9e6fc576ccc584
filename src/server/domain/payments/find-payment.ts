import { Refusal } from '../../../base/refusal.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import { numberIn } from '../../store/record-numbers.ts';
import type { Channel } from '../channels/channels.ts';

/** What a status query knows of a payment. */
export interface PaymentQuery {
  merchantId: string;
  environment: Payment['environment'];
  channel: Channel;
  /** paymentId, payerReference or paymentCode. */
  reference: string;
  /** Compared where the payment has one; null asks for none. */
  mobile: string | null;
  code: string | null;
}

/**
 * The newest of a merchant's payments that fits a query. Throws `unknown-record`, which says what differs where the
 * merchant has a payment with this reference. Source: reference, section 4.
 */
export function findPayment(reader: Reader, query: PaymentQuery): Payment {
  const { merchantId, environment, channel, reference } = query;
  const fields = ['paymentId', 'paymentCode', 'payerReference'] as const;
  const named = fields.map((field) => reader.find('payments', field, reference));
  const isOwn = (payment: Payment) => payment.merchantId === merchantId;
  // Each list has the oldest first, and may be long where a merchant uses a reference again and again.
  const fitting = named.flatMap((payments) => payments.findLast((each) => isOwn(each) && fits(each, query)) ?? []);
  // Numbers tell what is newer even where the session's clock was set back.
  const [newest] = fitting.sort((a, b) => numberIn('payments', b.id) - numberIn('payments', a.id));
  if (newest) {
    return newest;
  }
  const wanted = `${environment} payment with reference ${JSON.stringify(reference)} on ${channel.label}`;
  const differences = differencesOfClosest(named.flat().filter(isOwn), query);
  const why = differences ? `; the closest with this reference ${differences.join(', and ')}` : '';
  throw new Refusal('unknown-record', `merchant ${merchantId} has no ${wanted}${why}`);
}

function fits(payment: Payment, query: PaymentQuery): boolean {
  return elsewhere(payment, query).length === 0 && unlike(payment, query).length === 0;
}

/** How the closest of some payments differs: one in the right place before one that is elsewhere. */
function differencesOfClosest(payments: readonly Payment[], query: PaymentQuery): string[] | undefined {
  const [closest] = payments
    .map((payment) => ({ elsewhere: elsewhere(payment, query), unlike: unlike(payment, query) }))
    .sort((a, b) => a.elsewhere.length - b.elsewhere.length || a.unlike.length - b.unlike.length);
  return closest && [...closest.elsewhere, ...closest.unlike];
}

/** How a payment stands somewhere else than a query looks. */
function elsewhere(payment: Payment, { environment, channel }: PaymentQuery): string[] {
  return [
    ...(payment.environment === environment ? [] : [`is a ${payment.environment} payment`]),
    ...(payment.channel === channel.id ? [] : [`was made with walletName ${payment.walletName}`]),
  ];
}

/** How a payment differs from what a query says of it, in words that keep the payer's number and code to themselves. */
function unlike(payment: Payment, { mobile, code }: PaymentQuery): string[] {
  const isOther = (wanted: string | null, own: string | null) => wanted !== null && own !== null && wanted !== own;
  return [
    ...(isOther(mobile, payment.payerMobile) ? ['has another paymentMobile than the one sent'] : []),
    ...(isOther(code, payment.paymentCode) ? ['has another transactionCode than the one sent'] : []),
  ];
}
