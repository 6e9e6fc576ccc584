import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { loadFixtures } from '../../../src/server/config/fixtures.ts';
import { nearestRoute, routesOf } from '../../../src/server/merchant-api/routes.ts';
import { exampleOf } from '../../interface/examples.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

function operationsFile(operations: Record<string, { environment: 'production' | 'sandbox'; path: string }[]>): string {
  const entries = Object.entries(operations).map(([name, aliases]) => [name, { aliases }]);
  return JSON.stringify({ operations: Object.fromEntries(entries) });
}

async function withAliases(
  operations: Parameters<typeof operationsFile>[0],
  use: (sandbox: Sandbox, file: string) => Promise<void>,
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<void> {
  const fixtures = temporaryFolder();
  const file = join(fixtures, 'operations.json');
  writeFileSync(file, operationsFile(operations));
  const sandbox = await startSandbox({ fixtures, ...settings });
  await use(sandbox, file);
  await sandbox.close();
}

const pay = (sandbox: Sandbox, path: string) =>
  request(sandbox.url).post(path).send(exampleOf('requests/single-payment'));

/** Repeats a call until its status shows that the fixtures were reloaded, because this reload causes no event. */
async function repeatUntil(status: number, call: () => Promise<{ status: number }>): Promise<void> {
  while ((await call()).status !== status) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('an alias in a fixture', () => {
  it('is also served with Request appended, or inserted before a final parameter', async () => {
    const aliases = {
      initiatePayment: [{ environment: 'sandbox' as const, path: '/v2/pay' }],
      cancelRecurringPayment: [{ environment: 'sandbox' as const, path: '/v2/cancel/{id}' }],
    };
    await withAliases(aliases, async (sandbox) => {
      for (const path of ['/v2/pay', '/v2/payRequest']) {
        expect([path, (await pay(sandbox, path)).status]).toEqual([path, 200]);
      }
      for (const path of ['/v2/cancel/7', '/v2/cancelRequest/7']) {
        expect([path, (await request(sandbox.url).post(path)).status]).toEqual([path, 401]);
      }
      expect((await request(sandbox.url).get('/v2/payRequest')).headers['allow']).toBe('POST');
      const { items } = await sandbox.client.list<{ environment: string }>('requests', {
        operation: 'initiatePayment',
      });
      expect(items.map(({ environment }) => environment)).toEqual(['sandbox', 'sandbox']);
    });
  });

  it('may have both spellings, and is matched exactly', async () => {
    const paths = ['/v2/pay', '/v2/payRequest', '/v2/a.b'];
    const aliases = { initiatePayment: paths.map((path) => ({ environment: 'sandbox' as const, path })) };
    await withAliases(aliases, async (sandbox) => {
      for (const path of paths) {
        expect([path, (await pay(sandbox, path)).status]).toEqual([path, 200]);
      }
      expect((await pay(sandbox, '/v2/axb')).status).toBe(404);
    });
  });

  it('appears and disappears with the fixture while the sandbox runs', async () => {
    const at = (path: string) => ({ initiatePayment: [{ environment: 'sandbox' as const, path }] });
    await withAliases(at('/v2/pay'), async (sandbox, file) => {
      expect((await pay(sandbox, '/v3/pay')).status).toBe(404);
      writeFileSync(file, operationsFile(at('/v3/pay')));
      await sandbox.client.waitForEvent('fixtures.reloaded', LONG_WAIT);
      expect((await pay(sandbox, '/v3/payRequest')).status).toBe(200);
      expect((await pay(sandbox, '/v2/pay')).status).toBe(404);
    });
  });

  it('appears although no session can be created for the event of the reload', async () => {
    const at = (path: string) => ({ initiatePayment: [{ environment: 'sandbox' as const, path }] });
    const settings = { maxSessions: 1 };
    await withAliases(
      at('/v2/pay'),
      async (sandbox, file) => {
        const call = () =>
          request(sandbox.sessionUrl('only')).post('/v3/pay').send(exampleOf('requests/single-payment'));
        expect((await call()).status).toBe(404);
        writeFileSync(file, operationsFile(at('/v3/pay')));
        await repeatUntil(200, call);
        // A second reload shows that the first one did no harm.
        writeFileSync(file, operationsFile(at('/v4/pay')));
        await repeatUntil(404, call);
      },
      settings,
    );
  });
});

it('the nearest route for a misspelled path is found, and none for a path that resembles no route', async () => {
  const routes = routesOf(await loadFixtures());
  const nearest = (method: string, path: string) => nearestRoute(routes, method, path)?.path;
  expect(nearest('POST', '/init/authenticate/merchant/walet')).toBe('/init/authenticate/merchant/wallet');
  expect(nearest('POST', '/Init/Authenticate/Merchant/BulkWallet')).toBe('/init/authenticate/merchant/bulkWallet');
  expect(nearest('POST', '/wallet')).toBe('/init/authenticate/merchant/wallet');
  expect(nearest('GET', '/init/curencies/all')).toBe('/init/currencies/all');
  expect(nearest('POST', '/api/cancelRecuringPayment')).toBe('/api/cancelRecurringPayment/{id}');
  expect(nearest('POST', '/api/cancelRecuringPayment/3')).toBe('/api/cancelRecurringPayment/{id}');
  expect(nearest('POST', '/sandbox/api/merchant/fastCheckOut')).toBe('/api/merchant/sandbox/fastCheckOut');
  expect(nearest('POST', '/merchant/init/authenticate/merchant/wallet')).toBe('/init/authenticate/merchant/wallet');
  expect(nearest('POST', '/API/merchant/fastcheckout')).toBe('/api/merchant/fastCheckOut');
  const otherRoutes = [
    '/',
    '/api/getRecurringPayment',
    '/api/requestPaymentTokenAndRefund',
    '/all',
    '/merchant',
    '/api/refundPayment',
    '/api/listPayments',
    '/init/countries/all',
    `/${'x'.repeat(100_000)}`,
  ];
  expect(otherRoutes.map((path) => nearest('POST', path))).toEqual(otherRoutes.map(() => undefined));
});
