import { freePort } from '../base/free-port.ts';
import { MERCHANT } from '../base/sample-merchant.ts';
import { machineNow } from '../base/timers.ts';
import type { Sandbox } from '../sandbox.ts';
import { resolveSettings } from '../server/index.ts';
import { start } from '../start-with.ts';
import { demoOperations } from './demo-operations.ts';
import { Storefront } from './storefront.ts';
import { WeekReceiver } from './week/week-receiver.ts';

/** A sandbox with a week of sample data, and a shop that continues from there. */
export interface Demo {
  /** Base address of the sandbox. */
  url: string;
  shopUrl: string;
  /** Resets the session `default` and the shop, with a week of sample data that ends now. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a demo on loopback, with the shop at the next port, or both at free ports if the port is 0. Nothing is stored on disk.
 * Rejects if a port is in use.
 */
export async function startDemo({ port }: { port: number }): Promise<Demo> {
  const storefront = new Storefront(await freePort(port === 0 ? 0 : port + 1));
  const settings = Object.freeze({ ...resolveSettings({}), port, data: ':memory:', quiet: true });
  const receiver = new WeekReceiver();
  let lastReset: Promise<void> = Promise.resolve();
  const reset = () => {
    lastReset = lastReset.catch(() => undefined).then(() => restart());
    return lastReset;
  };
  const sandbox = await start(settings, {
    additions: {
      operations: demoOperations({ shopUrl: storefront.url, reset }),
      wrapSender: (sender) => receiver.wrap(sender),
    },
  });
  const restart = async () => {
    await storefront.close();
    await makeWeekAndOpenShop(sandbox, storefront, receiver);
  };
  const close = async () => {
    await lastReset.catch(() => undefined);
    await storefront.close();
    await sandbox.close();
  };
  try {
    await reset();
  } catch (error) {
    await close();
    throw error;
  }
  return { url: sandbox.url, shopUrl: storefront.url, reset, close };
}

async function makeWeekAndOpenShop(
  { client, fixtures, url }: Sandbox,
  storefront: Storefront,
  receiver: WeekReceiver,
): Promise<void> {
  const { makeWeek } = await import('./week/week.ts');
  await client.reset();
  const { secret, shopCode } = await makeWeek({
    client,
    receiver,
    webhookUrl: storefront.webhookUrl,
    end: machineNow(),
    offset: fixtures.times.localOffset,
  });
  await client.unfreeze();
  await storefront.open({
    ...MERCHANT,
    PAYMENTS_URL: url,
    WEBHOOK_SECRET: secret,
    ORDER_PREFIX: 'WEB',
    SHOP_CODE_URL: shopCode.url,
    SHOP_CODE_REFERENCE: shopCode.reference,
  });
}
