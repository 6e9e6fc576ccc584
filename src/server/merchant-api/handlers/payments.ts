import { toMinorUnits } from '../../../base/money.ts';
import type { Merchant, Payment } from '../../../base/schema/generated/records.ts';
import type {
  BulkPaymentRequest,
  PaymentStatusRequest,
  PaymentTokenWithPaymentRequest,
  SinglePaymentRequest,
} from '../../../base/schema/generated/requests.ts';
import { addDuration } from '../../../base/time.ts';
import { behaviourOf } from '../../domain/behaviours/behaviours.ts';
import { inTermsOf } from '../../domain/broken-rules.ts';
import { issueAccessToken } from '../../domain/merchants/access-tokens.ts';
import { requestPaymentToken } from '../../domain/payment-tokens/payment-tokens.ts';
import { findPayment } from '../../domain/payments/find-payment.ts';
import { initiatePayment as initiate, type PaymentOrder } from '../../domain/payments/initiate-payment.ts';
import { paymentAt } from '../../domain/payments/payment-at.ts';
import { paymentNotification } from '../../domain/wire/notification.ts';
import { paymentAnswer } from '../../domain/wire/payment-answer.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { requireChannel } from '../field-checks.ts';
import { type Call, type HandlerResult, merchantOf } from '../operation.ts';

/** The request's name for each checked member of an order, for refusals. */
const NAMES = {
  channel: 'walletName',
  currency: 'paymentCurrency',
  split: 'dynamicPaidList',
  merchantId: 'dynamicMerchantId',
};

type AnswerMembers = NonNullable<Payment['respond']>['members'];

type AnyPaymentRequest = SinglePaymentRequest | BulkPaymentRequest | PaymentTokenWithPaymentRequest;

/** Initiates a payment on the channel of walletName. Source: INTERFACE.md, "Single payment initiation request". */
export function initiateSinglePayment(call: Call<SinglePaymentRequest>, transaction: Transaction): HandlerResult {
  return initiateAndAnswer(call, transaction, { split: [] });
}

/** Initiates a payment that is split by percentage between approved merchants. Source: INTERFACE.md, "Bulk payment initiation request". */
export function initiateBulkPayment(call: Call<BulkPaymentRequest>, transaction: Transaction): HandlerResult {
  const split = call.body.dynamicPaidList.map(({ dynamicMerchantId, dynamicPayoutPercentage }) => ({
    merchantId: dynamicMerchantId,
    percentage: dynamicPayoutPercentage,
  }));
  return initiateAndAnswer(call, transaction, { split });
}

/** Issues a payment token and initiates a payment. The token is later charged on the channel of this payment. Source: reference, section 7. */
export function requestPaymentTokenAndPay(
  call: Call<PaymentTokenWithPaymentRequest>,
  transaction: Transaction,
): HandlerResult {
  const { body, environment } = call;
  const channel = requireChannel(transaction, body.walletName);
  const token = requestPaymentToken(transaction, merchantOf(call), {
    environment,
    reference: body.paymentTokenReferenceRequest,
    channel: channel.id,
    walletName: body.walletName,
  });
  const member = { paymentToken: token.token };
  return initiateAndAnswer(call, transaction, { split: [], origin: 'token', originId: token.id, ...member }, member);
}

function initiateAndAnswer<Body extends AnyPaymentRequest>(
  call: Call<Body>,
  transaction: Transaction,
  order: Pick<PaymentOrder, 'split'> & Partial<Pick<PaymentOrder, 'origin' | 'originId' | 'paymentToken'>>,
  members?: AnswerMembers,
): HandlerResult {
  const { body, plan } = call;
  const merchant = merchantOf(call);
  const initiateOrder = () =>
    initiate(transaction, {
      environment: call.environment,
      merchant,
      origin: order.origin ?? 'merchant',
      originId: order.originId ?? null,
      channel: requireChannel(transaction, body.walletName),
      walletName: body.walletName,
      amount: toMinorUnits(body.amount),
      currency: body.paymentCurrency,
      description: body.paymentDescription,
      payerName: body.payerName,
      payerReference: body.payerReference,
      payerAccountId: body.payerAccountId,
      profileId: body.profileId,
      payerMobile: body.payerMobile ?? null,
      outcomePlan: plan.outcomePlan,
      respond: withMembers(plan.respond, members),
      split: order.split,
      paymentToken: order.paymentToken,
    });
  const payment = inTermsOf(body, NAMES, initiateOrder);
  const { fixtures, addresses } = transaction;
  const paymentInitiationResponse = paymentAnswer(payment, { fixtures, addresses, merchant });
  return { answer: { auth: authOf(transaction, merchant, plan), paymentInitiationResponse } };
}

/** A scenario overrides the operation's own answer. */
function withMembers(respond: Call['plan']['respond'], members: AnswerMembers | undefined): Payment['respond'] {
  return members ? { ...respond, members: { ...members, ...respond.members } } : respond;
}

function authOf(reader: Reader, merchant: Merchant, { tokenLifetime }: Call['plan']) {
  const token = issueAccessToken(reader, merchant, tokenLifetime);
  const { id, email, role } = merchant.user;
  return { token, user: { id, email, role, token }, errorResponse: { errorMessage: null, statusCode: 0 } };
}

/** A payment's present status, or an earlier one if a behaviour delays it, found by any of its references. Source: reference, section 4. */
export function getPaymentStatus(call: Call<PaymentStatusRequest>, reader: Reader): HandlerResult {
  const merchant = merchantOf(call);
  const { transactionReference, walletName, paymentMobile, transactionCode } = call.body;
  const current = findPayment(reader, {
    merchantId: merchant.id,
    environment: call.environment,
    channel: requireChannel(reader, walletName),
    reference: transactionReference,
    mobile: paymentMobile || null,
    code: transactionCode || null,
  });
  const { statusQuery } = behaviourOf(reader, current.behaviour);
  const payment = statusQuery ? paymentAt(current, reader.now - addDuration(0, statusQuery.lag)) : current;
  const { fixtures, addresses } = reader;
  const answer: object & { paymentInitiationResponse?: unknown } = paymentNotification(payment, fixtures);
  answer.paymentInitiationResponse = paymentAnswer(payment, { fixtures, addresses, merchant });
  return { answer, reportedPayment: payment };
}
