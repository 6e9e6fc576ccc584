import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { freePort } from '../running.ts';
import { openSession } from '../server/app/open-bundle.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ADAPTER, examineIn, SHOP, wrongShop } from './examine-in.ts';

const folder = temporaryFolders()();
const FILE = write('a-file', '');

const examine = examineIn(folder);

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function wrongShop(name: string): string {
  const mutant = MUTANTS.find((each: Mutant) => each.name === name) as Mutant;
  return write('wrong.mjs', patched(mutant, readFileSync(SHOP, 'utf8')));
}

it('reports that a correct shop handles every situation', async () => {
  const { code, stdout, verdicts, report } = await examine({ only: 'answer-lost,notified-at-once,query-refused' });
  expect(stdout).toContain('Not a certification by any provider.');
  expect(verdicts.length).toBeGreaterThan(4);
  expect(verdicts.filter(({ verdict }) => !verdict.startsWith('handled'))).toEqual([]);
  expect(report.counts.violated).toBe(0);
  expect(code).toBe(0);
});

it('reports the violation of a faulty shop in every format, with a story and a bundle that can be opened', async () => {
  const [junit, html] = [join(folder, 'report.xml'), join(folder, 'report.html')];
  const { code, stdout, verdicts } = await examine({
    shop: write('wrong.mjs', wrongShop('fulfils again with each notification')),
    only: 'notified-twice',
    more: ['--junit', junit, '--html', html],
  });
  expect(verdicts).toMatchObject([{ id: 'I2-notified-twice-mobile-money', verdict: 'violated' }]);
  const [{ history, bundle, test } = { history: [], bundle: null, test: null }] = verdicts;
  expect(history.map(({ text }) => text).join('\n')).toContain('fulfilled 2 times');
  expect(stdout).toContain('VIOLATED I2');
  expect(code).toBe(1);
  expect(readFileSync(junit, 'utf8')).toContain('failures="1"');
  expect(readFileSync(html, 'utf8')).toContain('An order is fulfilled once');
  const amount = /accepts an order of (\d+\.\d\d) USD/.exec(history[0]?.text ?? '')?.[1];
  expect(readFileSync(`${test}`, 'utf8')).toContain(`"--amount",\n  "${amount}"`);
  const opened = await openSession(readFileSync(String(bundle), 'utf8'));
  const { items } = await opened.session.payments();
  expect(items[0]).toMatchObject({ state: 'Paid', amount });
  await opened.sandbox.close();
});

it('detects that a shop accepts forged notifications', async () => {
  const { code, verdicts } = await examine({ shop: wrongShop('verifies no signature'), only: 'forged-signature' });
  expect(verdicts.find(({ invariant }) => invariant === 'I7')?.verdict).toBe('violated');
  expect(code).toBe(1);
});

it('detects that a shop requests a payment again before it knows the outcome of the first call', async () => {
  const shop = wrongShop('calls again at once where no answer came');
  const { verdicts } = await examine({ shop, only: 'answer-lost' });
  expect(verdicts.find(({ invariant }) => invariant === 'I10')?.verdict).toBe('violated');
});

it('places every order with the amount that is named', async () => {
  const { verdicts } = await examine({
    shop: wrongShop('fulfils again with each notification'),
    only: 'notified-twice',
    more: ['--amount', '12.34'],
  });
  expect(verdicts).toMatchObject([{ amount: '12.34', verdict: 'violated' }]);
  expect(verdicts[0]?.history[0]?.text).toBe('accepts an order of 12.34 USD on mobile-money');
});

it('has the same verdicts with the same seed', async () => {
  const run = async () => (await examine({ only: 'paid,call-refused', more: ['--seed', '7'] })).verdicts;
  expect(await run()).toEqual(await run());
});

it('detects that a shop never queries payments without a notification', async () => {
  const shop = write('silent.mjs', readFileSync(SHOP, 'utf8').replace('async function reconcile() {', '$&\n  return;'));
  const { code, verdicts } = await examine({ shop, only: 'notified-never' });
  expect(verdicts.find(({ invariant }) => invariant === 'I4')?.verdict).toBe('violated');
  expect(code).toBe(1);
});

it('reports a situation that never happened as not exercised', async () => {
  const adapter = write(
    'silent-adapter.mjs',
    readFileSync(ADAPTER, 'utf8').replace('export const reconcile', 'const unused'),
  );
  const options = { adapter, only: 'query-lags', shop: write('asking.mjs', readFileSync(SHOP, 'utf8')) };
  const { code, verdicts } = await examine(options);
  // Without its job this shop does not ask, and without asking it never learns that it was paid.
  expect(verdicts.map(({ invariant, verdict }) => [invariant, verdict])).toEqual([
    ['I1', 'not-exercised'],
    ['I4', 'violated'],
  ]);
  expect(code).toBe(1);
});

it('does not judge an order during which the shop exits, shows its last output, and restarts it for the next order', async () => {
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

it.each(['examine', 'probe'])(
  '%s keeps bundles in the data folder, which .gitignore lists, unless told otherwise',
  async (name) => {
    const { stdout } = await runCommand([name, '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(default sandbox-data/examination)');
    expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('sandbox-data/');
  },
);

it.each([
  ['reports no amount', 'return { state, fulfilments };', 'must resolve with'],
  ['reports an invalid amount', 'return { state, fulfilments, paidAmount: "ten" };', 'must resolve with'],
  ['counts in words', 'return { state, fulfilments: "once", paidAmount };', 'must resolve with'],
  ['reports nothing', 'return undefined;', 'must resolve with'],
  ['fails', 'throw new Error("no such table");', 'no such table'],
  ['never reports goods', 'return { state, fulfilments: 0, paidAmount };', 'the order is not fulfilled'],
])('judges nothing by an adapter that %s', async (_what, words, note) => {
  const right = 'return { state, fulfilments, paidAmount };';
  const adapter = write('broken.mjs', readFileSync(ADAPTER, 'utf8').replace(right, words));
  const { code, verdicts } = await examine({ adapter, only: 'paid' });
  expect(verdicts).toMatchObject([{ verdict: 'inconclusive', note: expect.stringContaining(note) }]);
  expect(code).toBe(2);
});

it.each([
  ['an adapter that is not there', ['nowhere.mjs'], /nowhere\.mjs cannot be loaded/],
  ['a file that is no adapter', ['package.json'], /cannot be loaded|is not a valid adapter/],
  ['a situation that there is not', [ADAPTER, '--only', 'answer-lots'], /did you mean answer-lost/],
  ['a budget that is no time', [ADAPTER, '--budget', 'long'], /--budget takes a time/],
  ['a seed that is no number', [ADAPTER, '--seed', 'x'], /--seed takes a whole number/],
  ['a file in place of the folder of bundles', [ADAPTER, '--bundles', FILE], /nothing can be kept in .* is no folder/],
  [
    'a folder of bundles within a file',
    [ADAPTER, '--bundles', join(FILE, 'a')],
    /nothing can be kept in .* is no folder/,
  ],
  ['a folder in place of a report', [ADAPTER, '--html', folder], /cannot be written: it is a folder/],
])('refuses %s', async (_what, args, words) => {
  const command = `"${process.execPath}" ${SHOP}`;
  const port = String(await freePort());
  const { code, stderr } = await runCommand(['examine', ...args, '--command', command], { PORT: port });
  expect(stderr).toMatch(words);
  expect(code).toBe(2);
});

it('writes an adapter to fill in, never over another file', async () => {
  const file = join(folder, 'new.mjs');
  expect(await runCommand(['examine', file, '--init'])).toMatchObject({ code: 0 });
  const { placeOrder, orderState } = await import(file);
  expect([typeof placeOrder, typeof orderState]).toEqual(['function', 'function']);
  const again = await runCommand(['examine', file, '--init']);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') });
});

it('--dry-run shows one order as both sides saw it', async () => {
  const { code, stdout } = await examine({ more: ['--dry-run'] });
  expect(stdout).toContain('shop sends POST /sandbox/init/authenticate/merchant/wallet');
  expect(stdout).toContain('shop says in the end: paid, fulfilled once');
  expect(code).toBe(0);
});

it('--dry-run reports that the shop set its own price for the order', async () => {
  const shop = wrongShop('rounds the amount that it asks for');
  const { stdout } = await examine({ shop, more: ['--dry-run', '--amount', '21.88'] });
  expect(stdout).toContain(
    'the order is 21.88, but the payment is 21.00: if your shop has its own prices, use --amount 21.00',
  );
});

it('reports that another program answers at the address of the shop', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await runProgram(['examine', ADAPTER, '--command', 'true', '--app', address]);
  server.close();
  expect(stderr).toContain('something already answers');
  expect(code).toBe(2);
});
