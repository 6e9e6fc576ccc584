import { EXAMINATION_SECRET } from '../../../src/base/sample-merchant.ts';
import { SeededIds } from '../../../src/base/seeded-ids.ts';
import { parseNames } from '../../../src/examine/cases/selection.ts';
import { Examination } from '../../../src/examine/examination.ts';
import type { ExaminationResult } from '../../../src/examine/examination-result.ts';
import { EarlierOrders } from '../../../src/examine/observation/earlier-orders.ts';
import { WHOLE_SHOP } from '../../../src/examine/scope.ts';
import type { Adapter } from '../../../src/examine/shop/adapter.ts';
import type { ExaminedShop } from '../../../src/examine/shop/examined-shop.ts';
import { QuietPeriod } from '../../../src/examine/shop/quiet-period.ts';
import { startWith } from '../../../src/start-with.ts';
import { type Mistake, RaceShop, serveShop } from './race-shop.ts';

const CHANNEL = 'card-switch';

interface RaceOptions {
  mistake?: Mistake;
  isLocking?: boolean;
  seed?: number;
  only?: readonly string[];
  change?: (adapter: Adapter, app: string) => Adapter;
}

/** Starts the shop of this folder with a sandbox, in this process, and closes both after the work. */
export async function withShop<T>(
  { mistake, isLocking = false, seed = 1, change = (adapter) => adapter }: RaceOptions,
  work: (target: ExaminedShop) => Promise<T>,
): Promise<T> {
  const sandbox = await startWith({}, { port: 0, ids: 'differ' });
  const random = new SeededIds(`shop ${seed}`, 0);
  const shop = new RaceShop(sandbox.client.baseUrl, { mistake, isLocking }, () => random.chance());
  const { app, close } = await serveShop(shop);
  const adapter = change(adapterOf(shop, app), app);
  const webhook = { url: `${app}/webhook`, secret: EXAMINATION_SECRET };
  try {
    return await work({
      adapter,
      client: sandbox.client,
      webhook,
      quietPeriod: new QuietPeriod(),
      earlierOrders: new EarlierOrders(),
      shopProcess: undefined,
    });
  } finally {
    await close();
    await sandbox.close();
  }
}

export function examineRace(options: RaceOptions): Promise<ExaminationResult> {
  const { seed = 1, only = ['race'] } = options;
  return withShop(options, (target) =>
    new Examination(target, {
      selection: parseNames([...only, CHANNEL], [CHANNEL], WHOLE_SHOP),
      scope: WHOLE_SHOP,
      currency: 'USD',
      seed,
      budgetMs: 0,
      signal: new AbortController().signal,
      writeBundle: (id) => `${id}.bundle`,
      onProgress: () => undefined,
    }).run(),
  );
}

function adapterOf(shop: RaceShop, app: string): Adapter {
  return {
    app,
    webhookUrl: `${app}/webhook`,
    placeOrder: async (order) => ({ orderId: await shop.place(order) }),
    orderState: async (orderId) => {
      const state = shop.state(orderId);
      if (!state) {
        throw new Error(`there is no order ${orderId}`);
      }
      return state;
    },
    reconcile: () => shop.reconcile(),
    reset: async () => shop.clear(),
    payAgain: (orderId, { channel }) => shop.payAgain(orderId, channel),
    async returnFromPayment(orderId, { signal }) {
      const url = `${app}/return?order=${orderId}`;
      const answer = await fetch(url, { signal });
      if (!answer.ok) {
        throw new Error(`the shop answered ${answer.status}`);
      }
      return { url };
    },
  };
}
