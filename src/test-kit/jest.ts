import { membersOf } from '../base/members.ts';
import type { SandboxClient } from '../index.ts';
import { EXAMINATION_TIMEOUT_MS, examineAgain, type ShopUnderTest } from './examine-again.ts';
import type { SandboxOptions } from './options.ts';
import { ConcurrentTestsError, type Hooks, useSandboxWith } from './use-sandbox.ts';

export type { ShopUnderTest } from './examine-again.ts';
export type { SandboxOptions } from './options.ts';
export type { Hooks } from './use-sandbox.ts';

/** Jest's globals, or the exports of @jest/globals. */
interface JestGlobals extends Pick<Hooks, 'beforeAll' | 'beforeEach' | 'afterAll'> {
  afterEach?: (action: () => Promise<void>, timeout?: number) => unknown;
  /** In Bun, it has no `getState`. */
  expect?: { getState?(): { testPath?: string | undefined; currentTestName?: string | undefined } };
}

/** Time limit for writing a bundle: the more happened in the session, the longer that takes. */
const BUNDLE_TIMEOUT_MS = 60_000;

/**
 * Provides a session for the tests of this file, and resets it before each test (or creates one for each, with `sessionPer: 'test'`).
 * Starts a sandbox before the first test, or uses the one that MERCHANT_SANDBOX_URL or `url` names; after the last test, deletes the
 * session and closes a sandbox that it started. If Jest's globals are disabled, pass those of `@jest/globals`.
 */
export function useSandbox(
  options: SandboxOptions = {},
  globals: Partial<JestGlobals> = globalThis as object,
): SandboxClient {
  const { beforeAll, beforeEach, afterEach, afterAll, expect } = globals;
  if (!beforeAll || !beforeEach || !afterAll) {
    // In Bun, a file that gets hooks by `require` loses the globals `it` and `expect`, so the message names no module.
    const [runner, hooks] = process.versions['bun']
      ? ['Bun', '{ beforeAll, beforeEach, afterEach, afterAll }']
      : ['Jest', "require('@jest/globals')"];
    throw new TypeError(
      `global beforeAll is missing: call useSandbox in a test file that ${runner} runs, and pass the hooks: useSandbox({}, ${hooks})`,
    );
  }
  const stateOfFile = () => expect?.getState?.() ?? {};
  const block = runnerState()['currentDescribeBlock'];
  beforeAll(async () => assertSequential(block));
  const hooks: Hooks = { beforeAll, beforeEach, afterAll };
  if (afterEach) {
    let running = 0;
    hooks.beforeEach = (action) =>
      beforeEach(async () => {
        running += 1;
        // Bun runs these hooks for concurrent tests, too.
        if (running > 1) {
          throw new ConcurrentTestsError();
        }
        await action();
      });
    hooks.afterEach = (action) =>
      afterEach(async () => {
        running = Math.max(0, running - 1);
        await action(hasFailed() ? (stateOfFile().currentTestName ?? 'test') : undefined);
      }, BUNDLE_TIMEOUT_MS);
  }
  return useSandboxWith(hooks, () => stateOfFile().testPath ?? fileOfBun(), options);
}

/**
 * Defines a test that passes if the invariant holds in the case of an examination, such as `I2-notified-twice-qr-wallet`. If
 * Jest's globals are disabled, pass those of `@jest/globals`.
 */
export function itHolds(
  id: string,
  shop?: ShopUnderTest,
  { test }: { test?(name: string, run: () => Promise<void>, timeout: number): unknown } = globalThis as object,
): void {
  if (!test) {
    throw new TypeError("global test is missing: pass that of Jest: itHolds(id, shop, require('@jest/globals'))");
  }
  test(`${id} holds`, () => examineAgain(id, shop), EXAMINATION_TIMEOUT_MS);
}

/** The current test file in Bun, which runs all files in one process. */
function fileOfBun(): string | undefined {
  const { main } = membersOf(Reflect.get(globalThis, 'Bun'));
  return typeof main === 'string' ? main : undefined;
}

/** The state of Jest's default runner, which it stores under a private symbol; empty with another runner. */
function runnerState(): Readonly<Record<string, unknown>> {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  return membersOf(symbol && Reflect.get(globalThis, symbol));
}

function hasFailed(): boolean {
  const { errors } = membersOf(runnerState()['currentlyRunningTest']);
  return Array.isArray(errors) && errors.length > 0;
}

/** Throws ConcurrentTestsError if a test is concurrent. Called before the first test, because Jest runs no beforeEach for such a test. */
function assertSequential(block: unknown, path = ''): void {
  const { hasFocusedTests, testNamePattern } = runnerState();
  const { children } = membersOf(block);
  for (const child of Array.isArray(children) ? children : []) {
    const { type, name, mode, concurrent } = membersOf(child);
    const fullName = `${path}${name}`;
    if (type === 'describeBlock') {
      assertSequential(child, `${fullName} `);
    } else if (
      concurrent === true &&
      !(mode === 'skip' || mode === 'todo' || (hasFocusedTests === true && mode === undefined)) &&
      !(testNamePattern instanceof RegExp && !testNamePattern.test(fullName))
    ) {
      throw new ConcurrentTestsError(fullName);
    }
  }
}
