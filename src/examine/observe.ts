import { formatUtc } from '../base/time.ts';
import { machineNow } from '../base/timers.ts';
import type { SandboxClient } from '../client/client.ts';
import { AdapterError, type OrderState, type WantedOrder } from './adapter.ts';
import type { Bench } from './bench.ts';
import { type Case, scenarioOf } from './case.ts';
import type { Deed, Observation } from './observation.ts';
import { type Placed, place } from './placing.ts';
import { providerSide } from './provider-side.ts';
import { lastCall, settledState } from './settled.ts';
import { answers } from './shop-process.ts';

/** By then each payment has had its first outcome, and none a late one. */
const FIRST_OUTCOME = 'PT20M';

/** Lets the session begin anew, with what the case does to the shop. */
export async function begin(examined: Case, { adapter, client, webhook, shop }: Bench): Promise<void> {
  if (shop && !shop.isRunning) {
    await shop.start();
  }
  await client.reset();
  await client.freeze(formatUtc(machineNow()));
  await client.setEndpoints(webhook ? [webhook] : []);
  await client.defineScenario(scenarioOf(examined));
  await client.useScenario('examined');
  await adapter.reset?.();
}

/** Places an order in a session that begins anew, lets everything happen, and looks at both sides. Throws AdapterError. */
export async function observe(examined: Case, order: Omit<WantedOrder, 'signal'>, bench: Bench): Promise<Observation> {
  const { client } = bench;
  await begin(examined, bench);
  const placed = await place(order, bench).catch(async (error: unknown) => {
    await bench.shop?.expectToStay();
    throw error;
  });
  const before = placed.orderId === undefined ? undefined : await stateBefore(placed.orderId, bench);
  const { deeds, cancelled } = await doMeanwhile(examined, placed.orderId, bench);
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
  const done = [...deeds, ...(await doIt(examined.afterwards.deed, placed.orderId, bench))];
  if (examined.afterwards.sendsFirstAgain) {
    await sendFirstAgain(client);
    after = await stateNow(placed.orderId, bench);
  }
  await expectShop(placed, bench);
  const side = await providerSide(client);
  return { order, ...placed, before, cancelled, deeds: done, after, reconciled: undefined, ...side };
}

/** A shop that is not there breaks nothing and handles nothing. Throws AdapterError. */
async function expectShop({ refused }: Placed, { adapter, shop }: Bench): Promise<void> {
  shop?.expectRunning();
  if (refused !== undefined && adapter.app !== undefined && !(await answers(adapter.app))) {
    throw new AdapterError(`the shop no longer answers at ${adapter.app}; the order was refused: ${refused}`);
  }
}

/** A job in production runs again and again: it may fail, or be told what was a while ago. */
const JOB_RUNS = 3;
const JOB_PAUSE = 'PT1M';

/** Resolves with whether the shop did what it was asked to. Throws AdapterError where it could not be asked. */
async function isDone(asked: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await asked;
    return asked !== undefined;
  } catch (error) {
    if (error instanceof AdapterError) {
      throw error;
    }
    return false;
  }
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
    await isDone(adapter.reconcile());
    await client.runUntilIdle();
    reconciled = await stateNow(observation.orderId, bench);
  }
  return { ...observation, reconciled, ...(await providerSide(client)) };
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

/** What the shop is made to do before the payer has decided. */
async function doMeanwhile(
  { meanwhile: { deed } }: Case,
  orderId: string | undefined,
  bench: Bench,
): Promise<Pick<Observation, 'deeds' | 'cancelled'>> {
  const deeds = await doIt(deed, orderId, bench);
  return { deeds, cancelled: deeds.includes('cancel') ? await stateNow(orderId, bench) : undefined };
}

/** Lets the shop do something. A shop may refuse it, but for a restart; then it is not done. Throws AdapterError. */
async function doIt(
  deed: Deed | undefined,
  orderId: string | undefined,
  { adapter, shop }: Bench,
): Promise<readonly Deed[]> {
  if (deed === undefined || orderId === undefined) {
    return [];
  }
  if (deed === 'restart') {
    await adapter.restart?.(shop && (() => shop.restart()));
    return [deed];
  }
  return (await isDone(adapter[deed]?.(orderId))) ? [deed] : [];
}
