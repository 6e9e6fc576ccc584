import { Refusal } from '../../../base/refusal.ts';
import type { Merchant, Payment, PaymentToken } from '../../../base/schema/generated/records.ts';
import { addDuration, type Instant, LAST_INSTANT } from '../../../base/time.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { Channel } from '../channels/channels.ts';
import { checkMayTrade } from '../merchants/merchants.ts';

/** Gives a merchant a token that recurring payments can charge. Refuses with `merchant-not-activated`. */
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

/** The record of a token's text. */
export function findToken(reader: Reader, text: string): PaymentToken | undefined {
  const [token] = reader.find('paymentTokens', 'token', text);
  return token;
}

/** The token of a recurring payment, which lives at least until its last charge. Source: reference, section 7. */
export function withMinimumExpiry(token: PaymentToken, expiry: Instant): PaymentToken {
  return { ...token, expiresAt: Math.max(token.expiresAt, Math.min(expiry, LAST_INSTANT)) };
}

/** The payment that a token was made with; undefined if it was made without one. */
export function ownPaymentOf(reader: Reader, { id }: PaymentToken): Payment | undefined {
  const [payment] = reader.find('payments', 'originId', id);
  return payment;
}

/**
 * Whether a token may still be charged that came with this payment, by its state. A refund leaves the payer's consent as it is; a payment that
 * was reversed or charged back is one that the payer, or the payer's bank, did not want. Source: ours.
 */
export function isChargeable({ state }: Payment): boolean {
  return state === 'Paid' || state === 'Refunded';
}

/** The channel that a token is charged on: the token's own, else the fixture's default for tokens. */
export function channelOfToken({ fixtures }: Reader, token: PaymentToken | undefined): Channel {
  const channel = fixtures.channel(token?.channel ?? fixtures.channels.tokenChannel);
  if (!channel) {
    throw new Refusal('business-rule', 'fixtures/channels.json has no channel to charge payment tokens on');
  }
  return channel;
}
