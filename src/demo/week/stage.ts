import type { SeededIds } from '../../base/seeded-ids.ts';
import type { Instant } from '../../base/time.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { Days } from './days.ts';
import type { PayerPages } from './payer-pages.ts';
import type { Initiation, WeekMerchant } from './week-merchant.ts';

/** Who acts in the week, and what they have been answered. */
export interface WeekContext {
  client: SandboxClient;
  merchant: WeekMerchant;
  pages: PayerPages;
  /** By the order's reference. */
  initiations: Map<string, Initiation>;
}

/** Something that somebody does at an instant of the week. */
export interface WeekAction {
  at: Instant;
  run(stage: WeekContext): Promise<unknown>;
}

/** What a part of the week is planned with. */
export interface WeekPlan {
  days: Days;
  /** What chance there is comes from here, so that each week is the same. */
  draw: SeededIds;
}

/** One of a list, by chance. Throws Error for an empty one. */
export function pick<Item>({ draw }: Pick<WeekPlan, 'draw'>, items: readonly Item[]): Item {
  const item = items[Math.floor(draw.chance() * items.length)];
  if (item === undefined) {
    throw new Error('there is nothing to pick from');
  }
  return item;
}

/** The same items in another order, by chance. */
export function shuffled<Item>({ draw }: Pick<WeekPlan, 'draw'>, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: draw.chance() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
