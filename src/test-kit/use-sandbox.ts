import type { SandboxClient } from '../index.ts';
import { writeFailedTest } from './failed-tests.ts';
import { forwardingClient } from './forwarding-client.ts';
import { checkOptions, type SandboxOptions } from './options.ts';
import { acquireSandbox, type SharedSandbox } from './shared-sandbox.ts';
import { sessionNameOf, TestSessions } from './test-sessions.ts';
import { writeCoverage } from './write-coverage.ts';

/** A function of a test runner that runs an action before or after tests. */
type Hook = (action: () => Promise<void>) => unknown;

export interface Hooks {
  beforeAll: Hook;
  beforeEach: Hook;
  /** Runs an action after each test, with the test's name if it failed. Omitted if the runner does not report failures. */
  afterEach?: (action: (failed: string | undefined) => Promise<void>) => unknown;
  afterAll: Hook;
}

/** Tests of one file run at the same time, so they would share and reset one session. */
export class ConcurrentTestsError extends Error {
  override readonly name = 'ConcurrentTestsError';

  constructor(test?: string) {
    super(
      `useSandbox has one session at a time, but ${test === undefined ? 'this test' : JSON.stringify(test)} runs concurrently with others of its file: run it sequentially, or use startSandbox and a session for each test`,
    );
  }
}

/** Provides a session for the tests of a file, or for each test. Its hooks start a sandbox or connect to a running one. */
export function useSandboxWith(hooks: Hooks, file: () => string | undefined, input: SandboxOptions): SandboxClient {
  const options = checkOptions(input);
  const isPerTest = options.sessionPer === 'test';
  let sandbox: SharedSandbox | undefined;
  let sessions: TestSessions | undefined;
  let session: SandboxClient | undefined;

  hooks.beforeAll(async () => {
    sandbox = await acquireSandbox(options);
    sessions = new TestSessions(sandbox.client, sessionNameOf(file()), options);
    session = isPerTest ? undefined : await sessions.open();
  });
  hooks.beforeEach(async () => {
    if (isPerTest) {
      // Not in afterEach, because other hooks of the previous test may still use its session.
      await sessions?.close();
      session = await sessions?.open();
    } else {
      await session?.reset();
    }
  });
  hooks.afterEach?.(async (failedTest) => {
    if (session && failedTest !== undefined && options.failures !== false) {
      await writeFailedTest(session, failedTest, options.failures);
    }
  });
  hooks.afterAll(async () => {
    session = undefined;
    try {
      await sessions?.close();
      await (sandbox && writeCoverage(sandbox.client, sessionNameOf(file()), options));
    } finally {
      await sandbox?.release();
    }
  });
  return forwardingClient(() => session);
}
