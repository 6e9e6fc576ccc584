import { toMinorUnits } from '../../money.ts';
import { Refusal } from '../../refusal.ts';
import type { Unit } from '../../session/unit.ts';
import type { PaymentTokenRequest, RecurringPaymentRequest } from '../../shapes/requests.ts';
import type { PaymentTokenResponse } from '../../shapes/responses.ts';
import { formatWithOffset } from '../../time.ts';
import { findMerchant } from '../../world/merchants.ts';
import { requestPaymentToken as requestToken } from '../../world/payment-tokens.ts';
import { addRecurringPayment as add, cancelRecurringPayment as cancel } from '../../world/recurring-payments.ts';
import { messageOf } from '../messages.ts';
import { type Call, merchantOf, type Outcome } from '../operation.ts';

/** An order to charge a payment token at intervals. The body names the merchant; a bearer is not asked for. Source: reference, section 7. */
export async function addRecurringPayment(call: Call<RecurringPaymentRequest>, unit: Unit): Promise<Outcome> {
  const { body } = call;
  const merchant = call.merchant ?? (await findMerchant(unit, body.recurringMerchantId));
  if (!merchant) {
    throw new Refusal(
      'business-rule',
      `merchant ${body.recurringMerchantId} is not known; it must have shown its credentials before`,
    );
  }
  await add(unit, {
    environment: call.environment,
    merchant,
    intervalId: Number(body.recurringIntervalId),
    intervalName: body.recurringIntervalName,
    paymentToken: body.recurringPaymentToken,
    reference: body.recurringReference,
    description: body.recurringDescription,
    startDate: body.recurringStartDate,
    expiryDate: body.recurringExpiryDate,
    currency: body.recurringCurrency,
    amount: toMinorUnits(body.recurringAmount),
    profileId: body.recurringPaymentProfileId,
    accountId: body.recurringPaymentAccountId,
  });
  return { answer: { status: 'Success', message: messageOf(call, 'added'), ...call.plan.respond.members } };
}

/** Ends a recurring payment by the number in the path. Source: reference, section 7. */
export async function cancelRecurringPayment(call: Call, unit: Unit): Promise<Outcome> {
  await cancel(unit, merchantOf(call), call.parameters['id'] ?? '');
  return { answer: { status: 'Success', message: messageOf(call, 'cancelled'), ...call.plan.respond.members } };
}

/** A token that recurring payments can charge. Source: reference, section 7. */
export async function requestPaymentToken(call: Call<PaymentTokenRequest>, unit: Unit): Promise<Outcome> {
  const { environment, body } = call;
  const reference = body.paymentTokenReferenceRequest;
  const token = requestToken(unit, merchantOf(call), { environment, reference, channel: null, walletName: null });
  const answer: PaymentTokenResponse = {
    status: 'Success',
    message: messageOf(call, 'generated'),
    paymentToken: token.token,
    paymentTokenReference: token.reference,
    paymentTokenExpiry: formatWithOffset(token.expiresAt, unit.fixtures.times.localOffset),
  };
  return { answer: { ...answer, ...call.plan.respond.members } };
}
