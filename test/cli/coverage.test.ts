import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownCoverage } from '../../src/index.ts';
import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { payOn, queryStatus, REFERENCE } from '../server/findings/coverage/merchant.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();

let sandbox: Sandbox;
let folder: string;

beforeEach(async () => {
  folder = newFolder();
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const run = (...words: string[]) => runCommand(['coverage', ...words, '--url', sandbox.url]);

/** Lets the code under test see one outcome. */
async function causeOutcome(outcome: 'Paid' | 'Failed', code: string, { client } = sandbox): Promise<void> {
  await payOn(client);
  await client.settle(REFERENCE, outcome, code);
  await queryStatus(client);
}

/** Writes the coverage file of a worker whose tests saw a single outcome; resolves with its path. */
async function writeWorkerFile(name: string, outcome: 'Paid' | 'Failed', code: string): Promise<string> {
  const otherSandbox = await startSandbox();
  await causeOutcome(outcome, code, otherSandbox);
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(await otherSandbox.client.coverage()));
  await otherSandbox.close();
  return file;
}

it('the command coverage lists unseen cells, each with a line of code that covers it, and explains the percentage', async () => {
  await causeOutcome('Paid', '00');
  const { code, stdout } = await run();
  expect(code).toBe(0);
  expect(stdout).toContain('1 of 251 behaviours seen (< 1 %). 0 % if each class counts the same.');
  expect(stdout).toContain('Coverage is not correctness');
  expect(stdout).not.toContain('qr-wallet: Paid 00');
  expect(stdout).toContain("  qr-wallet: Failed 51\n    await session.settle(reference, 'Failed', '51');\n");
});

it('the command coverage reports the degree of a cell that does not count as seen', async () => {
  await payOn(sandbox.client);
  await sandbox.client.settle(REFERENCE, 'Failed', '51');
  expect((await run()).stdout).toContain('qr-wallet: Failed 51 (it happened, but your code was not notified)');
});

it('the command coverage reports a completely unseen channel only once', async () => {
  await causeOutcome('Paid', '00');
  const { stdout } = await run();
  expect(stdout).toContain('  card-switch: none of 11 seen; begin with Paid 000.000.000\n');
  expect(stdout).not.toContain('card-switch: Failed');
});

it('the command coverage merges the files of workers, without a sandbox', async () => {
  await writeWorkerFile('one.json', 'Paid', '00');
  const other = await writeWorkerFile('two.json', 'Failed', '51');
  await sandbox.close();
  expect((await run(folder)).stdout).toContain('2 of 251 behaviours seen');
  expect((await run(folder, other, other)).stdout).toContain('2 of 251 behaviours seen');
  sandbox = await startSandbox();
});

it('the command coverage can read the files that it writes', async () => {
  await causeOutcome('Paid', '00');
  const file = join(folder, 'deep', 'coverage.json');
  await run('--json', file);
  const written: ShownCoverage = JSON.parse(readFileSync(file, 'utf8'));
  expect(written).toEqual(await sandbox.client.coverage());
  expect((await run(file)).stdout).toBe((await run()).stdout);
});

it('the coverage page has every unseen cell with its line of code, and no link to another page', async () => {
  await causeOutcome('Paid', '00');
  const file = join(folder, 'coverage.html');
  await run('--html', file);
  const page = readFileSync(file, 'utf8');
  expect(page).toContain('Coverage is not correctness');
  expect(page).toContain('content="width=device-width, initial-scale=1"');
  const { cells } = await sandbox.client.coverage();
  expect(page.match(/<code class="command">/g)).toHaveLength(cells.length - 1);
  expect(page).not.toMatch(/(?:src|href)="(?!#)|@import|url\(/);
});

it('the exit code of coverage is 1 below the percentage of --min, and 0 at that percentage', async () => {
  await causeOutcome('Paid', '00');
  await run('--json', join(folder, 'all.json'));
  const all: ShownCoverage = JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8'));
  const half = all.cells.map((cell, index) => ({ ...cell, degree: index % 2 === 0 ? 'seen' : 'never' }));
  const file = join(folder, 'half.json');
  writeFileSync(file, JSON.stringify({ ...all, cells: half }));
  const { stdout } = await run(file);
  const percent = Number(/(\d+) % if each class/.exec(stdout)?.[1]);
  expect(percent).toBeGreaterThan(40);
  expect((await run(file, '--min', String(percent))).code).toBe(0);
  const below = await run(file, '--min', String(percent + 1));
  expect(below.code).toBe(1);
  expect(below.stdout).toContain(`${percent} % is below --min ${percent + 1}`);
});

it('a coverage of 99.6 % is not rounded to 100 % in any format, or for --min', async () => {
  const cells = Array.from({ length: 250 }, (_, index) => ({
    class: 'outcomes',
    of: 'qr-wallet',
    what: `Failed ${index}`,
    degree: index === 0 ? 'never' : 'seen',
    try: '',
  }));
  const file = join(folder, 'most.json');
  const classes = [{ class: 'outcomes', seen: 249, reachable: 250 }];
  writeFileSync(file, JSON.stringify({ percent: 100, classes, cells }));
  const [json, html] = [join(folder, 'most-again.json'), join(folder, 'most.html')];
  const { code, stdout } = await run(file, '--min', '100', '--json', json, '--html', html);
  expect(code).toBe(1);
  expect(stdout).toContain('249 of 250 behaviours seen (99 %). 99 % if');
  expect(stdout).toContain('99 % is below --min 100');
  expect(JSON.parse(readFileSync(json, 'utf8')).percent).toBe(99);
  expect(readFileSync(html, 'utf8')).toContain('249 of 250 behaviours seen (99 %). 99 % if');
  expect((await run(file, '--min', '99')).code).toBe(0);
});

it('the exit code of coverage is 1 if a cell was seen in --compare but is not now, and the cell is named', async () => {
  const one = await writeWorkerFile('one.json', 'Paid', '00');
  const two = await writeWorkerFile('two.json', 'Failed', '51');
  const { code, stdout } = await run(one, '--compare', two);
  expect(code).toBe(1);
  expect(stdout).toContain(
    "Seen before, but not now:\n  outcomes: qr-wallet: Failed 51\n    await session.settle(reference, 'Failed', '51');\n",
  );
  expect((await run(one, two, '--compare', two)).code).toBe(0);
  writeFileSync(two, `\uFEFF${readFileSync(two, 'utf8').replaceAll('\n', '\r\n')}`);
  expect((await run(one, two, '--compare', two)).code).toBe(0);
});

it.each([
  ['an invalid percentage', ['--min', '101'], '--min takes a whole number from 0 to 100, not 101'],
  ['a file that is not there', ['missing.json'], 'missing.json cannot be read'],
  ['a folder without coverage', ['empty'], 'there is no coverage in'],
  ['a file that is not JSON', ['cut.json'], 'cut.json is not JSON: it ends too early, at line 1, column 2'],
  ['a file that is not a coverage file', ['other.json'], 'is not a coverage file: $.percent'],
])('the command coverage refuses %s with exit code 2', async (_title, words, reason) => {
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'other.json'), '{}');
  writeFileSync(join(folder, 'cut.json'), '{');
  const { code, stderr } = await run(
    ...words.map((word) => (/^\w/.test(word) && !/^\d/.test(word) ? join(folder, word) : word)),
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});

it.each([
  ['the coverage of a session', ['coverage', '--session', 'one'], 'coverage is for all sessions'],
  ['the findings of a session without a name', ['findings', '--session', ''], '--session takes a name'],
])('a command for %s is rejected', async (_title, args, words) => {
  expect(await runCommand(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});
