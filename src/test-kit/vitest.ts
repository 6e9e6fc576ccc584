import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { SandboxClient } from '../index.ts';
import type { SandboxOptions } from './options.ts';
import { type Hooks, useSandboxWith } from './use-sandbox.ts';

export type { SandboxOptions } from './options.ts';

/**
 * A session for the tests of this file, reset before each of them. A sandbox is started before the first, or the one that
 * MERCHANT_SANDBOX_URL names is used; what was made is gone after the last.
 */
export function useSandbox(options: SandboxOptions = {}): SandboxClient {
  const file = () => expect.getState().testPath;
  const hooks: Hooks = {
    beforeAll,
    beforeEach: (action) =>
      beforeEach(async ({ task }) => {
        if (task.concurrent) {
          throw new Error(
            'useSandbox has one session at a time, and this test runs beside others of its file: run it in sequence, or use startSandbox and a session for each test',
          );
        }
        await action();
      }),
    afterAll,
  };
  return useSandboxWith(hooks, file, options);
}
