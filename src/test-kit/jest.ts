import type { SandboxClient } from '../index.ts';
import type { SandboxOptions } from './options.ts';
import { type Hooks, useSandboxWith } from './use-sandbox.ts';

export type { SandboxOptions } from './options.ts';
export type { Hooks } from './use-sandbox.ts';

/** Jest's, global or of @jest/globals. */
interface JestGlobals extends Hooks {
  expect?: { getState(): { testPath?: string | undefined } };
}

/**
 * A session for the tests of this file, reset before each of them. A sandbox is started before the first, or the one that
 * MERCHANT_SANDBOX_URL names is used; what was made is gone after the last. Where Jest's globals are switched off, pass what
 * `@jest/globals` has.
 */
export function useSandbox(
  options: SandboxOptions = {},
  globals: Partial<JestGlobals> = globalThis as object,
): SandboxClient {
  const { beforeAll, beforeEach, afterAll, expect } = globals;
  if (!beforeAll || !beforeEach || !afterAll) {
    throw new TypeError(
      "there is no global beforeAll: call useSandbox in a test file that Jest runs, or pass the hooks: useSandbox({}, require('@jest/globals'))",
    );
  }
  const file = () => expect?.getState().testPath;
  return useSandboxWith({ beforeAll, beforeEach, afterAll }, file, options);
}
