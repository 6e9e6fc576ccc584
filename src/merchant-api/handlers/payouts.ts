import { toMinorUnits } from '../../money.ts';
import type { Unit } from '../../session/unit.ts';
import type { BulkPayoutRequest } from '../../shapes/requests.ts';
import type { AcknowledgementResponse } from '../../shapes/responses.ts';
import { initiatePayout } from '../../world/payouts.ts';
import { messageOf } from '../messages.ts';
import { type Call, merchantOf, type Outcome } from '../operation.ts';

/** One bank debit split into several credits. Source: INTERFACE.md, "Bulk payout request". */
export async function initiateBulkPayout(call: Call<BulkPayoutRequest>, unit: Unit): Promise<Outcome> {
  const { body } = call;
  await initiatePayout(unit, {
    environment: call.environment,
    merchant: merchantOf(call),
    course: call.plan.course,
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
  const answer: AcknowledgementResponse = { status: 'Success', message: messageOf(call, 'accepted') };
  return { answer: { ...answer, ...call.plan.respond.members } };
}
