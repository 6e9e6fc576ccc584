import type {
  DeliveryView,
  IntegrationFinding,
  PaymentView,
  RequestView,
} from '../../base/schema/generated/control.ts';
import { replacesAnswer } from '../../base/text/call-words.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import type { OpenWork } from '../shop/quiet-period.ts';
import { initiationsIn, type Observation } from './observation.ts';

const ALL_RECORDS = { order: 'oldest', limit: '500' };

/** Real milliseconds within which a call that the shop aborted is recorded as ended, and the payment of an accepted order is requested. */
const CALL_END_TIMEOUT_MS = 2000;
export const REQUEST_TIMEOUT_MS = 5000;

export type ProviderSide = Pick<Observation, 'payments' | 'deliveries' | 'requests' | 'timelines' | 'findings'>;
type Records = Omit<ProviderSide, 'timelines' | 'findings'>;

/** Resolves with the provider's records of an order once every call that made a payment has ended, or after CALL_END_TIMEOUT_MS. */
export async function readProviderSide(
  { client, earlierOrders }: Pick<ExaminedShop, 'client' | 'earlierOrders'>,
  order: Observation['order'],
): Promise<ProviderSide> {
  const startedAt = steadyNow();
  for (;;) {
    const records = await fetchRecords(client);
    if (!hasHeldCall(records) || steadyNow() - startedAt > CALL_END_TIMEOUT_MS) {
      const side = earlierOrders.without(records, order);
      const [{ items: findings }, ...timelines] = await Promise.all([
        client.list<IntegrationFinding>('findings'),
        ...side.payments.map(({ id }) => client.timeline(id)),
      ]);
      return { ...side, timelines, findings };
    }
    await delay(50);
  }
}

/**
 * Waits until the shop has requested `count` fitting payments of an order, and resolves with these, the oldest first, or with fewer if
 * it takes too long. A shop may accept an order before it requests the payment; late payments of earlier orders do not count.
 */
export async function waitForPayments(
  { client, earlierOrders }: Pick<ExaminedShop, 'client' | 'earlierOrders'>,
  order: Pick<Observation['order'], 'amount'>,
  count: number,
  isFitting: (payment: PaymentView) => boolean,
): Promise<PaymentView[]> {
  const startedAt = steadyNow();
  for (;;) {
    const { items } = await client.list<PaymentView>('payments', ALL_RECORDS);
    const { payments } = earlierOrders.without({ payments: items, deliveries: [], requests: [] }, order);
    const fitting = payments.filter(isFitting);
    if (fitting.length >= count || steadyNow() - startedAt > REQUEST_TIMEOUT_MS) {
      return fitting;
    }
    await delay(5);
  }
}

export async function readOpenWork(
  { client, earlierOrders }: Pick<ExaminedShop, 'client' | 'earlierOrders'>,
  order: Observation['order'],
): Promise<OpenWork & { calls: number; payments: number }> {
  const { requests, payments } = earlierOrders.without(await fetchRecords(client), order);
  return {
    isHeld: hasHeldCall({ payments, requests }),
    failedOperation: failedIn({ requests }),
    calls: requests.length,
    payments: payments.length,
  };
}

async function fetchRecords(client: SandboxClient): Promise<Records> {
  const [payments, deliveries, requests] = await Promise.all([
    client.list<PaymentView>('payments', ALL_RECORDS),
    client.list<DeliveryView>('webhooks/deliveries', ALL_RECORDS),
    client.list<RequestView>('requests', ALL_RECORDS),
  ]);
  return { payments: payments.items, deliveries: deliveries.items, requests: requests.items };
}

/** Whether a call of the shop that made a payment is still waiting for its answer. */
export function hasHeldCall({ payments, requests }: Pick<Records, 'payments' | 'requests'>): boolean {
  const answeredIds = new Set(initiationsIn({ requests }).flatMap(({ records }) => records.map(({ id }) => id)));
  return payments.some(({ id, origin }) => (origin === 'merchant' || origin === 'token') && !answeredIds.has(id));
}

/** The operation of the last call, if it got no usable answer. */
export function failedIn({ requests }: Pick<Records, 'requests'>): string | undefined {
  const last = requests.at(-1);
  const isDisturbed = last && last.fault !== null && replacesAnswer(last.fault);
  return last && (isDisturbed || last.answer === null || last.answer.status >= 400)
    ? (last.operation ?? undefined)
    : undefined;
}
