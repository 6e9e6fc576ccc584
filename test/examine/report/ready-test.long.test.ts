import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readyTestsOf } from '../../../src/examine/report/ready-test.ts';
import { INVARIANTS } from '../../../src/examine/verdicts/invariants.ts';
import { freePort } from '../../running.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { commandOf, installInto, runIn, writeFiles } from '../../user-project.ts';
import { AWKWARD, EVERY_VERDICT } from '../every-verdict.ts';
import { ADAPTER, faultyShopSource, SHOP } from '../examine-in.ts';

const CORRECT_SOURCE = readFileSync(SHOP, 'utf8');
const ID = 'I2-notified-twice-mobile-money';
const newFolder = temporaryFolders();
let project: string;

beforeAll(() => {
  project = newFolder();
  installInto(project);
  cpSync(ADAPTER, join(project, 'examine.mjs'));
});

/** Examines the faulty shop of the project, which violates one invariant. */
async function examineFaultyShop(packageJson: object, environment: Record<string, string>) {
  rmSync(join(project, 'sandbox-data/examination'), { recursive: true, force: true });
  writeFiles(project, {
    'package.json': JSON.stringify(packageJson),
    'a shop.mjs': faultyShopSource('fulfils again with each notification'),
  });
  const only = ['--only', 'notified-twice,mobile-money', '--budget', '1ms'];
  const args = ['examine', '--command', `"${process.execPath}" "a shop.mjs"`, ...only];
  return runIn(project, commandOf(project, 'merchant-sandbox', ...args), environment);
}

it.each([
  ['jest', 'cjs', { devDependencies: { jest: '*' } }],
  ['vitest', 'mjs', { devDependencies: { vitest: '*' } }],
  ['node-test', 'mjs', {}],
] as const)(
  'the generated tests run with %s as they are, fail for the faulty shop, and pass once it is fixed',
  async (runner, extension, packageJson) => {
    const port = String(await freePort());
    const summaryFile = join(project, `${runner}.md`);
    writeFileSync(summaryFile, 'what an earlier step said\n');
    const examined = await examineFaultyShop(packageJson, { PORT: port, GITHUB_STEP_SUMMARY: summaryFile });
    const file = `sandbox-data/examination/examine.test.${extension}`;
    expect(examined).toMatchObject({ code: 1, output: expect.stringContaining(`As a test: ${file}`) });
    const summary = readFileSync(summaryFile, 'utf8');
    expect(summary).toMatch(/^what an earlier step said\n### Examination of a shop\n\n\d+ orders? in /);
    expect(summary).toContain(`merchant-sandbox open sandbox-data/examination/${ID}.bundle`);

    // The tests use the same port as the examination.
    const environment = { GITHUB_STEP_SUMMARY: summaryFile };
    const test =
      runner === 'node-test'
        ? [process.execPath, '--test', '--test-reporter=tap', file]
        : commandOf(project, runner, ...(runner === 'vitest' ? ['run'] : []), file);
    const failed = await runIn(project, test, environment);
    expect(failed.output).toContain('VIOLATED I2');
    expect(failed.output).toContain('fulfilled 2 times');
    expect(failed.code).toBe(1);

    writeFiles(project, { 'a shop.mjs': CORRECT_SOURCE });
    const passed = await runIn(project, test, environment);
    expect([passed.code, passed.output]).toEqual([0, expect.stringMatching(/1 passed|# pass 1/)]);
    expect(readFileSync(summaryFile, 'utf8')).toBe(summary);
  },
);

it.each(['jest', 'vitest', 'node-test'] as const)(
  'the generated tests are valid for %s, even with awkward texts and arguments',
  async (runner) => {
    const repeatOptions = {
      runner,
      project: `../${AWKWARD}`,
      args: [AWKWARD, '--command', `echo ${AWKWARD} \u2029 \${x}`],
      port: AWKWARD,
      hasOwnSecret: true,
    };
    const text = readyTestsOf(
      EVERY_VERDICT.verdicts.map((each) => (each.bundle === null ? each : { ...each, bundle: AWKWARD })),
      repeatOptions,
    );
    const file = `awkward.${runner === 'jest' ? 'cjs' : 'mjs'}`;
    writeFiles(project, { [file]: text });
    expect(await runIn(project, [process.execPath, '--check', file])).toEqual({ code: 0, output: '' });
    expect(text).toContain(JSON.stringify(`echo ${AWKWARD} \u2029 \${x}`));
    expect(text.match(/^itHolds\(/gm)).toHaveLength(INVARIANTS.length + 1);
  },
);
