import { Refusal } from '../../../base/refusal.ts';
import type { Merchant, Payment, PaymentToken } from '../../../base/schema/generated/records.ts';
import { addDuration, type Instant, LAST_INSTANT } from '../../../base/time.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { Channel } from '../channels/channels.ts';
import { checkMayTrade } from '../merchants/merchants.ts';

/** Creates a token that a merchant's recurring payments can charge. Throws `merchant-not-activated`. */
export function requestPaymentToken(
  transaction: Transaction,
  merchant: Merchant,
  order: Pick<PaymentToken, 'environment' | 'reference' | 'channel' | 'walletName'>,
): PaymentToken {
  checkMayTrade(merchant);
  const token: PaymentToken = {
    id: `token-${transaction.next('paymentToken')}`,
    createdAt: transaction.now,
    merchantId: merchant.id,
    token: transaction.ids.text(40),
    expiresAt: addDuration(transaction.now, transaction.fixtures.times.paymentTokenLifetime),
    ...order,
  };
  transaction.put('paymentTokens', token);
  transaction.emit('token.created', 'paymentTokens', token.id, { reference: token.reference });
  return token;
}

export function findToken(reader: Reader, text: string): PaymentToken | undefined {
  const [token] = reader.find('paymentTokens', 'token', text);
  return token;
}

/** The token with an expiry that is at least the given one. Source: reference, section 7 (valid until the last charge). */
export function withMinimumExpiry(token: PaymentToken, expiry: Instant): PaymentToken {
  return { ...token, expiresAt: Math.max(token.expiresAt, Math.min(expiry, LAST_INSTANT)) };
}

/** The payment that a token was made with; undefined if it was made without one. */
export function paymentOfToken(reader: Reader, { id }: PaymentToken): Payment | undefined {
  const [payment] = reader.find('payments', 'originId', id);
  return payment;
}

/**
 * Whether a token that was made with this payment can be charged. It can after a refund, because the payer's consent remains, but not
 * after a full reversal or chargeback, which means that the payer or the payer's bank objected. Source: ours.
 */
export function isChargeable({ state }: Payment): boolean {
  return state === 'Paid' || state === 'Refunded';
}

/** The channel on which a token is charged: its own, or else the fixture's default for tokens. */
export function channelOfToken({ fixtures }: Reader, token: PaymentToken | undefined): Channel {
  const channel = fixtures.channel(token?.channel ?? fixtures.channels.tokenChannel);
  if (!channel) {
    throw new Refusal('business-rule', 'fixtures/channels.json has no channel to charge payment tokens on');
  }
  return channel;
}
