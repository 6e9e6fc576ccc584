import { relative } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { SandboxClient } from '../index.ts';
import { EXAMINATION_TIMEOUT_MS, examineAgain, type ShopUnderTest } from './examine-again.ts';
import type { SandboxOptions } from './options.ts';
import { ConcurrentTestsError, useSandboxWith } from './use-sandbox.ts';

export type { ShopUnderTest } from './examine-again.ts';
export type { SandboxOptions } from './options.ts';

/** The context that a hook of node:test gets; `passed` is missing in versions that do not report it. */
interface TestContext {
  /** Aborted once the test has ended. */
  signal?: AbortSignal;
  fullName?: string;
  name?: string;
  passed?: boolean;
}

/**
 * Provides a session for the tests of this file, reset before each test (or one for each: `sessionPer`). Starts a sandbox before the
 * first test, or uses that of MERCHANT_SANDBOX_URL or `url`; after the last, deletes the session and closes a sandbox that it started.
 */
export function useSandbox(options: SandboxOptions = {}): SandboxClient {
  const [, file = 'tests'] = process.argv;
  let running: TestContext[] = [];
  return useSandboxWith(
    {
      beforeAll: before,
      beforeEach: (action) =>
        beforeEach(async (given: unknown) => {
          const context = (given ?? {}) as TestContext;
          running = running.filter(({ signal }) => signal?.aborted === false);
          if (running.some((other) => !isWithin(context, other))) {
            throw new ConcurrentTestsError();
          }
          running.push(context);
          await action();
        }),
      afterEach: (action) =>
        afterEach(async (given: unknown) => {
          const { passed, fullName, name } = (given ?? {}) as TestContext;
          await action(passed === false ? (fullName ?? name ?? relative('', file)) : undefined);
        }),
      afterAll: after,
    },
    () => file,
    options,
  );
}

/** Defines a test that passes if the invariant holds in the case of an examination, such as `I2-notified-twice-qr-wallet`. */
export function itHolds(id: string, shop?: ShopUnderTest): void {
  void test(`${id} holds`, { timeout: EXAMINATION_TIMEOUT_MS }, () => examineAgain(id, shop));
}

/** An unfinished test is not concurrent with its own subtests, for which the hooks run as well. */
function isWithin({ fullName }: TestContext, other: TestContext): boolean {
  return fullName?.startsWith(`${other.fullName} > `) === true;
}
