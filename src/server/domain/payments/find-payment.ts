import { Refusal } from '../../../base/refusal.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Reader } from '../../sessions/reader.ts';
import { numberIn } from '../../store/record-numbers.ts';
import type { Channel } from '../channels/channels.ts';

export interface PaymentQuery {
  merchantId: string;
  environment: Payment['environment'];
  channel: Channel;
  /** paymentId, payerReference or paymentCode. */
  reference: string;
  /** Compared only if the payment has one; null matches any. */
  mobile: string | null;
  /** Compared with paymentCode, like `mobile`. */
  code: string | null;
}

/**
 * The newest payment that matches. Throws `unknown-record`, with the differences from the closest payment. Source: reference, section 4.
 */
export function findPayment(reader: Reader, query: PaymentQuery): Payment {
  const { merchantId, environment, channel, reference } = query;
  const fields = ['paymentId', 'paymentCode', 'payerReference'] as const;
  const lists = fields.map((field) => reader.find('payments', field, reference));
  const isOwn = (payment: Payment) => payment.merchantId === merchantId;
  // Each list is sorted oldest first.
  const matchingPayments = lists
    .map((payments) => payments.findLast((each) => isOwn(each) && matches(each, query)))
    .filter((payment) => payment !== undefined);
  // Compared by record number, because a session's clock can be set back.
  const [newest] = matchingPayments.sort((a, b) => numberIn('payments', b.id) - numberIn('payments', a.id));
  if (newest) {
    return newest;
  }
  const description = `${environment} payment with reference ${JSON.stringify(reference)} on ${channel.label}`;
  const differences = differencesOfClosest(lists.flat().filter(isOwn), query);
  const hint = differences ? `; the closest with this reference ${differences.join(', and ')}` : '';
  throw new Refusal('unknown-record', `merchant ${merchantId} has no ${description}${hint}`);
}

function matches(payment: Payment, query: PaymentQuery): boolean {
  return scopeDifferences(payment, query).length === 0 && payerDifferences(payment, query).length === 0;
}

/** Environment and channel count more than the payer. */
function differencesOfClosest(payments: readonly Payment[], query: PaymentQuery): string[] | undefined {
  const [closest] = payments
    .map((payment) => ({ scope: scopeDifferences(payment, query), payer: payerDifferences(payment, query) }))
    .sort((a, b) => a.scope.length - b.scope.length || a.payer.length - b.payer.length);
  return closest && [...closest.scope, ...closest.payer];
}

function scopeDifferences(payment: Payment, { environment, channel }: PaymentQuery): string[] {
  return [
    ...(payment.environment === environment ? [] : [`is a ${payment.environment} payment`]),
    ...(payment.channel === channel.id ? [] : [`was made with walletName ${payment.walletName}`]),
  ];
}

/** The messages must not contain the payer's number or code. */
function payerDifferences(payment: Payment, { mobile, code }: PaymentQuery): string[] {
  const isOther = (sent: string | null, stored: string | null) => sent !== null && stored !== null && sent !== stored;
  return [
    ...(isOther(mobile, payment.payerMobile) ? ['has another paymentMobile than the one sent'] : []),
    ...(isOther(code, payment.paymentCode) ? ['has another transactionCode than the one sent'] : []),
  ];
}
