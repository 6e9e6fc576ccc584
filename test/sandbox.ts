import { createRequire } from 'node:module';
import { builtProgram } from '../scripts/build/built-program.mjs';
import type * as library from '../src/index.ts';

builtProgram();

/** As it ships: a test that looks from outside loads the built library in a fifth of the time that its sources take. */
export const { startSandbox } = createRequire(import.meta.url)('../dist/index.cjs') as typeof library;
export type { Sandbox } from '../src/index.ts';
