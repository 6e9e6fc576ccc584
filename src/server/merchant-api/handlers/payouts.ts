import { toMinorUnits } from '../../../base/money.ts';
import type { BulkPayoutRequest } from '../../../base/schema/generated/requests.ts';
import type { AcknowledgementResponse } from '../../../base/schema/generated/responses.ts';
import { inTermsOf } from '../../domain/broken-rules.ts';
import { initiatePayout } from '../../domain/payouts/initiate-payout.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { type Call, type HandlerResult, merchantOf, operationMessage } from '../operation.ts';

/** The request's name for each checked member of a payout, for refusals. */
const NAMES = {
  total: 'debitTotalAmount',
  currency: 'debitPaymentCurrency',
  credits: 'dynamicCreditList',
  amount: 'creditAmount',
  merchantId: 'creditMerchantId',
};

/** Initiates a payout: one bank debit, split into several credits. Source: INTERFACE.md, "Bulk payout request". */
export async function initiateBulkPayout(
  call: Call<BulkPayoutRequest>,
  transaction: Transaction,
): Promise<HandlerResult> {
  const { body } = call;
  const initiate = () =>
    initiatePayout(transaction, {
      environment: call.environment,
      merchant: merchantOf(call),
      outcomePlan: call.plan.outcomePlan,
      creditPlans: call.plan.creditPlans,
      total: toMinorUnits(body.debitTotalAmount),
      currency: body.debitPaymentCurrency,
      description: body.paymentDescription,
      debit: {
        bankName: body.debitBankName,
        bankBICCode: body.debitBankBICCode,
        accountNumber: body.debitAccountNumber,
        accountName: body.debitAccountName,
      },
      payerName: body.payerName,
      payerReference: body.payerReference,
      payerBankReference: body.payerBankReference,
      credits: body.dynamicCreditList.map((credit) => ({
        merchantId: credit.creditMerchantId ?? null,
        bankName: credit.creditBankName,
        bankBICCode: credit.creditBankBICCode,
        accountNumber: credit.creditAccountNumber,
        accountName: credit.creditAccountName,
        amount: toMinorUnits(credit.creditAmount),
      })),
    });
  await inTermsOf(body, NAMES, initiate);
  const answer: AcknowledgementResponse = { status: 'Success', message: operationMessage(call, 'accepted') };
  return { answer: { ...answer, ...call.plan.respond.members } };
}
