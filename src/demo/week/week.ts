import type { ShopCodeView } from '../../base/schema/generated/control.ts';
import { SeededIds } from '../../base/seeded-ids.ts';
import { formatUtc, type Instant } from '../../base/time.ts';
import type { SandboxClient } from '../../client/client.ts';
import { planOffice } from './back-office.ts';
import { Days, minutesOf } from './days.ts';
import { planLinksAndScans, SHOP_CODE } from './links-and-scans.ts';
import { planOrders } from './orders.ts';
import { PayerPages } from './payer-pages.ts';
import { planSubscriptions } from './subscriptions.ts';
import { WeekMerchant } from './week-merchant.ts';
import type { WeekContext } from './week-plan.ts';
import type { WeekReceiver } from './week-receiver.ts';

const SEED = 'a week at the corner shop';

export interface WeekOptions {
  /** A client of the control API for the session, which must be empty. */
  client: SandboxClient;
  receiver: WeekReceiver;
  /** The webhook URL of the shop. */
  webhookUrl: string;
  /** The end of the week, at which the session's clock stays frozen. */
  end: Instant;
  /** The offset of local time, e.g. +02:00. */
  offset: string;
}

/** The data that the shop needs to continue after the week. */
export interface ShopSetup {
  /** The secret that signs its notifications. */
  secret: string;
  shopCode: ShopCodeView;
}

/**
 * Creates the sample week that ends at an instant. It makes real calls, and freezes the clock at the time of each. The same end gives the
 * same data, except addresses and random form ids; with another end, settlements fall on other weekdays.
 */
export async function makeWeek({ client, receiver, webhookUrl, end, offset }: WeekOptions): Promise<ShopSetup> {
  const plan = { days: new Days(end, offset), random: new SeededIds(SEED, 0) };
  const { days } = plan;
  const { baseUrl } = client;
  const context: WeekContext = {
    client,
    merchant: new WeekMerchant(baseUrl),
    pages: new PayerPages(baseUrl),
    initiations: new Map(),
  };
  await client.freeze(formatUtc(days.at(0, minutesOf('06:50'))));
  receiver.beginWeek({ from: days.at(4, minutesOf('13:05')), to: days.at(4, minutesOf('15:25')) });
  try {
    const { endpoints } = await client.setEndpoints([{ url: webhookUrl }]);
    const shopCode = await client.call<ShopCodeView>('POST', '/shop-codes', SHOP_CODE);
    const { actions, paid } = planOrders(plan);
    const others = [...planSubscriptions(plan), ...planLinksAndScans(plan, shopCode), ...planOffice(plan, paid)];
    for (const { at, run } of [...actions, ...others].sort((one, other) => one.at - other.at)) {
      await client.freeze(formatUtc(at));
      await run(context);
    }
    await client.freeze(formatUtc(end));
    return { secret: endpoints[0]?.secret ?? '', shopCode };
  } finally {
    receiver.endWeek();
  }
}
