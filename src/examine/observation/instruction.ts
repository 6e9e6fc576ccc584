import type {
  IntegrationFinding,
  PayoutView,
  RecurringPaymentView,
  RequestView,
} from '../../base/schema/generated/control.ts';
import { delay, steadyNow } from '../../base/timers.ts';
import type { Case } from '../cases/case.ts';
import { AdapterError, type OrderInput, refusalOf } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { MAX_CLIENT_TIMEOUT_MS, pollMs } from '../shop/quiet-period.ts';
import { type Instruction, type InstructionCall, NOTHING_SEEN, type Observation } from './observation.ts';
import { assertShopRuns, prepareCase } from './observe.ts';
import { failedIn } from './provider-side.ts';

/** Session time after which a payout, or a first charge that is due at once, has been paid and notified. */
const INSTRUCTION_WAIT = 'P2D';

/** The control API's lists of the created records. */
const LISTS: Readonly<Record<InstructionCall, string>> = { payOut: 'payouts', subscribe: 'recurring-payments' };

export function isInstruction(call: string | undefined): call is InstructionCall {
  return call !== undefined && call in LISTS;
}

/** Calls the adapter, then runs the shop's job, if it has one. Throws AdapterError. */
export async function observeInstruction(
  call: InstructionCall,
  testCase: Case,
  order: OrderInput,
  target: ExaminedShop,
): Promise<Observation> {
  const { adapter, client } = target;
  await prepareCase(testCase, target);
  const signal = AbortSignal.timeout(MAX_CLIENT_TIMEOUT_MS);
  const refusal = await refusalOf(adapter[call]?.({ ...order, signal }) ?? Promise.resolve());
  await waitUntilQuiet({ call, canRetry: true }, target);
  await client.advance(INSTRUCTION_WAIT);
  if (adapter.reconcile) {
    await refusalOf(adapter.reconcile());
  }
  const { records, requests } = await waitUntilQuiet({ call, canRetry: false }, target);
  await assertShopRuns({ orderId: undefined, refusal }, target);
  const [{ items: findings }, ...timelines] = await Promise.all([
    client.list<IntegrationFinding>('findings'),
    ...(call === 'payOut' ? records.map(({ id }) => client.timeline(id, 'payouts')) : []),
  ]);
  const instruction = { call, records };
  return { ...NOTHING_SEEN, order, refusal, payments: [], deliveries: [], instruction, requests, timelines, findings };
}

/** Resolves with the provider's records once the shop sends no more calls. Throws AdapterError if it sends or waits for over a minute. */
async function waitUntilQuiet(wait: { call: InstructionCall; canRetry: boolean }, target: ExaminedShop) {
  const { client, quietPeriod } = target;
  const startedAt = steadyNow();
  let [knownCalls, quietSince] = [-1, startedAt];
  for (;;) {
    const [records, { items: requests }] = await Promise.all([
      listRecords(wait.call, client),
      client.list<RequestView>('requests', { order: 'oldest', limit: '500' }),
    ]);
    const now = steadyNow();
    const answeredIds = new Set(requests.flatMap(({ records }) => records.map(({ id }) => id)));
    const isHeld = records.some(({ id }) => !answeredIds.has(id));
    if (isHeld || requests.length !== knownCalls) {
      [knownCalls, quietSince] = [requests.length, now];
    }
    const failedOperation = wait.canRetry ? failedIn({ requests }) : undefined;
    if (now - quietSince > Math.max(quietPeriod.quietMs, quietPeriod.stepMs({ isHeld: false, failedOperation }))) {
      return { records, requests };
    }
    if (now - startedAt > 2 * MAX_CLIENT_TIMEOUT_MS) {
      throw new AdapterError('the shop still sends requests, or waits for an answer: give its requests a timeout');
    }
    await delay(pollMs(now - startedAt));
  }
}

async function listRecords(call: InstructionCall, client: ExaminedShop['client']): Promise<Instruction['records']> {
  const { items } = await client.list<PayoutView | RecurringPaymentView>(LISTS[call], {
    order: 'oldest',
    limit: '100',
  });
  return items.map((each) => ({
    id: each.id,
    amount: 'total' in each ? each.total : each.amount,
    currency: each.currency,
  }));
}
