import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CaseVerdict, examine } from '../../scripts/examine-shops/examine.mjs';
import { canRun, SHOPS, type Shop } from '../../scripts/examine-shops/shops.mjs';
import { startPostgres } from '../../scripts/postgres/server.mjs';
import { startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ADAPTER, createFileWriter, faultyShopSource, SHOP } from './examine-in.ts';

/** Every single situation on one channel, and no pairs. */
const ONCE = ['--only', 'mobile-money', '--budget', '1ms'];
const GOOD_VERDICTS = ['handled', 'handled-after-reconcile', 'not-applicable'];
const folder = temporaryFolders()();
const write = createFileWriter(folder);

const commandFor = (shop: string) => `"${process.execPath}" "${shop}"`;
const faultyShop = (name: string) => write('faulty.mjs', faultyShopSource(name));

it.each(SHOPS.filter(canRun).map((shop: Shop): [string, Shop] => [shop.name, shop]))(
  'the correct shop %s has no violations',
  async (_name, shop) => {
    const { only } = shop;
    const args = only ? ['--only', `mobile-money,${only}`, '--budget', '1ms'] : ONCE;
    const { verdicts } = await examine({ ...shop, folder, args });
    expect(verdicts.length).toBeGreaterThan(only ? 15 : 60);
    // These shops have no page to return to, so most races are not exercised.
    const isTried = ({ situation, verdict }: CaseVerdict) =>
      !(situation.startsWith('race-') && verdict === 'not-exercised');
    expect(verdicts.filter((each) => isTried(each) && !GOOD_VERDICTS.includes(each.verdict))).toEqual([]);
  },
);

it.each([
  ['checks and fulfils without a lock', 'I2'],
  ['stores an order only after the call, and acknowledges unknown references', 'I9'],
  ['ignores a payment of a failed or expired order', 'I12'],
])('the examination detects that a shop %s', async (name, invariant) => {
  const args = ['--only', `mobile-money,${invariant}`, '--budget', '1ms'];
  const { verdicts } = await examine({ adapter: ADAPTER, command: commandFor(faultyShop(name)), folder, args });
  expect(verdicts).toContainEqual(expect.objectContaining({ invariant, verdict: 'violated' }));
});

it('the verdicts are the same with the same seed on every store', async () => {
  const command = commandFor(faultyShop('has no reconciliation job'));
  const only = 'mobile-money,notified-never,notified-at-once,answer-lost,failed,refunded';
  const examineOn = async (data: string) => {
    const { url, end } = await startProgram('start', '--port', '0', '--data', data);
    try {
      const args = ['--only', only, '--budget', '1ms', '--seed', '7', '--url', url];
      const { verdicts } = await examine({ adapter: ADAPTER, command, folder, args });
      return verdicts.map(({ id, verdict }) => `${id} ${verdict}`);
    } finally {
      await end('SIGTERM');
    }
  };
  const server = await startPostgres({ fsync: false });
  try {
    const inMemory = await examineOn(':memory:');
    expect(inMemory).toContain('I4-notified-never-mobile-money violated');
    expect(inMemory).toContain('I2-notified-at-once-mobile-money handled');
    expect(await examineOn(join(folder, 'records.json'))).toEqual(inMemory);
    expect(await examineOn(await server.newDatabase())).toEqual(inMemory);
  } finally {
    await server.stop();
  }
});

it.each(['placeOrder', 'orderState', 'reset'])('the verdict is inconclusive if %s hangs', async (name) => {
  const source = readFileSync(ADAPTER, 'utf8').replace(`export async function ${name}`, `async function answering`);
  const adapter = write('hanging.mjs', `${source}\nexport const ${name} = () => new Promise(() => {});\n`);
  const args = ['--only', 'mobile-money,paid', '--budget', '1ms'];
  const { verdicts } = await examine({ adapter, command: commandFor(SHOP), folder, args });
  expect(verdicts).toMatchObject([{ verdict: 'inconclusive', note: expect.stringMatching(/within 20 seconds/) }]);
});

it('the verdict on an order that a killed shop lost is inconclusive, even if the shop is restarted', async () => {
  const killed = "await pay(order).catch(() => process.kill(process.pid, 'SIGKILL'))";
  const source = readFileSync(SHOP, 'utf8').replace('await pay(order).catch(() => undefined)', killed);
  const command = `while :; do ${commandFor(write('killed.mjs', source))}; done`;
  const args = ['--only', 'mobile-money,answer-lost', '--budget', '1ms'];
  const { verdicts } = await examine({ adapter: ADAPTER, command, folder, args });
  expect(verdicts.map(({ invariant }) => invariant)).toEqual(expect.arrayContaining(['I3', 'I4', 'I10']));
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
});
