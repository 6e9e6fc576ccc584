import { messageOf } from '../base/errors.ts';
import type { DeliveryView, PaymentView, RequestView } from '../base/schema/control.ts';
import { formatUtc } from '../base/time.ts';
import { delay, machineNow, steadyNow } from '../base/timers.ts';
import type { SandboxClient } from '../client/client.ts';
import { type Adapter, AdapterError, awaited, type OrderState, type WantedOrder } from './adapter.ts';
import { INITIATIONS, initiationsIn, type Observation } from './observation.ts';
import { lastCall, type Patience, settledState } from './settled.ts';
import { answers, type ShopProcess } from './shop-process.ts';
import { KINDS, type Kind, type Rule, SITUATIONS, type Situation } from './situations.ts';

/** One situation of each kind. */
export type Case = Readonly<Record<Kind, Situation>>;

/** What is examined, and what examines it. */
export interface Bench {
  adapter: Adapter;
  /** The session that the shop calls. */
  client: SandboxClient;
  webhook: { url: string; secret: string } | undefined;
  patience: Patience;
  /** The shop's process, where the examination started it. */
  shop: ShopProcess | undefined;
}

/** A good day, but for these. */
export function caseOf(situations: readonly Situation[]): Case {
  return Object.fromEntries(
    KINDS.map((kind) => [kind, situations.find((each) => each.kind === kind) ?? usual(kind)]),
  ) as Record<Kind, Situation>;
}

export function usual(kind: Kind): Situation {
  const found = SITUATIONS.find((each) => each.kind === kind);
  if (!found) {
    throw new Error(`there is no situation of the kind ${kind}`);
  }
  return found;
}

export function isUnusual(situation: Situation): boolean {
  return situation !== usual(situation.kind);
}

/** What of a case is not as on a good day; the outcome where all is. */
export function situationsOf(examined: Case): Situation[] {
  const unusual = KINDS.map((kind) => examined[kind]).filter(isUnusual);
  return unusual.length === 0 ? [examined.outcome] : unusual;
}

/** In words. */
export function titleOf(examined: Case): string {
  return situationsOf(examined)
    .map(({ title }) => title)
    .join('; ');
}

/** The case as a scenario that a session can follow. */
export function scenarioOf(examined: Case) {
  // What is unusual goes over what is usual.
  const all = KINDS.map((kind) => examined[kind]).sort(
    (one, other) => Number(isUnusual(one)) - Number(isUnusual(other)),
  );
  const behaviour = all.find((each) => each.behaviour !== undefined)?.behaviour;
  return {
    name: 'examined',
    description: titleOf(examined),
    ...(behaviour === undefined ? {} : { behaviour }),
    rules: [
      { when: { operation: [...INITIATIONS] }, ...inTime(Object.assign({}, ...all.map(({ payment }) => payment))) },
      { when: { operation: 'getPaymentStatus' }, ...examined['status-query'].statusQuery },
    ],
  };
}

/** A notification can only come before the answer where the payment has ended by then. */
function inTime(payment: Rule): Rule {
  const { webhook, settle } = payment as { webhook?: Rule; settle?: Rule };
  return webhook?.['mode'] === 'before-answer' ? { ...payment, settle: { ...settle, after: 'PT0S' } } : payment;
}

/** Real milliseconds that an order may take to be placed, and after which the clock moves on where nothing happens. */
const LONGEST_PLACING_MS = 20_000;
const IDLE_MS = 400;

/** By then each payment has had its first outcome, and none a late one. */
const FIRST_OUTCOME = 'PT20M';

/** Places an order in a session that begins anew, lets everything happen, and looks at both sides. Throws AdapterError. */
export async function observe(examined: Case, order: Omit<WantedOrder, 'signal'>, bench: Bench): Promise<Observation> {
  const { adapter, client, webhook, shop } = bench;
  if (shop && !shop.isRunning) {
    await shop.start();
  }
  await client.reset();
  await client.freeze(formatUtc(machineNow()));
  await client.setEndpoints(webhook ? [webhook] : []);
  await client.defineScenario(scenarioOf(examined));
  await client.useScenario('examined');
  if (adapter.reset) {
    await awaited('reset()', adapter.reset());
  }
  const placed = await place(order, bench);
  const before = placed.orderId === undefined ? undefined : await stateBefore(placed.orderId, bench);
  // A shop that asks by itself must have seen the first outcome before another one comes.
  await client.advance(FIRST_OUTCOME);
  let after = await stateNow(placed.orderId, bench);
  let seen: string;
  do {
    seen = await lastCall(client);
    const { happened = [] } = await client.runUntilIdle();
    // Where nothing was due, the shop was told nothing.
    after = happened.length === 0 ? after : await stateNow(placed.orderId, bench);
    // What the shop did since may have made something due.
  } while (seen !== (await lastCall(client)));
  if (examined.afterwards.afterwards === 'send-first-again') {
    await sendFirstAgain(client);
    after = await stateNow(placed.orderId, bench);
  }
  await expectShop(placed, bench);
  return { order, ...placed, before, after, reconciled: undefined, ...(await providerSide(client)) };
}

/** A shop that is not there breaks nothing and handles nothing. Throws AdapterError. */
async function expectShop({ refused }: Placed, { adapter, shop }: Bench): Promise<void> {
  shop?.expectRunning();
  if (refused !== undefined && adapter.app !== undefined && !(await answers(adapter.app))) {
    throw new AdapterError(`the shop does not answer at ${adapter.app} any more; the order was refused: ${refused}`);
  }
}

/** A job in production runs again and again: it may fail, or be told what was a while ago. */
const JOB_RUNS = 3;
const JOB_PAUSE = 'PT1M';

/** Throws AdapterError where it hangs; what it fails with is its own affair. */
async function runJob(job: NonNullable<Adapter['reconcile']>): Promise<void> {
  const run = Promise.resolve().then(job);
  await awaited(
    'reconcile()',
    run.catch(() => undefined),
  );
}

/** The same after the shop's own job has looked for what it may have missed; undefined where it has none. */
export async function reconcile(observation: Observation, bench: Bench): Promise<Observation | undefined> {
  const { adapter, client } = bench;
  if (!adapter.reconcile || observation.orderId === undefined) {
    return undefined;
  }
  let reconciled: OrderState | undefined;
  for (let runs = 0; runs < JOB_RUNS && (reconciled?.fulfilments ?? 0) === 0; runs += 1) {
    if (runs > 0) {
      await client.advance(JOB_PAUSE);
    }
    await runJob(adapter.reconcile);
    await client.runUntilIdle();
    reconciled = await stateNow(observation.orderId, bench);
  }
  return { ...observation, reconciled, ...(await providerSide(client)) };
}

type Placed = Pick<Observation, 'orderId' | 'refused'>;

/** Places the order as a customer would. A shop that waits for the provider gets what it waits for: the clock moves on. */
async function place(order: Omit<WantedOrder, 'signal'>, { adapter, client }: Bench): Promise<Placed> {
  const abort = new AbortController();
  let placed: Placed | undefined;
  const placing = adapter.placeOrder({ ...order, signal: abort.signal }).then(
    (answer) => ({ orderId: orderIdIn(answer), refused: undefined }),
    (error: unknown) => ({ orderId: orderIdIn(error), refused: messageOf(error) }),
  );
  void placing.then((result) => {
    placed = result;
  });
  const began = steadyNow();
  let [seen, quietSince] = ['', began];
  while (!placed) {
    await Promise.race([placing, delay(20)]);
    const now = steadyNow();
    const last = await lastCall(client);
    if (last !== seen) {
      [seen, quietSince] = [last, now];
    } else if (now - quietSince > IDLE_MS && !placed) {
      quietSince = now;
      const { nextDue } = await client.clock();
      if (nextDue !== null) {
        await client.freeze(nextDue);
      }
    }
    if (now - began > LONGEST_PLACING_MS) {
      abort.abort();
      return { orderId: undefined, refused: `the order was not placed within ${LONGEST_PLACING_MS / 1000} seconds` };
    }
  }
  return placed;
}

function orderIdIn(answer: unknown): string | undefined {
  const orderId = typeof answer === 'object' && answer !== null && 'orderId' in answer ? answer.orderId : undefined;
  return orderId === undefined || orderId === null ? undefined : String(orderId);
}

/** Before the provider has decided, and only then. */
async function stateBefore(orderId: string, bench: Bench): Promise<OrderState | undefined> {
  const { state } = await settledState(bench.adapter, orderId, bench.client, { quietMs: 30 });
  const { items } = await bench.client.payments({ limit: '100' });
  return items.every((payment) => payment.state === 'Processing') ? state : undefined;
}

async function stateNow(
  orderId: string | undefined,
  { adapter, client, patience }: Bench,
): Promise<OrderState | undefined> {
  if (orderId === undefined) {
    return undefined;
  }
  const { state, lagMs } = await settledState(adapter, orderId, client, patience);
  patience.saw(lagMs);
  return state;
}

async function sendFirstAgain(client: SandboxClient): Promise<void> {
  const { items } = await client.deliveries({ order: 'oldest', limit: '100' });
  const first = items.find(({ forgery, attempts }) => forgery === undefined && attempts.length > 0);
  if (first) {
    await client.replay(first.id);
    await client.runUntilIdle();
  }
}

const MANY = { order: 'oldest', limit: '500' };

/** Real milliseconds that a call which its shop gave up may take to be known as over. */
const LONGEST_END_MS = 2000;

type ProviderSide = Pick<Observation, 'payments' | 'deliveries' | 'requests'>;

/** What the provider knows, once every call that made a payment is over. */
async function providerSide(client: SandboxClient): Promise<ProviderSide> {
  const began = steadyNow();
  for (;;) {
    const [payments, deliveries, requests] = await Promise.all([
      client.list<PaymentView>('payments', MANY),
      client.list<DeliveryView>('webhooks/deliveries', MANY),
      client.list<RequestView>('requests', MANY),
    ]);
    const side = { payments: payments.items, deliveries: deliveries.items, requests: requests.items };
    if (areCallsOver(side) || steadyNow() - began > LONGEST_END_MS) {
      return side;
    }
    await delay(50);
  }
}

function areCallsOver({ payments, requests }: ProviderSide): boolean {
  const made = new Set(initiationsIn({ requests }).flatMap(({ records }) => records.map(({ id }) => id)));
  return payments.every(({ id, origin }) => origin !== 'merchant' || made.has(id));
}
