// The cost of a test for a user: a suite of a thousand tests in each test runner, compared with as many bare calls.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inTurns, median, medianOf } from '../measure.mjs';

const TESTS = 1000;
const DEFINE = JSON.stringify(resolve('scripts/bench/user-suite/tests.cjs'));
const bin = (path) => resolve('node_modules', path);

/** How each runner loads the tests. */
export const RUNNERS = [
  {
    name: 'Jest',
    file: 'suite.test.js',
    text: `require(${DEFINE}).define({ test, beforeAll, afterAll });`,
    args: [bin('jest/bin/jest.js'), '--rootDir=.', '--runInBand', '--silent'],
  },
  {
    name: 'Vitest',
    file: 'suite.spec.mjs',
    text:
      "import { createRequire } from 'node:module';\nimport { afterAll, beforeAll, test } from 'vitest';\n" +
      `createRequire(import.meta.url)(${DEFINE}).define({ test, beforeAll, afterAll });`,
    args: [bin('vitest/vitest.mjs'), 'run', '--silent'],
  },
  {
    name: 'node:test',
    file: 'suite.test.cjs',
    text: `const { after, before, test } = require('node:test');\nrequire(${DEFINE}).define({ test, beforeAll: before, afterAll: after });`,
    args: ['--test', '--test-reporter=dot', 'suite.test.cjs'],
  },
];
/** Alternatives to a sandbox, if they are installed in the folder of --peers. */
const PEERS = [
  { subject: 'nock', words: 'nock answers in the process, and checks and keeps nothing' },
  { subject: 'mockttp', words: 'mockttp serves fixed answers, and keeps calls until its reset' },
];

export async function benchUserSuite(options) {
  const rows = [];
  for (const runner of RUNNERS) {
    const [own, bare] = await inTurns(
      options.rounds,
      () => runSuite(runner, 'sandbox', options),
      () => runSuite(runner, 'bare', options),
    );
    const perTest = (results) => `${medianOf(results, 'perTest').toFixed(1)} ms`;
    rows.push(
      {
        name: `a test in ${runner.name}, ms more than for bare calls`,
        value: median(own.map((each, round) => each.perTest - bare[round].perTest)),
        aim: 3,
        isMaximum: true,
        note: `${perTest(own)} against ${perTest(bare)}`,
      },
      { name: `the first test in ${runner.name}, ms`, value: medianOf(own, 'first'), aim: 400, isMaximum: true },
    );
  }
  // This runner loads modules like Node.js itself.
  const runner = RUNNERS[2];
  for (const { subject, words } of PEERS.filter((peer) => isInstalled(peer.subject, options))) {
    const [theirs, bare] = await inTurns(
      options.rounds,
      () => runSuite(runner, subject, options),
      () => runSuite(runner, 'bare', options),
    );
    rows.push({
      name: `the same calls to ${subject} in ${runner.name}, ms more than bare`,
      value: median(theirs.map((each, round) => each.perTest - bare[round].perTest)),
      note: words,
    });
  }
  return rows;
}

const isInstalled = (name, { peers }) => existsSync(resolve(peers, 'node_modules', name));

/** Runs the suite once, in a separate folder; resolves with its report. `build` is the folder of the build to test. */
export async function runSuite({ file, text, args }, subject, { folder, peers, build = resolve('.') }) {
  const project = mkdtempSync(join(folder, 'suite-'));
  const report = join(project, 'report.json');
  writeFileSync(join(project, 'package.json'), '{}');
  writeFileSync(join(project, file), text);
  const child = spawn(process.execPath, args, {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...{ TESTS: String(TESTS), SUBJECT: subject, REPORT: report, PEERS: resolve(peers), BUILD: build },
      NODE_PATH: resolve('node_modules'),
    },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error(`the suite with ${subject} ended with ${code}: ${args.join(' ')}`);
  }
  return JSON.parse(readFileSync(report, 'utf8'));
}
