import { settleJob } from '../domain/books/settlements/settle-job.ts';
import { decidePaymentJob } from '../domain/payments/decide-payment-job.ts';
import { decidePayoutJob } from '../domain/payouts/payout.ts';
import {
  channelOfRecurring,
  chargeRecurringPayment,
  failRecurringPayment,
} from '../domain/recurring-payments/recurring-payments.ts';
import { requireScenario } from '../domain/scenarios/choose-plan.ts';
import { filePlanOf } from '../domain/scenarios/file-plan.ts';
import { planOf } from '../domain/scenarios/scenario.ts';
import { type Job, type JobTable, jobTableOf, localJob } from '../sessions/job.ts';

/** A scenario can match the charge by the operation `chargeRecurringPayment`, although no call has this operation. */
const chargeRecurringPaymentJob = localJob({
  kind: 'charge-recurring-payment',
  collection: 'recurringPayments',
  async run(transaction, recurring) {
    const channel = channelOfRecurring(transaction, recurring);
    const { environment, amount } = recurring;
    const matchContext = {
      operation: 'chargeRecurringPayment',
      environment,
      channel: channel.id,
      body: recurring,
      amount,
    };
    const scenario = await requireScenario(transaction, transaction.scenario);
    const { outcomePlan } = await planOf(scenario, matchContext, 'session');
    chargeRecurringPayment(transaction, recurring, channel, outcomePlan);
  },
  fail: (transaction, recurring, { reason }) => failRecurringPayment(transaction, recurring, reason),
});

/** THE TABLE of jobs. Those due at the same instant run in this order. */
export function createJobTable(deliveryJob: Job): JobTable {
  return jobTableOf([settleJob(filePlanOf), decidePaymentJob, decidePayoutJob, chargeRecurringPaymentJob, deliveryJob]);
}
