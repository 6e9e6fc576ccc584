import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SandboxClient } from '../index.ts';

/** Default folder for bundles of failed tests. */
const DEFAULT_FOLDER = 'sandbox-failures';
/** Characters of a test's name in the name of its bundle. */
const MAX_TEST_NAME_LENGTH = 80;

export interface FailedTestFile {
  file: string;
  /** The command that opens it. */
  command: string;
}

/**
 * Writes the session of a failed test to a bundle, and prints the command that opens it. Never rejects, because that would hide the
 * error of the test.
 */
export async function writeFailedTest(
  session: SandboxClient,
  test: string,
  folder: string = DEFAULT_FOLDER,
): Promise<FailedTestFile | undefined> {
  try {
    const bundle = await session.bundle();
    mkdirSync(folder, { recursive: true });
    const testName = test.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, MAX_TEST_NAME_LENGTH);
    const file = join(folder, `${session.session}${testName.startsWith('-') ? '' : '-'}${testName}.ndjson`);
    writeFileSync(file, bundle);
    const path = relative(process.cwd(), file);
    const command = `npx merchant-sandbox open ${/^[\w./\\-]+$/.test(path) ? path : JSON.stringify(path)}`;
    print(`see what happened in the failed test "${test}": ${command}`);
    return { file, command };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    print(`the bundle of the failed test "${test}" could not be written: ${reason}`);
    return undefined;
  }
}

/** Bypasses the console, whose lines test runners print with a stack trace. */
function print(text: string): void {
  process.stderr.write(`merchant-sandbox: ${text}\n`);
}
