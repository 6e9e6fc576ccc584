import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The programs of test runners, below node_modules. */
export const RUNNERS = {
  jest: 'jest/bin/jest.js',
  vitest: 'vitest/vitest.mjs',
  playwright: '@playwright/test/cli.js',
};

/** Longer than the default time limits of runners, which are too short on a busy machine. */
export const TIME_LIMITS = {
  jest: ['--testTimeout=180000'],
  vitest: ['--testTimeout=180000', '--hookTimeout=180000'],
  playwright: ['--timeout=180000'],
};

/**
 * Links the runners into a user's project, as if they were installed there.
 *
 * @param {string} modules
 */
export function linkRunners(modules) {
  for (const program of Object.values(RUNNERS)) {
    const name = program
      .split('/')
      .slice(0, program.startsWith('@') ? 2 : 1)
      .join('/');
    const link = join(modules, name);
    if (!existsSync(link)) {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve('node_modules', name), link, 'junction');
    }
  }
}
