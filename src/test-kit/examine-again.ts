import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** How `itHolds` examines a shop. */
export interface ShopUnderTest {
  /** The command and its arguments, such as `['examine', './examine.mjs', '--command', 'npm start']`. Default: `['examine']`. */
  args?: readonly string[];
  /** The folder in which the command runs. Default: the current one. */
  folder?: string;
  /** The amount of every order. Default: a random one. */
  amount?: string;
  /** Variables in addition to those of the tests, such as PORT. */
  env?: Readonly<Record<string, string>>;
}

/** Real milliseconds for three orders and the start of a shop, on a busy machine. */
export const EXAMINATION_TIMEOUT_MS = 600_000;

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Repeats an examination for one invariant in one case. Rejects with the report if it does not hold, or if the result is inconclusive. */
export async function examineAgain(id: string, shop: ShopUnderTest = {}): Promise<void> {
  const { args = ['examine'], amount, env = {} } = shop;
  const folder = resolve(shop.folder ?? '');
  const program = join(
    dirname(createRequire(join(folder, 'package.json')).resolve('merchant-sandbox/package.json')),
    'dist/cli.js',
  );
  const bundles = mkdtempSync(join(tmpdir(), 'merchant-sandbox-examination-'));
  const allArgs = [
    program,
    ...args,
    ...(amount === undefined ? [] : ['--amount', amount]),
    // --next: the invariant counts even if it is not required yet.
    ...['--only', id, '--next', '--budget', '0s', '--bundles', bundles],
  ];
  const options = {
    cwd: folder,
    // Without the summary file, because otherwise this examination would be added to the summary of the CI run.
    env: { ...process.env, ...env, GITHUB_STEP_SUMMARY: '' },
    maxBuffer: MAX_OUTPUT_BYTES,
  };
  try {
    await new Promise<void>((resolveHeld, reject) => {
      execFile(process.execPath, allArgs, options, (error, stdout, stderr) =>
        error ? reject(new Error(`${id} does not hold:\n${stdout}${stderr}`)) : resolveHeld(),
      );
    });
  } finally {
    rmSync(bundles, { recursive: true, force: true });
  }
}
