import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SandboxClient } from '../index.ts';

/** Where the sessions of failed tests are kept, unless the options name another folder. */
const FOLDER = 'sandbox-failures';
/** Characters of a test's name that a file's name shows. */
const MAX_TEST_NAME_LENGTH = 80;

/** Where the session of a failed test was kept. */
export interface FailedTestFile {
  file: string;
  /** The command that shows it. */
  command: string;
}

/**
 * Keeps the session of a failed test as a bundle, and prints the command that shows it. Never rejects: that the test failed is what
 * counts.
 */
export async function keepFailedTest(
  session: SandboxClient,
  test: string,
  folder: string = FOLDER,
): Promise<FailedTestFile | undefined> {
  try {
    const bundle = await session.bundle();
    mkdirSync(folder, { recursive: true });
    const shown = test.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, MAX_TEST_NAME_LENGTH);
    const file = join(folder, `${session.session}${shown.startsWith('-') ? '' : '-'}${shown}.ndjson`);
    writeFileSync(file, bundle);
    const place = relative(process.cwd(), file);
    const command = `npx merchant-sandbox open ${/^[\w./\\-]+$/.test(place) ? place : JSON.stringify(place)}`;
    tell(`see what happened in the failed test "${test}": ${command}`);
    return { file, command };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tell(`the bundle of the failed test "${test}" could not be written: ${why}`);
    return undefined;
  }
}

/** Not by the console, which test runners catch and print with a stack. */
function tell(words: string): void {
  process.stderr.write(`merchant-sandbox: ${words}\n`);
}
