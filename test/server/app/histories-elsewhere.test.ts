import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PostgresServer, startPostgres } from '../../../scripts/postgres/server.mjs';
import { readBundle } from '../../../src/server/histories/bundle.ts';
import { single } from '../../interface/calls.ts';
import { LONG_WAIT } from '../../long-wait.ts';
import { startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { startReceiver } from '../domain/webhooks/receiver.ts';
import { ShopAtRandom } from './shop-at-random.ts';

const temporaryFolder = temporaryFolders();
const NOW = '2026-03-01T10:00:00Z';
/** Recorded once, on Node.js 20 and in memory, and the same since: `UPDATE_BUNDLE=1` records it anew. */
const KEPT = 'test/server/app/bundles/shop.ndjson';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: false });
});
afterAll(() => server.stop());

async function record(data: string, seed: number): Promise<string> {
  const receiver = await startReceiver();
  const sandbox = await startSandbox({ data });
  const session = await sandbox.client.createSession('shop', { now: NOW, seed: 'elsewhere' });
  await session.setEndpoints([{ url: receiver.url }]);
  await new ShopAtRandom(session, seed).run(16);
  const text = await session.bundle();
  await sandbox.close();
  await receiver.close();
  return text;
}

/** In a process of its own, by another clock on the wall. */
async function replay(file: string): Promise<string> {
  const env = { ...process.env, TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8' };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/cli.js', 'replay', file], { env });
  return stdout;
}

describe('a bundle', () => {
  it.each([
    ['memory', async () => ':memory:'],
    ['file', async () => join(temporaryFolder(), 'state.json')],
    ['postgres', () => server.newDatabase()],
  ])(
    'that was recorded on the store %s plays the same in memory, in another time zone and language',
    async (store, where) => {
      const text = await record(await where(), 3);
      const { manifest } = await readBundle(text);
      expect(manifest).toMatchObject({ store, difference: null });
      const file = join(temporaryFolder(), 'shop.ndjson');
      writeFileSync(file, text);
      expect(await replay(file)).toMatch(/^the same: \d+ steps\n$/);
    },
    LONG_WAIT.timeout,
  );

  it(
    'that ends with a call that was never answered says so, and does not end in silence',
    async () => {
      const sandbox = await startSandbox();
      const session = await sandbox.client.createSession('unanswered', { now: NOW, scenario: 'timeout-after-payment' });
      await expect(
        fetch(`${session.baseUrl}/sandbox/init/authenticate/merchant/wallet`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(single()),
          signal: AbortSignal.timeout(500),
        }),
      ).rejects.toThrow();
      const file = join(temporaryFolder(), 'unanswered.ndjson');
      writeFileSync(file, await session.bundle());
      await sandbox.close();
      expect(await replay(file)).toMatch(/^the same: \d steps?\n$/);
    },
    LONG_WAIT.timeout,
  );

  it('in which a wrong key is a part of the right one, or has it in it, plays the same', async () => {
    const sandbox = await startSandbox();
    const session = await sandbox.client.createSession('keys', { now: NOW });
    const right = String(single()['merchantKey']);
    const keys = [right, right.slice(0, -1), right, `${right}0`, right.slice(5), right];
    const pay = (merchantKey: string, number: number) =>
      fetch(`${session.baseUrl}/sandbox/init/authenticate/merchant/wallet`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(single({ merchantKey, payerReference: `ORDER-${number}` })),
      });
    const statuses: number[] = [];
    for (const [number, key] of keys.entries()) {
      statuses.push((await pay(key, number)).status);
    }
    const text = await session.bundle();
    await sandbox.close();
    const { manifest } = await readBundle(text);
    expect(statuses).toEqual(keys.map((key) => (key === right ? 200 : 401)));
    expect(manifest.difference).toBeNull();
  });

  it(
    'that was recorded by another version of Node.js, on another day, plays the same',
    async () => {
      if (process.env['UPDATE_BUNDLE']) {
        writeFileSync(KEPT, await record(':memory:', 7));
      }
      expect((await readBundle(readFileSync(KEPT, 'utf8'))).manifest.node).toMatch(/^20\./);
      expect(await replay(KEPT)).toMatch(/^the same: \d+ steps\n$/);
    },
    LONG_WAIT.timeout,
  );
});
