// `npm run fuzz -- --minutes N --seed S`: valid and mutated requests to all operations, many more than `npm run test:all` sends.
// Bundled and run without a test runner, whose overhead for every call would halve the number of requests.
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
// Makes the store check each commit like an import; see src/server/store/commit-check.ts.
const env = { ...process.env, MERCHANT_SANDBOX_CHECK_COMMITS: '1' };
process.exitCode = spawnSync(process.execPath, node, { stdio: 'inherit', env }).status ?? 1;
