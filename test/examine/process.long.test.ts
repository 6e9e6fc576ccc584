import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examine } from '../../scripts/examine-shops/examine.mjs';
import { temporaryFolders } from '../temporary-folder.ts';

const SHOP_FOLDER = 'test/examine/reconciler';
const KILLED = 'race-killed-while-notified-paid';
const ZONES = ['zone-ahead', 'zone-behind'].flatMap((id) => [id, `${id}-expired`, `${id}-unnotified`]);
const folder = temporaryFolders()();

const HANDLES = '  await syncPayment(order);\n  return 204;';

/** Longer than a busy machine needs to kill the shop. */
const HANDLING_MS = 4000;

/** Records a notification as handled, in a file, before it is handled. */
const RECORDS_FIRST = `
  const { appendFileSync, existsSync, readFileSync } = await import('node:fs');
  const seen = process.env.SHOP_DATA + '.seen';
  if (existsSync(seen) && readFileSync(seen, 'utf8').includes(headers['webhook-id'])) {
    return 204;
  }
  appendFileSync(seen, headers['webhook-id'] + ' ');
  await new Promise((resolve) => setTimeout(resolve, ${HANDLING_MS}));
${HANDLES}`;

/** Acknowledges a notification before it is handled. */
const ACKNOWLEDGES_FIRST = `  setTimeout(() => syncPayment(order), ${HANDLING_MS});\n  return 204;`;

/** Reads a time without its zone, as if it were in the shop's zone. */
const IGNORES_ZONE = `
  const paidAt = Date.parse(JSON.parse(body).paymentDate.slice(0, 19));
  if (Math.abs(paidAt - Date.now()) > 6 * 3_600_000) {
    return 400;
  }
${HANDLES}`;

const QUERIES_ALL = 'for (const order of orders) {';
const QUERIES_NONE = 'for (const order of []) {';

/** Reads the time of an order, stored in UTC, as if it were in the shop's zone: west of UTC, no order is old enough to be queried. */
const QUERIES_BY_LOCAL_TIME = `
  const storedAt = Date.parse(new Date().toISOString().slice(0, 19));
  for (const order of storedAt > Date.now() ? [] : orders) {`;

/** Resolves with the verdicts for a copy of the shop that handles notifications, or runs its job, in another way. */
async function findVerdicts(name: string, only: readonly string[], handling = HANDLES, job = QUERIES_ALL) {
  const copy = join(folder, name);
  cpSync(SHOP_FOLDER, copy, { recursive: true });
  const file = join(copy, 'shop.mjs');
  const source = readFileSync(file, 'utf8');
  expect(source).toContain(HANDLES);
  expect(source).toContain(QUERIES_ALL);
  writeFileSync(file, source.replace(HANDLES, () => handling).replace(QUERIES_ALL, job));
  const { verdicts } = await examine({
    adapter: `${SHOP_FOLDER}/examine.mjs`,
    command: `"${process.execPath}" "${file}"`,
    folder,
    args: ['--only', ['mobile-money', ...only].join(','), '--budget', '1ms'],
  });
  return Object.fromEntries(verdicts.map(({ id, verdict }) => [id.replace('-mobile-money', ''), verdict]));
}

it('a correct shop has no violations after it was killed, or in other time zones', async () => {
  const all = await findVerdicts('correct', [KILLED, ...ZONES]);
  expect(Object.keys(all)).toEqual(
    expect.arrayContaining([`I4-${KILLED}`, ...ZONES.map((id) => `${id.endsWith('expired') ? 'I11' : 'I4'}-${id}`)]),
  );
  expect(Object.values(all).filter((verdict) => !verdict.startsWith('handled'))).toEqual([]);
});

it.each([
  ['remembers a notification before it has handled it', RECORDS_FIRST],
  ['acknowledges a notification before it has stored it', ACKNOWLEDGES_FIRST],
])('a shop that %s is detected when it is killed', async (_what, handling) => {
  const all = await findVerdicts('forgetful', [KILLED], handling, QUERIES_NONE);
  expect(all).toMatchObject({ [`I4-${KILLED}`]: 'violated' });
});

it('a reconciliation job repairs an order whose notification was lost when the shop was killed', async () => {
  expect((await findVerdicts('repaired', [KILLED], RECORDS_FIRST))[`I4-${KILLED}`]).toBe('handled-after-reconcile');
});

it('a shop that reads times in its own zone is detected', async () => {
  const all = await findVerdicts('at-home', ['paid', ...ZONES], IGNORES_ZONE);
  expect(all).toMatchObject({ 'I4-paid': 'handled', 'I15-zone-ahead': 'violated', 'I15-zone-behind': 'violated' });
});

it('a shop whose job reads stored times in its own zone is detected', async () => {
  const all = await findVerdicts('by-local-time', ['notified-never', ...ZONES], HANDLES, QUERIES_BY_LOCAL_TIME);
  expect(all).toMatchObject({ 'I4-zone-behind': 'handled', 'I4-zone-ahead-unnotified': 'handled-after-reconcile' });
  expect(all['I4-zone-behind-unnotified']).toBe('violated');
});
