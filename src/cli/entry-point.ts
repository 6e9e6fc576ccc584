import { createRequire } from 'node:module';
import { assertNodeGlobals } from '../base/node-globals.ts';
import type * as Library from '../index.ts';

// The entry point of dist/sandbox.cjs, so that `import`, `require` and the command run the same code. Each loads only its part.

const require = createRequire(import.meta.url);

export function library(): typeof Library {
  assertNodeGlobals();
  return require('../index.ts');
}

/** Runs the command that this process was started with. */
export const runCommand = () => import('./cli.ts');
