import type { DeliveryView, PaymentView, RequestView } from '../../base/schema/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { initiationsIn, type Observation } from './observation.ts';

const MANY = { order: 'oldest', limit: '500' };

/** Real milliseconds to wait until a call that the shop aborted is recorded as ended. */
const LONGEST_END_MS = 2000;

export type ProviderSide = Pick<Observation, 'payments' | 'deliveries' | 'requests' | 'timelines'>;

/** The provider's records, once every call that made a payment has ended. */
export async function providerSide(client: SandboxClient): Promise<ProviderSide> {
  const began = steadyNow();
  for (;;) {
    const [payments, deliveries, requests] = await Promise.all([
      client.list<PaymentView>('payments', MANY),
      client.list<DeliveryView>('webhooks/deliveries', MANY),
      client.list<RequestView>('requests', MANY),
    ]);
    const side = { payments: payments.items, deliveries: deliveries.items, requests: requests.items };
    if (areCallsOver(side) || steadyNow() - began > LONGEST_END_MS) {
      return { ...side, timelines: await Promise.all(side.payments.map(({ id }) => client.timeline(id))) };
    }
    await delay(50);
  }
}

function areCallsOver({ payments, requests }: Pick<ProviderSide, 'payments' | 'requests'>): boolean {
  const made = new Set(initiationsIn({ requests }).flatMap(({ records }) => records.map(({ id }) => id)));
  return payments.every(({ id, origin }) => origin !== 'merchant' || made.has(id));
}
