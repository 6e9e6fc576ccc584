import { requireScenario } from './scenarios/choose.ts';
import { planOf } from './scenarios/scenario.ts';
import type { Session, SessionHooks } from './session/session.ts';
import type { CollectionName } from './store/store.ts';
import type { Instant } from './time.ts';
import type { Deliverer } from './webhooks/deliver.ts';
import { paymentIsDue } from './world/payments/payment.ts';
import { payoutIsDue } from './world/payouts.ts';
import { channelOfRecurring, chargeRecurringPayment } from './world/recurring-payments.ts';

type Due = (session: Session, id: string, due: Instant) => Promise<unknown>;

/** What is done when a record is due, by its collection. */
const WHEN_DUE: Partial<Record<CollectionName, Due>> = {
  payments: (session, id, due) => session.transact((unit) => paymentIsDue(unit, id), due),
  payouts: (session, id, due) => session.transact((unit) => payoutIsDue(unit, id), due),
  recurringPayments: charge,
};

/** Does what is due for one record; one that is no longer due, or gone, is left alone. */
export function doWhatIsDue(deliverer: Deliverer): SessionHooks['whenDue'] {
  return async (session, collection, id, due) => {
    await (collection === 'deliveries'
      ? deliverer.attempt(session, id, due)
      : WHEN_DUE[collection]?.(session, id, due));
  };
}

/** A charge that nobody asks for is still a call that a scenario can steer, as `chargeRecurringPayment`. */
async function charge(session: Session, id: string, due: Instant): Promise<void> {
  await session.transact(async (unit) => {
    const recurring = await unit.get('recurringPayments', id);
    if (recurring?.due !== due) {
      return;
    }
    const channel = await channelOfRecurring(unit, recurring);
    const { environment } = recurring;
    const situation = { operation: 'chargeRecurringPayment', environment, channel: channel.id, body: recurring };
    const plan = await planOf(requireScenario(session, session.head.scenario), situation, 'session');
    await chargeRecurringPayment(unit, recurring, channel, plan.course);
  }, due);
}
