import { membersOf } from '../base/members.ts';
import type { SandboxClient } from '../index.ts';
import type { SandboxOptions } from './options.ts';
import { type Hooks, useSandboxWith } from './use-sandbox.ts';

export type { SandboxOptions } from './options.ts';
export type { Hooks } from './use-sandbox.ts';

/** Jest's, global or of @jest/globals. */
interface JestGlobals extends Pick<Hooks, 'beforeAll' | 'beforeEach' | 'afterAll'> {
  afterEach?: (action: () => Promise<void>, timeout?: number) => unknown;
  expect?: { getState(): { testPath?: string | undefined; currentTestName?: string | undefined } };
}

/** Milliseconds for keeping a session, which takes as long as playing it. */
const WAIT_MS = 60_000;

/**
 * A session for the tests of this file, reset before each of them. A sandbox is started before the first, or the one that
 * MERCHANT_SANDBOX_URL names is used; what was made is gone after the last. Where Jest's globals are switched off, pass what
 * `@jest/globals` has.
 */
export function useSandbox(
  options: SandboxOptions = {},
  globals: Partial<JestGlobals> = globalThis as object,
): SandboxClient {
  const { beforeAll, beforeEach, afterEach, afterAll, expect } = globals;
  if (!beforeAll || !beforeEach || !afterAll) {
    throw new TypeError(
      "global beforeAll is missing: call useSandbox in a test file that Jest runs, or pass the hooks: useSandbox({}, require('@jest/globals'))",
    );
  }
  const file = () => expect?.getState().testPath;
  const hooks: Hooks = { beforeAll, beforeEach, afterAll };
  if (afterEach) {
    const name = () => expect?.getState().currentTestName ?? 'test';
    hooks.afterEach = (action) => afterEach(async () => action(hasFailed() ? name() : undefined), WAIT_MS);
  }
  return useSandboxWith(hooks, file, options);
}

/** Jest's usual runner keeps the test that is running under a symbol that it does not export; where there is none, nobody knows. */
function hasFailed(): boolean {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const state = membersOf(symbol && Reflect.get(globalThis, symbol));
  const { errors } = membersOf(state['currentlyRunningTest']);
  return Array.isArray(errors) && errors.length > 0;
}
