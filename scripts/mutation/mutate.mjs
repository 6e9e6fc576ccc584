// `npm run mutate -- server/sessions base/money.ts`: makes small changes to the code in these folders and files of src/,
// and lists those that no test notices. Without names, changes all of FOLDERS.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const FOLDERS = ['server/sessions', 'server/domain', 'server/store'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // By default, earlier results are reused if neither the code nor its tests changed. This tests everything again, as is
    // necessary after a change in other files.
    force: { type: 'boolean', default: false },
    // Limits the tests to a folder of test/, which is faster, and shows which mutants only tests of other folders kill.
    tests: { type: 'string', default: '' },
    // Omits `*.long.test.ts`, and mutants of code that runs when a module is loaded: each of those runs every test.
    quick: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
  },
});
const names = positionals.length > 0 ? positionals : FOLDERS;
const unknown = names.filter((name) => !existsSync(`src/${name}`));
if (unknown.length > 0) {
  console.error(`Not in src/: ${unknown.join(', ')}`);
  process.exit(2);
}

// Random histories and cases kill mutants that written tests do not; a larger number hardly kills more.
process.env['SIMULATION_RUNS'] ??= '50';
process.env['CASES'] ??= '0.5';

await new Stryker({
  mutate: names.map((name) => (name.endsWith('.ts') ? `src/${name}` : `src/${name}/**/*.ts`)),
  incremental: true,
  incrementalFile: 'reports/mutation/results.json',
  force: values.force,
  tempDirName: 'reports/mutation/sandboxes',
  // Without tsconfig.json, Stryker does not use the compiler API, which TypeScript 7 does not have.
  ignorePatterns: ['/coverage', '/sandbox-data', '/tsconfig.json'],
  concurrency: Number(values.workers),
  plugins: [
    '@stryker-mutator/jest-runner',
    './scripts/mutation/jest-by-file.mjs',
    './scripts/mutation/ignore-messages.mjs',
  ],
  ignorers: ['messages'],
  testRunner: 'jest-by-file',
  testRunnerNodeArgs: ['--no-warnings', '--experimental-vm-modules'],
  coverageAnalysis: 'perTest',
  ignoreStatic: values.quick,
  // Generous, because a mutant that times out counts as detected, also if only the machine was slow.
  timeoutMS: 30_000,
  // All tests, one file after the other in one process.
  dryRunTimeoutMinutes: 30,
  // The compiler strips types without checking them.
  disableTypeChecks: false,
  jest: {
    configFile: 'jest.config.mjs',
    enableFindRelatedTests: false,
    config: {
      // Stryker replaces this environment by its own, which measures the coverage of each test.
      testEnvironment: 'node',
      testMatch: [`<rootDir>/test/${values.tests}/**/*.test.ts`.replace('//', '/')],
      // Excluded: tests of the built program, which does not contain the mutants, the same tests on another store, and tests
      // that count turns of the event loop.
      testPathIgnorePatterns: [
        ...(values.quick ? ['\\.long\\.test\\.ts$'] : []),
        '/test/(browser|cli|crash|deployment|examples|server/http/openapi/generators|package|postgres|scripts)/',
        '/test/interface/on-postgres.long.test.ts',
        '/test/server/store/file/checkpoint.test.ts',
        '/test/server/http/tokens-in-requests.test.ts',
        '/test/examine/probe/probe-command.long.test.ts',
      ],
      // The changed sources in place of the built library.
      moduleNameMapper: { '^(\\.\\.?/)+sandbox\\.ts$': '<rootDir>/src/index.ts' },
      setupFiles: ['<rootDir>/scripts/mutation/stop-at-failure.mjs'],
      // Mutants that never end are detected sooner.
      testTimeout: 5_000,
    },
  },
  reporters: ['clear-text', 'html', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowEmojis: false, logTests: false },
  htmlReporter: { fileName: 'reports/mutation/report.html' },
}).runMutationTest();
