// `npm run crash -- --kills N --corruptions N --steps N --steps-per-kill N --seed S`: real kills under load, corrupted files, and a history
// of public calls with a kill after each, or after several, many more than `npm run test:all` has.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    corruptions: { type: 'string', default: '2000' },
    steps: { type: 'string', default: '1000' },
    'steps-per-kill': { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const { kills, corruptions, steps, 'steps-per-kill': stepsPerKill, seed } = values;
console.log(`${kills} kills, ${corruptions} corrupted files and ${steps} steps from seed ${seed}`);
const files = [
  ...(kills === '0' ? [] : ['random-kills']),
  ...(corruptions === '0' ? [] : ['random-corruption']),
  ...(steps === '0' ? [] : ['crash/history']),
];
const jest = ['--no-warnings', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand', ...files];
const environment = {
  ...process.env,
  KILLS: kills,
  CORRUPTIONS: corruptions,
  STEPS: steps,
  STEPS_PER_KILL: stepsPerKill,
  CRASH_SEED: seed,
};
process.exitCode =
  files.length === 0 ? 0 : (spawnSync('node', jest, { stdio: 'inherit', env: environment }).status ?? 1);
