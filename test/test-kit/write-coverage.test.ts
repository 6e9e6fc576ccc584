import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mergeCoverages } from '../../src/base/report/coverage-cells.ts';
import type { SandboxOptions } from '../../src/test-kit/options.ts';
import { useSandboxWith } from '../../src/test-kit/use-sandbox.ts';
import { payOn, queryStatus, REFERENCE, seenIn } from '../server/findings/coverage/merchant.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { HooksOfFile } from './hooks.ts';

const temporaryFolder = temporaryFolders();

/** Runs a test file whose only test sees an outcome. */
async function runFile(name: string, outcome: 'Paid' | 'Failed', options: SandboxOptions): Promise<void> {
  const hooks = new HooksOfFile();
  const session = useSandboxWith(hooks, () => resolve(name), { ...options, settings: {} });
  await hooks.runTests(async () => {
    await payOn(session);
    await session.settle(REFERENCE, outcome);
    await queryStatus(session);
  });
}

it('the kit writes the coverage of each test file, which can be merged', async () => {
  const coverage = join(temporaryFolder(), 'coverage');
  await runFile('test/one.test.ts', 'Paid', { coverage });
  await runFile('test/two.test.ts', 'Failed', { coverage, sessionPer: 'test' });
  const files = readdirSync(coverage);
  expect(files).toEqual([expect.stringMatching(/^test-one.*\.json$/), expect.stringMatching(/^test-two.*\.json$/)]);
  const all = files.map((file) => JSON.parse(readFileSync(join(coverage, file), 'utf8')));
  expect(seenIn(mergeCoverages(all))).toEqual(['qr-wallet: Paid 00', 'qr-wallet: Failed 05']);
});

it('the kit writes one coverage file for a test file that runs again', async () => {
  const coverage = temporaryFolder();
  await runFile('test/one.test.ts', 'Paid', { coverage });
  await runFile('test/one.test.ts', 'Paid', { coverage });
  expect(readdirSync(coverage)).toHaveLength(1);
});

it('the kit fails if coverage cannot be written', async () => {
  const file = join(temporaryFolder(), 'a-file');
  writeFileSync(file, '');
  await expect(runFile('test/one.test.ts', 'Paid', { coverage: file })).rejects.toThrow(/EEXIST|ENOTDIR/);
});

it('the kit writes no coverage by default', async () => {
  await runFile('test/one.test.ts', 'Paid', {});
  expect(existsSync('coverage')).toBe(false);
});
