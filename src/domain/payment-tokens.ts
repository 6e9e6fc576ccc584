import type { Merchant, PaymentToken } from '../schema/records.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { addDuration } from '../time.ts';
import { checkActivated } from './merchants.ts';

/** Gives a merchant a token that recurring payments can charge. Refuses with `merchant-not-activated`. */
export function requestPaymentToken(
  transaction: Transaction,
  merchant: Merchant,
  order: Pick<PaymentToken, 'environment' | 'reference' | 'channel' | 'walletName'>,
): PaymentToken {
  checkActivated(merchant);
  const token: PaymentToken = {
    id: `token-${transaction.next('paymentToken')}`,
    createdAt: transaction.now,
    merchantId: merchant.id,
    token: transaction.ids.text(40),
    expiresAt: addDuration(transaction.now, transaction.fixtures.times.paymentTokenLifetime),
    ...order,
  };
  transaction.put('paymentTokens', token);
  transaction.emit('token.created', 'paymentTokens', token.id);
  return token;
}
