// `npm run fuzz -- --minutes N --seed S`: requests from all tables, well made and spoilt, many more than `npm test` sends.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
console.log(`${values.minutes} minutes from seed ${values.seed}`);
const jest = ['--no-warnings', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'test/fuzz'];
const environment = { ...process.env, FUZZ_MINUTES: values.minutes, FUZZ_SEED: values.seed };
process.exitCode = spawnSync('node', jest, { stdio: 'inherit', env: environment }).status ?? 1;
