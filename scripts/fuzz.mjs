// `npm run fuzz -- --minutes N --seed S`: requests from all tables, well made and spoilt, many more than `npm run test:all` sends.
// Bundled and run by itself: what a test runner adds to every call would halve the number of requests.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

const program = 'reports/fuzz.mjs';
await build({
  entryPoints: ['test/fuzz/long.ts'],
  outfile: program,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
});
const node = [...process.execArgv, program, ...process.argv.slice(2)];
// What is kept is checked as reading checks it; see src/server/store/commit-check.ts.
const env = { ...process.env, MERCHANT_SANDBOX_CHECK_COMMITS: '1' };
process.exitCode = spawnSync(process.execPath, node, { stdio: 'inherit', env }).status ?? 1;
