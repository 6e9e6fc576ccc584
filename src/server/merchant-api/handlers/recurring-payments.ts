import { toMinorUnits } from '../../../base/money.ts';
import type { PaymentTokenRequest, RecurringPaymentRequest } from '../../../base/schema/generated/requests.ts';
import type { PaymentTokenResponse } from '../../../base/schema/generated/responses.ts';
import { formatWithOffset } from '../../../base/time.ts';
import { inTermsOf } from '../../domain/broken-rules.ts';
import { findMerchant } from '../../domain/merchants/merchants.ts';
import { requestPaymentToken as requestToken } from '../../domain/payment-tokens/payment-tokens.ts';
import {
  addRecurringPayment as add,
  cancelRecurringPayment as cancel,
} from '../../domain/recurring-payments/recurring-payments.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { type Call, type HandlerResult, merchantOf, operationMessage } from '../operation.ts';

/** The request's name for each checked member of a recurring payment, for refusals. */
const NAMES = {
  merchant: 'recurringMerchantId',
  intervalId: 'recurringIntervalId',
  intervalName: 'recurringIntervalName',
  paymentToken: 'recurringPaymentToken',
  channel: 'recurringPaymentToken',
  startDate: 'recurringStartDate',
  expiryDate: 'recurringExpiryDate',
  currency: 'recurringCurrency',
  amount: 'recurringAmount',
  profileId: 'recurringPaymentProfileId',
};

/** Adds an order to charge a payment token at intervals. A bearer token is optional, because the body names the merchant. Source: reference, section 7. */
export function addRecurringPayment(call: Call<RecurringPaymentRequest>, transaction: Transaction): HandlerResult {
  const { body } = call;
  const merchant = call.merchant ?? findMerchant(transaction, body.recurringMerchantId);
  const addOrder = () =>
    add(transaction, {
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
  inTermsOf(body, NAMES, addOrder);
  return { answer: { status: 'Success', message: operationMessage(call, 'added'), ...call.plan.respond.members } };
}

/** Ends a recurring payment by the number in the path. Source: reference, section 7. */
export function cancelRecurringPayment(call: Call, transaction: Transaction): HandlerResult {
  cancel(transaction, merchantOf(call), call.environment, call.parameters['id'] ?? '');
  return { answer: { status: 'Success', message: operationMessage(call, 'cancelled'), ...call.plan.respond.members } };
}

/** Issues a token that recurring payments can charge. Source: reference, section 7. */
export function requestPaymentToken(call: Call<PaymentTokenRequest>, transaction: Transaction): HandlerResult {
  const { environment, body } = call;
  const reference = body.paymentTokenReferenceRequest;
  const token = requestToken(transaction, merchantOf(call), {
    environment,
    reference,
    channel: null,
    walletName: null,
  });
  const answer: PaymentTokenResponse = {
    status: 'Success',
    message: operationMessage(call, 'generated'),
    paymentToken: token.token,
    paymentTokenReference: token.reference,
    paymentTokenExpiry: formatWithOffset(token.expiresAt, transaction.fixtures.times.localOffset),
  };
  return { answer: { ...answer, ...call.plan.respond.members } };
}
