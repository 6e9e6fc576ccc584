import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ADAPTER, createFileWriter, createProgramExaminer, faultyShopSource, SHOP } from './examine-in.ts';

const folder = temporaryFolders()();
const examine = createProgramExaminer(folder);
const write = createFileWriter(folder);

it('a correct shop handles a lost answer, simultaneous notifications and refused queries', async () => {
  const { code, stdout, verdicts, report } = await examine({ only: 'answer-lost,notified-at-once,query-refused' });
  expect(stdout).toContain('Not a certification by any provider.');
  expect(verdicts.length).toBeGreaterThan(4);
  expect(verdicts.filter(({ verdict }) => !verdict.startsWith('handled'))).toEqual([]);
  expect(report.counts.violated).toBe(0);
  expect(code).toBe(0);
});

it('a shop that accepts forged notifications is detected', async () => {
  const { code, verdicts } = await examine({
    shop: write('faulty.mjs', faultyShopSource('does not verify signatures')),
    only: 'forged-signature',
  });
  expect(verdicts.find(({ invariant }) => invariant === 'I7')?.verdict).toBe('violated');
  expect(code).toBe(1);
});

it('a shop that requests a payment again before it knows the first outcome is detected', async () => {
  const shop = write('faulty.mjs', faultyShopSource('retries after a timeout without a status query'));
  const { verdicts } = await examine({ shop, only: 'answer-lost' });
  expect(verdicts.find(({ invariant }) => invariant === 'I10')?.verdict).toBe('violated');
});

it('an order is placed with the amount in --amount', async () => {
  const { verdicts } = await examine({
    shop: write('faulty.mjs', faultyShopSource('fulfils again with each notification')),
    only: 'notified-twice',
    more: ['--amount', '12.34'],
  });
  expect(verdicts).toMatchObject([{ amount: '12.34', verdict: 'violated' }]);
  expect(verdicts[0]?.history[0]?.text).toBe('accepts an order of 12.34 USD on mobile-money');
});

it('an examination has the same verdicts with the same seed', async () => {
  const run = async () => (await examine({ only: 'paid,call-refused', more: ['--seed', '7'] })).verdicts;
  expect(await run()).toEqual(await run());
});

it('a shop that does not query a payment if no notification arrives is detected', async () => {
  const shop = write('silent.mjs', readFileSync(SHOP, 'utf8').replace('async function reconcile() {', '$&\n  return;'));
  const { code, verdicts } = await examine({ shop, only: 'notified-never' });
  expect(verdicts.find(({ invariant }) => invariant === 'I4')?.verdict).toBe('violated');
  expect(code).toBe(1);
});

it('a situation that did not happen is not exercised, or inconclusive if a job may run by itself', async () => {
  const adapter = write(
    'silent-adapter.mjs',
    readFileSync(ADAPTER, 'utf8').replace('export const reconcile', 'const unused'),
  );
  const options = { adapter, only: 'query-lags', shop: write('asking.mjs', readFileSync(SHOP, 'utf8')) };
  const { code, verdicts } = await examine(options);
  // Without its job, this shop sends no status query, and only its user knows whether the job would run by itself.
  expect(verdicts.map(({ invariant, verdict }) => [invariant, verdict])).toEqual([
    ['I1', 'not-exercised'],
    ['I4', 'inconclusive'],
  ]);
  expect(verdicts[1]?.note).toContain('if a job does that later');
  expect(code).toBe(2);
});

it('the verdict on an order is inconclusive if the shop exits, and shows the output of the shop', async () => {
  const source = readFileSync(SHOP, 'utf8').replace(
    'const answer = await pay(order).catch(() => undefined);',
    'const answer = await pay(order).catch(() => {\n      console.log("all is lost");\n      process.exit(3);\n    });',
  );
  const { code, verdicts } = await examine({ shop: write('dying.mjs', source), only: 'answer-lost,failed' });
  const during = verdicts.filter(({ id }) => id.includes('answer-lost'));
  expect(new Set(during.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
  expect(during[0]?.note).toContain('the shop ended with exit code 3; its last output:\nall is lost');
  const after = verdicts.filter((each) => !during.includes(each));
  expect(new Set(after.map(({ verdict }) => verdict))).toEqual(new Set(['handled']));
  expect(code).toBe(2);
});

it.each([
  ['reports no amount', 'return { state, fulfilments };', 'must resolve with'],
  ['reports an invalid amount', 'return { state, fulfilments, paidAmount: "ten" };', 'must resolve with'],
  ['counts in words', 'return { state, fulfilments: "once", paidAmount };', 'must resolve with'],
  ['reports nothing', 'return undefined;', 'must resolve with'],
  ['fails', 'throw new Error("no such table");', 'no such table'],
  ['never reports a fulfilment', 'return { state, fulfilments: 0, paidAmount };', 'the order is not fulfilled'],
])('the verdict is inconclusive if the adapter %s', async (_what, words, note) => {
  const original = 'return { state, fulfilments, paidAmount };';
  const adapter = write('broken.mjs', readFileSync(ADAPTER, 'utf8').replace(original, words));
  const { code, verdicts } = await examine({ adapter, only: 'paid' });
  expect(verdicts).toMatchObject([{ verdict: 'inconclusive', note: expect.stringContaining(note) }]);
  expect(code).toBe(2);
});

it('--dry-run shows one order as both sides saw it', async () => {
  const { code, stdout } = await examine({ more: ['--dry-run'] });
  expect(stdout).toContain('shop sends POST /sandbox/init/authenticate/merchant/wallet');
  expect(stdout).toContain('shop says in the end: paid, fulfilled once');
  expect(code).toBe(0);
});

it('--dry-run reports that the shop set its own price for the order', async () => {
  const shop = write('faulty.mjs', faultyShopSource('initiates payments with rounded amounts'));
  const { code, stdout } = await examine({ shop, more: ['--dry-run', '--amount', '21.88'] });
  expect(code).toBe(1);
  expect(stdout).toContain(
    'the order is 21.88, but the payment is 21.00: if your shop has its own prices, use --amount 21.00',
  );
});

it('another program at the address of the shop is reported', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await runProgram(['examine', ADAPTER, '--command', 'true', '--app', address]);
  server.close();
  expect(stderr).toContain('something already answers');
  expect(code).toBe(2);
});
