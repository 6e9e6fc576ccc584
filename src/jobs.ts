import { paymentIsDue } from './domain/payments/payment.ts';
import { payoutIsDue } from './domain/payouts.ts';
import { channelOfRecurring, chargeRecurringPayment } from './domain/recurring-payments.ts';
import { requireScenario } from './scenarios/choose.ts';
import { planOf } from './scenarios/scenario.ts';
import type { Session, SessionHooks } from './sessions/session.ts';
import type { CollectionName } from './store/store.ts';
import type { Instant } from './time.ts';
import type { Deliverer } from './webhooks/deliver.ts';

type Due = (session: Session, id: string, dueAt: Instant) => Promise<unknown>;

/** What is done when a record is due, by its collection. */
const WHEN_DUE: Partial<Record<CollectionName, Due>> = {
  payments: (session, id, dueAt) => session.transact((transaction) => paymentIsDue(transaction, id), dueAt),
  payouts: (session, id, dueAt) => session.transact((transaction) => payoutIsDue(transaction, id), dueAt),
  recurringPayments: charge,
};

/** Does what is due for one record; one that is no longer due, or gone, is left alone. */
export function doWhatIsDue(deliverer: Deliverer): SessionHooks['whenDue'] {
  return async (session, collection, id, dueAt) => {
    await (collection === 'deliveries'
      ? deliverer.attempt(session, id, dueAt)
      : WHEN_DUE[collection]?.(session, id, dueAt));
  };
}

/** A charge that nobody asks for is still a call that a scenario can steer, as `chargeRecurringPayment`. */
async function charge(session: Session, id: string, dueAt: Instant): Promise<void> {
  await session.transact(async (transaction) => {
    const recurring = await transaction.get('recurringPayments', id);
    if (recurring?.dueAt !== dueAt) {
      return;
    }
    const channel = await channelOfRecurring(transaction, recurring);
    const { environment } = recurring;
    const matchContext = { operation: 'chargeRecurringPayment', environment, channel: channel.id, body: recurring };
    const plan = await planOf(requireScenario(session, session.state.scenario), matchContext, 'session');
    await chargeRecurringPayment(transaction, recurring, channel, plan.settlementPlan);
  }, dueAt);
}
