import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examine } from '../../scripts/examine-shops/examine.mjs';
import { temporaryFolders } from '../temporary-folder.ts';

const SHOP_FOLDER = 'test/examine/reconciler';
const folder = temporaryFolders()();

/** Replaces a text in the source of the shop, and resolves with the verdicts of the situations in which the shop itself acts. */
async function findVerdicts(name: string, from = '', to = '') {
  const copy = join(folder, name);
  cpSync(SHOP_FOLDER, copy, { recursive: true });
  const file = join(copy, 'shop.mjs');
  const source = readFileSync(file, 'utf8');
  expect(source).toContain(from);
  writeFileSync(
    file,
    source.replace(from, () => to),
  );
  const { verdicts } = await examine({
    adapter: `${SHOP_FOLDER}/examine.mjs`,
    command: `"${process.execPath}" "${file}"`,
    folder,
    args: ['--only', 'mobile-money,shop-restarted,order-cancelled,shop-refunded', '--budget', '1ms'],
  });
  return Object.fromEntries(verdicts.map(({ id, verdict }) => [id.replace('-mobile-money', ''), verdict]));
}

it('a correct shop survives a restart, and handles cancelled and refunded orders', async () => {
  const all = await findVerdicts('correct');
  expect(Object.keys(all).sort()).toEqual([
    'I1-shop-restarted',
    'I12-order-cancelled',
    'I2-order-cancelled',
    'I2-shop-refunded',
    'I2-shop-restarted',
    'I4-shop-restarted',
    'I8-shop-refunded',
  ]);
  expect(Object.values(all).every((verdict) => verdict.startsWith('handled'))).toBe(true);
});

it('a shop that keeps the money of a cancelled order is detected', async () => {
  const all = await findVerdicts(
    'keeps',
    'if (isRight && WAITING',
    "if (isRight && order.state !== 'withdrawn' && WAITING",
  );
  expect(all).toMatchObject({ 'I12-order-cancelled': 'violated', 'I8-shop-refunded': 'handled' });
});

it('a shop in which a repeated notification makes a refunded order paid again is detected', async () => {
  const all = await findVerdicts('forgets', "'expired', 'withdrawn']", "'expired', 'withdrawn', 'refunded']");
  expect(all).toMatchObject({ 'I8-shop-refunded': 'violated', 'I12-order-cancelled': 'handled' });
});
