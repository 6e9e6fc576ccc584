import { relative } from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import type { SandboxClient } from '../index.ts';
import type { SandboxOptions } from './options.ts';
import { useSandboxWith } from './use-sandbox.ts';

export type { SandboxOptions } from './options.ts';

/** What a hook of node:test gets after a test; a version that does not say whether it passed says nothing. */
interface TestOver {
  fullName?: string;
  name?: string;
  passed?: boolean;
}

/**
 * A session for the tests of this file, reset before each of them. A sandbox is started before the first, or the one that
 * MERCHANT_SANDBOX_URL names is used; what was made is gone after the last.
 */
export function useSandbox(options: SandboxOptions = {}): SandboxClient {
  const [, file = 'tests'] = process.argv;
  return useSandboxWith(
    {
      beforeAll: before,
      beforeEach,
      afterEach: (action) =>
        afterEach(async (test: unknown) => {
          const { passed, fullName, name } = (test ?? {}) as TestOver;
          await action(passed === false ? (fullName ?? name ?? relative('', file)) : undefined);
        }),
      afterAll: after,
    },
    () => file,
    options,
  );
}
