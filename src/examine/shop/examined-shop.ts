import type { SandboxClient } from '../../client/client.ts';
import type { EarlierOrders } from '../observation/earlier-orders.ts';
import type { Adapter } from './adapter.ts';
import type { QuietPeriod } from './quiet-period.ts';
import type { ShopProcess } from './shop-process.ts';

export interface ExaminedShop {
  adapter: Adapter;
  /** The session that the shop calls. */
  client: SandboxClient;
  webhook: { url: string; secret: string } | undefined;
  quietPeriod: QuietPeriod;
  earlierOrders: Pick<EarlierOrders, keyof EarlierOrders>;
  /** Undefined if the examination did not start the shop. */
  shopProcess: ShopProcess | undefined;
}

/** Throws AdapterError. */
export async function restartShop({ adapter, shopProcess }: ExaminedShop): Promise<void> {
  await adapter.restart?.(shopProcess && (() => shopProcess.restart()));
}
