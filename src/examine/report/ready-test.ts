import { printable } from '../../base/text/printable.ts';
import { linesOf } from '../observation/story.ts';
import type { Found } from '../verdicts/findings.ts';
import { invariantOf } from '../verdicts/invariants.ts';
import { placeOf } from './report.ts';
import { expressionOf, hasSecret } from './secrets.ts';

/** Runners for which a test is written; their files differ. */
export type Runner = 'jest' | 'vitest';

/** The data that a test needs to repeat the examination. */
export interface Again {
  runner: Runner;
  /** From the folder of the test to the folder that the examination ran in. */
  project: string;
  /** The command and its arguments without the selection. */
  args: readonly string[];
  /** Whether the secret is the user's own: a file that others read must not have it. */
  hasOwnSecret: boolean;
}

/** Jest takes modules only behind a flag, and Vitest takes nothing else. */
const EXTENSIONS: Readonly<Record<Runner, string>> = { jest: 'test.cjs', vitest: 'test.mjs' };

export function testFileOf({ id }: Found, runner: Runner): string {
  return `${id}.${EXTENSIONS[runner]}`;
}

/** The test in full: it passes once the shop is right. */
export function readyTestOf(found: Found, { runner, project, args, hasOwnSecret }: Again): string {
  const { id, invariant, amount, history, bundle } = found;
  const { sentence } = invariantOf(invariant);
  const all = [...args, ...(amount === null ? [] : ['--amount', amount]), '--only', id, '--budget', '1ms'];
  const needsSecret = hasOwnSecret || all.some(hasSecret);
  return [
    `${invariant}: ${sentence}`,
    `Case: ${placeOf(found)}.`,
    '',
    'What happened:',
    ...linesOf(history).map((line) => `  ${line}`),
    '',
    ...(bundle === null ? [] : [`To see what happened: merchant-sandbox open ${bundle}`]),
    'This test tries the same case with the current version of the shop. It needs merchant-sandbox as a dependency of the project.',
    ...(needsSecret ? ['It needs the secret of the webhook receiver in the variable WEBHOOK_SECRET.'] : []),
  ]
    .map((line) => `// ${printable(line)}`.trimEnd())
    .concat(
      HEADS[runner],
      '',
      `const PROJECT = join(dirname(FILE), ${JSON.stringify(project)});`,
      ...(needsSecret ? [OWN_SECRET] : []),
      `const ARGS = [\n${all.map((each) => `  ${expressionOf(each)},`).join('\n')}\n];`,
      BODY,
      `test(${JSON.stringify(`${id}: ${sentence}`)}, async () => {`,
      '  const { code, output } = await inTurn(examine);',
      '  assert.equal(code, 0, output);',
      '}, LONGEST_MS);',
      '',
    )
    .join('\n');
}

const HEADS: Readonly<Record<Runner, string>> = {
  jest: `const assert = require('node:assert/strict');
const { execFile } = require('node:child_process');
const { mkdirSync, rmSync, statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { setTimeout } = require('node:timers/promises');

const FILE = __filename;`,
  vitest: `import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';

const FILE = fileURLToPath(import.meta.url);`,
};

const OWN_SECRET = `const SECRET = process.env.WEBHOOK_SECRET;
if (!SECRET) {
  throw new Error('WEBHOOK_SECRET is missing: set it to the secret of the webhook receiver');
}`;

const BODY = `const LONGEST_MS = 600_000;

/** Examines the shop in this one case. */
function examine() {
  const program = join(dirname(createRequire(FILE).resolve('merchant-sandbox/package.json')), 'dist/cli.js');
  const args = [program, ...ARGS, '--bundles', join(tmpdir(), 'merchant-sandbox-examination')];
  const options = { cwd: PROJECT, env: { ...process.env, GITHUB_STEP_SUMMARY: '' } };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, output: stdout + stderr });
    });
  });
}

/** The shop has one address, so tests that run at the same time take turns. */
async function inTurn(run) {
  const turn = join(dirname(FILE), '.turn');
  while (!takes(turn)) {
    await setTimeout(200);
  }
  try {
    return await run();
  } finally {
    rmSync(turn, { recursive: true, force: true });
  }
}

function takes(turn) {
  try {
    mkdirSync(turn);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw error;
    }
    // Removes the lock of a test that was killed.
    const { mtimeMs } = statSync(turn, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - LONGEST_MS) {
      rmSync(turn, { recursive: true, force: true });
    }
    return false;
  }
}
`;
