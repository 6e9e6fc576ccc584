import { parseArgs } from 'node:util';
import { attacks } from './attack.ts';
import { campaign, describeFailure } from './campaign.ts';
import { Counts } from './tally.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
/** Requests between two starts from the file. */
const REQUESTS = 2000;
const MINUTE_MS = 60_000;

const seed = Number(values.seed);
const minutes = Number(values.minutes);
const started = performance.now();
const counts = new Counts();
const elapsed = () => performance.now() - started;
const command = `npm run fuzz -- --minutes ${minutes} --seed ${seed}`;
console.log(`${minutes} minutes from seed ${seed}`);
const report = () => console.log(`${Math.round(elapsed() / 1000)} s: ${counts}`);
const progress = setInterval(report, MINUTE_MS);
process.on('uncaughtException', (error) => {
  console.error(`the sandbox threw outside of any request (${command})`, error);
  process.exit(1);
});

const failure = await campaign(await attacks(), {
  seed,
  requests: REQUESTS,
  shouldContinue: () => elapsed() < minutes * MINUTE_MS,
  tally: counts.add,
});
clearInterval(progress);
report();
if (failure) {
  console.error(`${describeFailure(failure)}\nFound by: ${command}`);
}
process.exitCode = failure ? 1 : 0;
