// `npm run simulate -- --runs N --seed S`: random histories of a session, many more than `npm test` plays.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
console.log(`${values.runs} histories from seed ${values.seed}`);
const jest = ['--no-warnings', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'test/simulation'];
const environment = { ...process.env, SIMULATION_RUNS: values.runs, SIMULATION_SEED: values.seed };
process.exitCode = spawnSync('node', jest, { stdio: 'inherit', env: environment }).status ?? 1;
