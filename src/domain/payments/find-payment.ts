import { Refusal } from '../../refusal.ts';
import type { Payment } from '../../schema/records.ts';
import type { Reader } from '../../sessions/reader.ts';
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
export async function findPayment(reader: Reader, query: PaymentQuery): Promise<Payment> {
  const candidates = (await ownPayments(reader, query)).map((payment) => ({
    payment,
    differences: differencesFrom(payment, query),
  }));
  // Newest first, so that of several the newest is also the closest.
  const [closest] = candidates.sort(
    (a, b) => a.differences.length - b.differences.length || numberOf(b.payment) - numberOf(a.payment),
  );
  if (closest?.differences.length === 0) {
    return closest.payment;
  }
  const { merchantId, environment, channel, reference } = query;
  const wanted = `${environment} payment with reference ${JSON.stringify(reference)} on ${channel.label}`;
  const why = closest ? `; the closest with this reference ${closest.differences.join(', and ')}` : '';
  throw new Refusal('unknown-record', `merchant ${merchantId} has no ${wanted}${why}`);
}

/** Every payment of the merchant that any of its three references names, each once. */
async function ownPayments(reader: Reader, { merchantId, reference }: PaymentQuery): Promise<Payment[]> {
  const found = new Map<string, Payment>();
  for (const field of ['paymentId', 'paymentCode', 'payerReference'] as const) {
    for (const payment of await reader.find('payments', field, reference)) {
      if (payment.merchantId === merchantId) {
        found.set(payment.id, payment);
      }
    }
  }
  return [...found.values()];
}

/** In words that keep the payer's number and code to themselves. */
function differencesFrom(payment: Payment, { environment, channel, mobile, code }: PaymentQuery): string[] {
  const differences: string[] = [];
  if (payment.environment !== environment) {
    differences.push(`is a ${payment.environment} payment`);
  }
  if (payment.channel !== channel.id) {
    differences.push(`was made with walletName ${payment.walletName}`);
  }
  if (mobile && payment.payerMobile !== null && mobile !== payment.payerMobile) {
    differences.push('has another paymentMobile than the one sent');
  }
  if (code && payment.paymentCode !== null && code !== payment.paymentCode) {
    differences.push('has another transactionCode than the one sent');
  }
  return differences;
}

/** payment-12 → 12. Numbers tell what is newer even where the session's clock was set back. */
function numberOf({ id }: Payment): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}
