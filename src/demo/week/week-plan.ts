import type { SeededIds } from '../../base/seeded-ids.ts';
import type { Instant } from '../../base/time.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { Days } from './days.ts';
import type { PayerPages } from './payer-pages.ts';
import type { Initiation, WeekMerchant } from './week-merchant.ts';

/** The clients of the sandbox, the shop and the payer, and the answers to initiations so far. */
export interface WeekContext {
  client: SandboxClient;
  merchant: WeekMerchant;
  pages: PayerPages;
  /** By the order's reference. */
  initiations: Map<string, Initiation>;
}

export interface WeekAction {
  at: Instant;
  run(context: WeekContext): Promise<unknown>;
}

/** The days and the random numbers by which the week is planned. */
export interface WeekPlan {
  days: Days;
  /** The only source of random numbers of the plan, seeded so that each week is the same. The receiver has its own. */
  random: SeededIds;
}

/** A random item of a list. Throws Error if the list is empty. */
export function pick<Item>({ random }: Pick<WeekPlan, 'random'>, items: readonly Item[]): Item {
  const item = items[Math.floor(random.chance() * items.length)];
  if (item === undefined) {
    throw new Error('there is nothing to pick from');
  }
  return item;
}

export function shuffled<Item>({ random }: Pick<WeekPlan, 'random'>, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: random.chance() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
