import type { Unit } from '../session/unit.ts';
import type { Merchant, PaymentToken } from '../shapes/records.ts';
import { addDuration } from '../time.ts';
import { checkActivated } from './merchants.ts';

/** Gives a merchant a token that recurring payments can charge. Refuses with `merchant-not-activated`. */
export function requestPaymentToken(
  unit: Unit,
  merchant: Merchant,
  order: Pick<PaymentToken, 'environment' | 'reference' | 'channel' | 'walletName'>,
): PaymentToken {
  checkActivated(merchant);
  const token: PaymentToken = {
    id: `token-${unit.next('paymentToken')}`,
    createdAt: unit.now,
    merchantId: merchant.id,
    token: unit.ids.text(40),
    expiresAt: addDuration(unit.now, unit.fixtures.times.paymentTokenLifetime),
    ...order,
  };
  unit.put('paymentTokens', token);
  unit.emit('token.created', 'paymentTokens', token.id);
  return token;
}
