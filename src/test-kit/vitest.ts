import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SandboxClient } from '../index.ts';
import { EXAMINATION_TIMEOUT_MS, examineAgain, type ShopUnderTest } from './examine-again.ts';
import type { SandboxOptions } from './options.ts';
import { ConcurrentTestsError, type Hooks, useSandboxWith } from './use-sandbox.ts';

export type { ShopUnderTest } from './examine-again.ts';
export type { SandboxOptions } from './options.ts';

/** Time limit for writing a bundle: the more happened in the session, the longer that takes. */
const BUNDLE_TIMEOUT_MS = 60_000;

/**
 * Provides a session for the tests of this file, reset before each test (or one for each: `sessionPer`). Starts a sandbox before the
 * first test, or uses that of MERCHANT_SANDBOX_URL or `url`; after the last, deletes the session and closes a sandbox that it started.
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
      afterEach(
        async ({ task }) => action(task.result?.state === 'fail' ? fullNameOf(task) : undefined),
        BUNDLE_TIMEOUT_MS,
      ),
    afterAll,
  };
  return useSandboxWith(hooks, file, options);
}

/** Defines a test that passes if the invariant holds in the case of an examination, such as `I2-notified-twice-qr-wallet`. */
export function itHolds(id: string, shop?: ShopUnderTest): void {
  test(`${id} holds`, () => examineAgain(id, shop), EXAMINATION_TIMEOUT_MS);
}

function fullNameOf({ name, suite }: { name: string; suite?: { name: string } | undefined }): string {
  return suite?.name ? `${suite.name} ${name}` : name;
}
