import { printable } from '../../base/text/printable.ts';
import { linesOf } from '../observation/story.ts';
import type { CaseVerdict } from '../verdicts/case-verdicts.ts';
import { causesIn } from '../verdicts/causes.ts';
import { invariantOf } from '../verdicts/invariants.ts';
import { describeCase } from './report.ts';
import { expressionOf, hasSecret } from './secrets.ts';

export type Runner = 'jest' | 'vitest' | 'node-test';

export interface RepeatOptions {
  runner: Runner;
  /** The path from the folder of the tests to the folder that the examination ran in. */
  project: string;
  /** The command and its arguments without the selection. */
  args: readonly string[];
  /** The value of the variable PORT, which the shop and its adapter may read; undefined if it was not set. */
  port: string | undefined;
  /** Whether the secret is the user's own: a file that others read must not contain it. */
  hasOwnSecret: boolean;
}

/** Jest accepts ES modules only behind a flag, and Vitest cannot be loaded by `require`. */
const extensionFor = (runner: Runner) => (runner === 'jest' ? 'cjs' : 'mjs');

/** Such as examine.test.cjs. */
export function testFileFor({ runner, args: [command] }: RepeatOptions): string {
  return `${command}.test.${extensionFor(runner)}`;
}

/** Whether a violation gets a test: only one that was confirmed, which therefore has a bundle. */
export function isTestable({ verdict, bundle }: CaseVerdict): boolean {
  return verdict === 'violated' && bundle !== null;
}

const HEADS: Readonly<Record<'cjs' | 'mjs', (kit: string) => readonly string[]>> = {
  cjs: (kit) => [
    "const { join } = require('node:path');",
    `const { itHolds } = require('merchant-sandbox/${kit}');`,
    '',
    'const HERE = __dirname;',
  ],
  mjs: (kit) => [
    "import { dirname, join } from 'node:path';",
    "import { fileURLToPath } from 'node:url';",
    `import { itHolds } from 'merchant-sandbox/${kit}';`,
    '',
    'const HERE = dirname(fileURLToPath(import.meta.url));',
  ],
};

const OWN_SECRET = `const SECRET = process.env.WEBHOOK_SECRET;
if (!SECRET) {
  throw new Error('WEBHOOK_SECRET is missing: set it to the secret of the webhook receiver');
}`;

/** A file with the tests of all confirmed violations, grouped by cause: each passes once the shop is right. */
export function readyTestsOf(
  verdicts: readonly CaseVerdict[],
  { runner, project, args, port, hasOwnSecret }: RepeatOptions,
): string {
  const needsSecret = hasOwnSecret || args.some(hasSecret);
  return [
    ...comments([
      'Violations that merchant-sandbox found. Each test repeats a case with the current version of the shop, and passes once the violation is',
      'fixed. It needs merchant-sandbox as a dependency of the project.',
      ...(needsSecret ? ['It needs the secret of the webhook receiver in the variable WEBHOOK_SECRET.'] : []),
    ]),
    ...HEADS[extensionFor(runner)](runner),
    ...(needsSecret ? [OWN_SECRET] : []),
    'const SHOP = {',
    `  folder: join(HERE, ${JSON.stringify(project)}),`,
    `  args: [\n${args.map((each) => `    ${expressionOf(each)},`).join('\n')}\n  ],`,
    ...(port === undefined ? [] : [`  env: { PORT: process.env.PORT || ${JSON.stringify(port)} },`]),
    '};',
    ...causesIn(verdicts).flatMap(({ verdicts }) => testsOf(verdicts.filter(isTestable))),
    '',
  ].join('\n');
}

/** The tests of one cause, with the story of the first one. */
function testsOf([shown, ...others]: readonly CaseVerdict[]): string[] {
  return shown ? ['', ...comments(storyComments(shown)), lineOf(shown), ...others.map(lineOf)] : [];
}

function storyComments(found: CaseVerdict): string[] {
  const { invariant, history, bundle } = found;
  return [
    `${invariant}: ${invariantOf(invariant).sentence}`,
    `Case: ${describeCase(found)}.`,
    'What happened:',
    ...linesOf(history).map((line) => `  ${line}`),
    `To see what happened: merchant-sandbox open ${bundle}`,
  ];
}

function lineOf({ id, amount }: CaseVerdict): string {
  const shop = amount === null ? 'SHOP' : `{ ...SHOP, amount: ${JSON.stringify(amount)} }`;
  return `itHolds(${JSON.stringify(id)}, ${shop});`;
}

function comments(lines: readonly string[]): string[] {
  return lines.map((line) => `// ${printable(line)}`.trimEnd());
}
