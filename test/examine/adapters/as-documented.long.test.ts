import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAdapter } from '../../../src/examine/adapters/adapters.ts';
import { freePort, runProgram } from '../../running.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const folder = temporaryFolders()();
const DOCUMENT = readFileSync('docs/examine-adapters.md', 'utf8');

const codeBlocks = (language: string) =>
  [...DOCUMENT.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Examines the example shop in one situation. */
async function examine(adapter: string) {
  const json = join(folder, 'verdicts.json');
  const args = [
    '--command',
    `"${process.execPath}" scripts/examine-shops/shop/shop.mjs`,
    '--budget',
    '1ms',
    '--json',
    json,
  ];
  const result = await runProgram(['examine', adapter, '--only', 'mobile-money,notified-twice', ...args], {
    PORT: String(await freePort()),
  });
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(readFileSync(json, 'utf8')).verdicts.map(({ id, verdict }: Record<string, string>) => [
    id,
    verdict,
  ]);
}

const [templates = '', program = ''] = codeBlocks('json');
const PYTHON = readFileSync('examples/examine.py', 'utf8');
const hasPython = spawnSync('python3', ['--version']).status === 0;

it.each([
  ['templates', () => write('templates.json', templates)],
  ...(hasPython
    ? [['program', () => [write('program.json', program), write('examine.py', PYTHON)][0]] as [string, () => string]]
    : []),
])('a shop can be examined with the documented %s', async (_form, writeAdapter) => {
  expect(await examine(writeAdapter())).toEqual([['I2-notified-twice-mobile-money', 'handled']]);
});

it.each(['new.json', 'new.mjs'])(
  'the adapter that --init writes as %s examines a shop with the same paths',
  async (name) => {
    const file = join(folder, name);
    expect(await runProgram(['examine', file, '--init'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(name),
    });
    expect(readFileSync(file, 'utf8')).toContain('mail catcher');
    expect(await examine(file)).toEqual([['I2-notified-twice-mobile-money', 'handled']]);
  },
);

it('the documented lines are those that a program receives and may send', async () => {
  const [lines = ''] = codeBlocks('text');
  const exchanged = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [requests, answers] = [0, 1].map((rest) => exchanged.filter((_line, index) => index % 2 === rest));
  const replay = `
    import { appendFileSync } from 'node:fs';
    import { createInterface } from 'node:readline';
    const answers = ${JSON.stringify(answers)};
    for await (const line of createInterface({ input: process.stdin })) {
      appendFileSync('requests', line + '\\n');
      console.log(JSON.stringify(answers.shift()));
    }
  `;
  write('replay.mjs', replay);
  const command = `"${process.execPath}" replay.mjs`;
  const file = write('replay.json', JSON.stringify({ program: command, calls: ['reconcile'] }));
  const { adapter, close } = await loadAdapter(file);
  const { signal } = new AbortController();
  expect(await adapter.placeOrder({ ...requests?.[0].order, signal })).toEqual({ orderId: '17' });
  expect(await adapter.orderState('17')).toEqual({ state: 'paid', fulfilments: 1, paidAmount: '10.00' });
  expect(await adapter.reconcile?.()).toBeNull();
  await expect(adapter.placeOrder({ ...requests?.[3].order, signal })).rejects.toMatchObject({ orderId: '18' });
  await close();
  const lineOf = (each: unknown) => `${JSON.stringify(each)}\n`;
  expect(readFileSync(join(folder, 'requests'), 'utf8')).toBe(requests?.map(lineOf).join(''));
});
