// Whatever any test keeps is checked as reading checks it (src/server/store/commit-check.ts), in the programs that it starts, too.
process.env.MERCHANT_SANDBOX_CHECK_COMMITS = '1';

export default {
  // Otherwise it is a folder in the system's temporary folder, which stays there.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testEnvironment: '<rootDir>/test/environment.mjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
          target: 'es2023',
        },
        module: { type: 'es6' },
      },
    ],
  },
  testMatch: ['<rootDir>/test/**/*.test.{ts,tsx}'],
  setupFiles: ['<rootDir>/test/addresses-only.mjs'],
  setupFilesAfterEnv: ['<rootDir>/test/processor-time.mjs'],
  testSequencer: '<rootDir>/test/longest-first.mjs',
  // More than the cores of a small machine: many tests wait for a program, a browser, a database or the disk.
  maxWorkers: 6,
  // Modules of a test file are never freed: a process that has run many looks for what can be, and a new one loads all anew.
  workerIdleMemoryLimit: '700MB',
  // The one limit of all tests, which only a test that hangs reaches, however slow the machine is. CI has its own limit for a whole run.
  testTimeout: 900_000,
};
