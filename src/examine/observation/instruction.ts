import type { IntegrationFinding, PayoutView, RequestView } from '../../base/schema/generated/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { Case } from '../cases/case.ts';
import { AdapterError, type OrderInput, refusalOf } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { LONGEST_TIMEOUT_MS, pollMs } from '../shop/quiet-period.ts';
import { NOTHING_SEEN, type Observation } from './observation.ts';
import { assertShopRuns, prepareCase } from './observe.ts';
import { failedIn } from './provider-side.ts';

/** Session time after which a payout is paid and notified. */
const PAYOUT_WAIT = 'P2D';

/** Lets the shop pay an amount out, then runs its job. Throws AdapterError. */
export async function observePayout(examined: Case, order: OrderInput, target: ExaminedShop): Promise<Observation> {
  const { adapter, client } = target;
  await prepareCase(examined, target);
  const signal = AbortSignal.timeout(LONGEST_TIMEOUT_MS);
  const refused = await refusalOf(adapter.payOut?.({ ...order, signal }) ?? Promise.resolve());
  await waitUntilQuiet(target, true);
  await client.advance(PAYOUT_WAIT);
  if (adapter.reconcile) {
    await refusalOf(adapter.reconcile());
  }
  const { payouts, requests } = await waitUntilQuiet(target, false);
  await assertShopRuns({ orderId: undefined, refused }, target);
  const [{ items: findings }, ...timelines] = await Promise.all([
    client.list<IntegrationFinding>('findings'),
    ...payouts.map(({ id }) => client.timeline(id, 'payouts')),
  ]);
  return { ...NOTHING_SEEN, order, refused, payments: [], deliveries: [], payouts, requests, timelines, findings };
}

/** Resolves with the provider's records once the shop sends no more calls. Throws AdapterError if it never stops sending or waiting. */
async function waitUntilQuiet({ client, patience }: ExaminedShop, mayTryAgain: boolean) {
  const startedAt = steadyNow();
  let [seen, quietSince] = [-1, startedAt];
  for (;;) {
    const [{ items: payouts }, { items: requests }] = await Promise.all([
      client.list<PayoutView>('payouts', { order: 'oldest', limit: '100' }),
      client.list<RequestView>('requests', { order: 'oldest', limit: '500' }),
    ]);
    const now = steadyNow();
    const answered = new Set(requests.flatMap(({ records }) => records.map(({ id }) => id)));
    const isHeld = payouts.some(({ id }) => !answered.has(id));
    if (isHeld || requests.length !== seen) {
      [seen, quietSince] = [requests.length, now];
    }
    const failed = mayTryAgain ? failedIn({ requests }) : undefined;
    if (now - quietSince > Math.max(patience.quietMs, patience.stepMs({ isHeld: false, failed }))) {
      return { payouts, requests };
    }
    if (now - startedAt > 2 * LONGEST_TIMEOUT_MS) {
      throw new AdapterError('the shop still sends requests, or waits for an answer: give its requests a timeout');
    }
    await delay(pollMs(now - startedAt));
  }
}
