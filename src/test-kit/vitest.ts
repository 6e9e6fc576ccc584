import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxClient } from '../index.ts';
import { examineAgain, LONGEST_EXAMINATION_MS, type ShopUnderTest } from './examine-again.ts';
import type { SandboxOptions } from './options.ts';
import { ConcurrentTestsError, type Hooks, useSandboxWith } from './use-sandbox.ts';

export type { ShopUnderTest } from './examine-again.ts';
export type { SandboxOptions } from './options.ts';

/** Milliseconds for keeping a session, which takes as long as playing it. */
const WAIT_MS = 60_000;

/**
 * A session for the tests of this file, reset before each of them. A sandbox is started before the first, or the one that
 * MERCHANT_SANDBOX_URL names is used; session and sandbox are removed after the last.
 */
export function useSandbox(options: SandboxOptions = {}): SandboxClient {
  const file = () => expect.getState().testPath;
  const hooks: Hooks = {
    beforeAll,
    beforeEach: (action) =>
      beforeEach(async ({ task }) => {
        if (task.concurrent) {
          throw new ConcurrentTestsError();
        }
        await action();
      }),
    afterEach: (action) =>
      afterEach(async ({ task }) => action(task.result?.state === 'fail' ? fullNameOf(task) : undefined), WAIT_MS),
    afterAll,
  };
  return useSandboxWith(hooks, file, options);
}

/** A test that a finding of an examination, such as `I2-notified-twice-qr-wallet`, does not occur with the current shop. */
export function itHolds(id: string, shop?: ShopUnderTest): void {
  test(`${id} holds`, () => examineAgain(id, shop), LONGEST_EXAMINATION_MS);
}

/** The names of the suites, and that of the test. */
function fullNameOf({ name, suite }: { name: string; suite?: { name: string } | undefined }): string {
  return suite?.name ? `${suite.name} ${name}` : name;
}
