import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { freePort } from '../running.ts';
import { openSession } from '../server/app/open-bundle.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { ADAPTER, createFileWriter, createProgramExaminer, faultyShopSource, SHOP } from './examine-in.ts';

const folder = temporaryFolders()();
const examine = createProgramExaminer(folder);
const write = createFileWriter(folder);
const FILE = write('a-file', '');

it('a faulty shop is reported with a story, a test and a bundle that can be opened', async () => {
  const [junit, html] = [join(folder, 'report.xml'), join(folder, 'report.html')];
  const { code, stdout, verdicts } = await examine({
    shop: write('faulty.mjs', faultyShopSource('fulfils again with each notification')),
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
  expect(readFileSync(`${test}`, 'utf8')).toContain(
    `itHolds("I2-notified-twice-mobile-money", { ...SHOP, amount: "${amount}" });`,
  );
  const opened = await openSession(readFileSync(String(bundle), 'utf8'));
  const { items } = await opened.session.payments();
  expect(items[0]).toMatchObject({ state: 'Paid', amount });
  await opened.sandbox.close();
});

it.each(['examine', 'probe'])(
  'the help of %s says that bundles are by default in the data folder, which .gitignore lists',
  async (name) => {
    const { stdout } = await runCommand([name, '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(default sandbox-data/examination)');
    expect(readFileSync('.gitignore', 'utf8').split('\n')).toContain('sandbox-data/');
  },
);

it.each([
  ['an adapter that does not exist', ['nowhere.mjs'], /nowhere\.mjs cannot be loaded/],
  ['a file that is not an adapter', ['package.json'], /cannot be loaded|is not a valid adapter/],
  ['an unknown situation', [ADAPTER, '--only', 'answer-lots'], /did you mean answer-lost/],
  [
    'a budget that is not a duration',
    [ADAPTER, '--budget', 'long'],
    /--budget takes a number of seconds or a duration/,
  ],
  ['a seed that is not a number', [ADAPTER, '--seed', 'x'], /--seed takes a whole number/],
  [
    'a file in place of the folder of bundles',
    [ADAPTER, '--bundles', FILE],
    /no file can be written to .* is not a folder/,
  ],
  [
    'a folder of bundles within a file',
    [ADAPTER, '--bundles', join(FILE, 'a')],
    /no file can be written to .* is not a folder/,
  ],
  ['a folder in place of a report', [ADAPTER, '--html', folder], /cannot be written: it is a folder/],
])('the command examine refuses %s', async (_what, args, words) => {
  const command = `"${process.execPath}" ${SHOP}`;
  const port = String(await freePort());
  const { code, stderr } = await runCommand(['examine', ...args, '--command', command], { PORT: port });
  expect(stderr).toMatch(words);
  expect(code).toBe(2);
});

it('--init writes an adapter to complete, and does not overwrite a file', async () => {
  const file = join(folder, 'new.mjs');
  expect(await runCommand(['examine', file, '--init'])).toMatchObject({ code: 0 });
  const { placeOrder, orderState } = await import(file);
  expect([typeof placeOrder, typeof orderState]).toEqual(['function', 'function']);
  const again = await runCommand(['examine', file, '--init']);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') });
});
