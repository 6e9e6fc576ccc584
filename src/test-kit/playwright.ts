import type { TestType } from '@playwright/test';
import type { SandboxClient } from '../index.ts';
import { writeFailedTest } from './failed-tests.ts';
import { checkOptions, type SandboxOptions } from './options.ts';
import { acquireSandbox } from './shared-sandbox.ts';
import { sessionNameOf, TestSessions } from './test-sessions.ts';
import { writeCoverage } from './write-coverage.ts';

export type { SandboxOptions } from './options.ts';

export interface SandboxFixtures {
  /** The session of this test. */
  session: SandboxClient;
  /** Creates another session, which is deleted after this test as well. */
  newSession: () => Promise<SandboxClient>;
}

export interface SandboxWorkerFixtures {
  /** The options of a project or file: `test.use({ sandboxOptions: { scenario: 'auto-approve' } })`. */
  sandboxOptions: Omit<SandboxOptions, 'sessionPer'>;
  /** The sandbox of this worker, or the running one that `url` or MERCHANT_SANDBOX_URL names. */
  sandbox: { url: string; client: SandboxClient };
}

/** Your `test` with a sandbox for each worker, or a running one for all, and a session for each test. */
export function withSandbox<TestArgs extends object, WorkerArgs extends object>(
  test: TestType<TestArgs, WorkerArgs>,
): TestType<TestArgs & SandboxFixtures, WorkerArgs & SandboxWorkerFixtures> {
  return (test as TestType<object, object>).extend<SandboxFixtures, SandboxWorkerFixtures>({
    sandboxOptions: [{}, { option: true, scope: 'worker' }],
    sandbox: [
      async ({ sandboxOptions }, use, { workerIndex }) => {
        const { url, client, release } = await acquireSandbox(checkOptions(sandboxOptions));
        await use({ url, client });
        await writeCoverage(client, `worker-${workerIndex}`, sandboxOptions);
        await release();
      },
      { scope: 'worker' },
    ],
    newSession: async ({ sandbox, sandboxOptions }, use, testInfo) => {
      const { file, testId, retry, title } = testInfo;
      const name = sessionNameOf(file, `${testId} ${retry}`);
      const sessions = new TestSessions(sandbox.client, name, sandboxOptions);
      await use(() => sessions.open());
      const { failures } = sandboxOptions;
      if (testInfo.status !== testInfo.expectedStatus && failures !== false) {
        for (const client of sessions.clients) {
          const bundle = await writeFailedTest(client, title, failures ?? testInfo.outputDir);
          if (bundle) {
            await testInfo.attach('what the sandbox saw', { path: bundle.file, contentType: 'application/x-ndjson' });
          }
        }
      }
      await sessions.close();
    },
    session: async ({ newSession }, use) => {
      await use(await newSession());
    },
  }) as TestType<TestArgs & SandboxFixtures, WorkerArgs & SandboxWorkerFixtures>;
}
