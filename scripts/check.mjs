// `npm test`: checks and tests that are quick; with --all (`npm run test:all`) every check, and also the long tests, *.long.test.ts.
// `npm test -- server/domain` runs the quick tests of one room. All checks run even if one fails; the last line has their number.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { canRun, SHOPS } from './examine-shops/shops.mjs';
import { processorTime, slowness } from './processor-time.mjs';

/** All temporary files of the run, so that none is left if a test, a browser or a database is ended before it removes its own. */
const folder = mkdtempSync(join(tmpdir(), 'sandbox-check-'));
// A database that root starts runs as another user.
chmodSync(folder, 0o755);
const results = join(folder, 'jest.json');
const times = join(folder, 'processor-times.jsonl');

const words = process.argv.slice(2);
const isAll = words.includes('--all');
const tests = words.filter((each) => each !== '--all');
/** The number of test files that are listed with their processor time. */
const MOST_EXPENSIVE = Number(process.env['MOST_EXPENSIVE'] ?? 10);
const LONG = /\.long\.test\.tsx?$/;
/**
 * Seconds for all of `npm test`: about three minutes on two cores. Without a limit it would grow until nobody runs it before a commit.
 * A slower machine gets more, because only tests that do more work are a mistake.
 */
const PROCESSOR_TIME_BUDGET = 330;

/** Checks that must pass before the tests can run. */
const PREPARATIONS = [
  ['build', 'node', ['scripts/build.mjs']],
  ['a browser for the tests', 'node', ['scripts/browser.mjs']],
];
/** Run one after the other in parallel with the tests, which often wait. */
const QUICK_CHECKS = [
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the console', 'tsc', ['-p', 'src/console']],
  ['format and lint', 'biome', ['ci', '--error-on-warnings', '.']],
  ['plain words', 'node', ['scripts/words.mjs']],
  ['names of types', 'node', ['scripts/type-names.mjs']],
  ['the public surface is as recorded', 'node', ['scripts/public-surface.mjs', '--check']],
];
/** Only with --all, because few changes fail these checks, and together they take as long as those above. */
const OTHER_CHECKS = [
  ['generated types are fresh', 'node', ['scripts/generate-types.mjs', '--check']],
  ['the table of settings is fresh', 'node', ['scripts/generate-settings.mjs', '--check']],
  ['import rules', 'depcruise', ['src', '--config', 'scripts/import-rules.cjs']],
  ['import rules of the pages', 'depcruise', ['src', '--config', 'scripts/import-rules-pages.cjs']],
  ['unused code and dependencies', 'knip', []],
  ['image, compose file and action', 'node', ['scripts/lint-deployment.mjs']],
];

/** Random cases find errors that written ones do not; with --all, all of them run. */
const CASES = process.env['CASES'] ?? (isAll ? '1' : '0.1');
const environment = {
  ...process.env,
  CASES,
  PROCESSOR_TIMES: times,
  TMPDIR: folder,
  PATH: `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}`,
};

/** Resolves with whether the command succeeded. Its output is shown immediately, or completely at the end. */
function run(command, args, isShownWhole = false) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', ...Array(2).fill(isShownWhole ? 'pipe' : 'inherit')],
      env: environment,
    });
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    child.on('error', () => resolve(false));
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

let [passed, failed] = [0, 0];
function count(name, isPassed, started) {
  console.log(`${isPassed ? 'pass' : 'FAIL'}  ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`);
  if (isPassed) {
    passed += 1;
  } else {
    failed += 1;
  }
}

async function check(checks, isShownWhole) {
  for (const [name, command, args] of checks) {
    const started = performance.now();
    count(name, await run(command, args, isShownWhole), started);
  }
}

const slownessBefore = slowness();
await check(PREPARATIONS, false);
const started = performance.now();
const checked = check(isAll ? [...QUICK_CHECKS, ...OTHER_CHECKS] : QUICK_CHECKS, true);
const areGreen = await run('npm', [
  ...['run', '--silent', 'test:only', '--', '--json', `--outputFile=${results}`],
  ...(isAll ? [] : ['--testPathIgnorePatterns', '/node_modules/', LONG.source, '--']),
  ...tests,
]);
await checked;
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = readResults();
passed += numPassedTests;
failed += numFailedTests;
count('tests', areGreen, started);
count('no test is skipped', numPendingTests + numTodoTests === 0, started);
if (tests.length === 0) {
  count('every test file ran', testResults.length === countTestFiles('test') && testResults.length > 0, started);
}
const total = showProcessorTime();
if (!isAll && tests.length === 0) {
  const budget = PROCESSOR_TIME_BUDGET * Math.max(slownessBefore, slowness());
  count(`at most ${budget.toFixed(0)} s of processor time`, total <= budget, started);
}
rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
if (isAll) {
  for (const { name, needs } of SHOPS.filter((shop) => !canRun(shop))) {
    console.log(`not examined: the ${name} shop, because ${needs[0]} or a library of it is missing`);
  }
}
// CI reads this line, which is the last.
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  }
}

/** Prints the processor time, and returns it in seconds. */
function showProcessorTime() {
  const total = processorTime();
  const lines = existsSync(times) ? readFileSync(times, 'utf8').split('\n').filter(Boolean) : [];
  const files = lines.map((line) => JSON.parse(line)).sort((one, other) => other.seconds - one.seconds);
  const inTests = files.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(
    `${total.toFixed(0)} s of processor time, ${inTests.toFixed(0)} s of it in ${files.length} test files; most in`,
  );
  for (const { testPath, seconds } of files.slice(0, MOST_EXPENSIVE)) {
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${relative('.', testPath)}`);
  }
  return total;
}

function countTestFiles(path) {
  // The generators of clients have separate packages below test/.
  const isTest = (name) => /\.test\.tsx?$/.test(name) && !name.includes('node_modules') && (isAll || !LONG.test(name));
  return readdirSync(path, { recursive: true }).filter(isTest).length;
}
