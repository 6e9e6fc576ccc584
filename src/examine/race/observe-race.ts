import type { Case } from '../cases/case.ts';
import { NOTHING_SEEN, type Observation } from '../observation/observation.ts';
import { assertShopRuns, prepareCase } from '../observation/observe.ts';
import { readProviderSide } from '../observation/provider-side.ts';
import { awaitOrderState } from '../observation/shop-timers.ts';
import { AdapterError, type OrderInput } from '../shop/adapter.ts';
import type { ExaminedShop } from '../shop/examined-shop.ts';
import { RaceRun, TooSlow } from './race-run.ts';
import type { Race } from './schedule.ts';

/** Real milliseconds for which an answer is held: longer for a slow shop, but shorter than the timeouts of most shops. */
const HOLD_TIMES_MS = [300, 1000, 1900];

/** Places an order, and lets the parties of its payment reach the shop in the sequence of the race. Throws AdapterError. */
export async function observeRace(
  race: Race,
  testCase: Case,
  order: OrderInput,
  target: ExaminedShop,
  runIndex: number,
): Promise<Observation> {
  for (const [index, holdMs] of HOLD_TIMES_MS.entries()) {
    await prepareCase(testCase, target);
    try {
      const { placed, race: result } = await new RaceRun(race, testCase, target, {
        runIndex,
        holdMs,
        canBeBlocked: index === HOLD_TIMES_MS.length - 1,
      }).run(order);
      await target.client.runUntilIdle();
      const finalState = await awaitOrderState(placed.orderId, target);
      await assertShopRuns(placed, target);
      const side = await readProviderSide(target, order);
      target.earlierOrders.add(side, order);
      return { ...NOTHING_SEEN, order, ...placed, finalState, race: result, ...side };
    } catch (error) {
      if (!(error instanceof TooSlow)) {
        throw error;
      }
      target.earlierOrders.add(await readProviderSide(target, order), order);
    }
  }
  throw new AdapterError('the shop is too slow: the other parties could not act while it waited for the provider');
}
