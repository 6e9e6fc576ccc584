// `npm run crash -- --kills N --corruptions N --seed S`: real kills under load and corrupted files, many more than `npm test` has.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    corruptions: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const { kills, corruptions, seed } = values;
console.log(`${kills} kills and ${corruptions} corrupted files from seed ${seed}`);
const files = [...(kills === '0' ? [] : ['random-kills']), ...(corruptions === '0' ? [] : ['random-corruption'])];
const jest = ['--no-warnings', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand', ...files];
const environment = { ...process.env, KILLS: kills, CORRUPTIONS: corruptions, CRASH_SEED: seed };
process.exitCode =
  files.length === 0 ? 0 : (spawnSync('node', jest, { stdio: 'inherit', env: environment }).status ?? 1);
