// `npm run soak -- --minutes N`: a steady mixed load on the built program, and whether its memory, handles and files stay the same.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Calls } from './soak/calls.mjs';
import { startReceiver } from './soak/receiver.mjs';
import { startSandbox } from './soak/sandbox.mjs';
import { leaveInTheMiddle, moveThroughMonths, useDefaultSession } from './soak/stories.mjs';
import { verdictOf } from './soak/verdict.mjs';

const WORKERS = 3;
/** Between two stories of a worker, so that the program is busy, but not overloaded. */
const PAUSE_MS = 100;
const SAMPLES = 60;
const MINUTE_MS = 60_000;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`--minutes must be a number above 0, not ${JSON.stringify(values.minutes)}`);
  process.exit(2);
}

const receiver = await startReceiver();
const sandbox = await startSandbox();
const [times, bareTimes] = [[], []];
let [hasEnded, stories, calls] = [false, 0, 0];

async function work(worker) {
  for (let round = 0; !hasEnded; round += 1) {
    const name = `soak-${worker}-${round}`;
    const sessionCalls = new Calls(`${sandbox.url}/s/${name}`, times);
    await moveThroughMonths(sessionCalls, receiver.url, name);
    await leaveInTheMiddle(new Calls(`${sandbox.url}/s/${name}`, times), receiver.url, name);
    if (worker === 0) {
      await useDefaultSession(new Calls(sandbox.url, times), receiver.url);
    }
    stories += 1;
    await delay(PAUSE_MS);
  }
}

async function measureBareServer() {
  const bare = new Calls(receiver.url, bareTimes);
  while (!hasEnded) {
    await bare.raw('/', { method: 'GET' });
    await delay(5);
  }
}

function percentile(values, share) {
  return values.sort((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}

async function sample() {
  const [sandboxTimes, bare] = [times.splice(0), bareTimes.splice(0)];
  calls += sandboxTimes.length;
  const latency = { p50: percentile(sandboxTimes, 0.5), p99: percentile(sandboxTimes, 0.99) };
  return { ...(await sandbox.sample()), ...latency, bare50: percentile(bare, 0.5), bare99: percentile(bare, 0.99) };
}

function printMinute(minute, { heap, rss, descriptors, resources, delay, p50, p99, stateFile, journal }) {
  const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  console.log(
    `minute ${minute}: ${stories} rounds, ${calls} calls, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, loop p99 ${delay.toFixed(0)} ms, ` +
      `heap ${megabytes(heap)}, resident ${megabytes(rss)}, ${descriptors ?? '?'} descriptors, ${resources} resources, ` +
      `state ${megabytes(stateFile)}, journal ${megabytes(journal)}, webhooks ${Object.values(receiver.received).join('/')}`,
  );
}

async function sampleUntilEnd() {
  const samples = [];
  const started = performance.now();
  let minute = 0;
  for (let number = 1; number <= SAMPLES; number += 1) {
    await delay(Math.max(0, started + (minutes * MINUTE_MS * number) / SAMPLES - performance.now()));
    samples.push(await sample());
    const passed = Math.floor((performance.now() - started) / MINUTE_MS);
    if (passed > minute) {
      minute = passed;
      printMinute(minute, samples.at(-1));
    }
  }
  return samples;
}

function print(verdict) {
  console.log('\nsecond quarter → last quarter, medians:');
  for (const { name, unit, before, after, maximum, isFlat } of verdict) {
    const figures = `${before.toFixed(1)} → ${after.toFixed(1)} ${unit} (at most ${maximum.toFixed(1)})`;
    console.log(`${isFlat ? 'flat ' : 'GROWS'}  ${name.padEnd(22)} ${figures}`);
  }
}

console.log(`${minutes} minutes of load on ${sandbox.url}`);
const load = [...Array.from({ length: WORKERS }, (_, worker) => work(worker)), measureBareServer()];
try {
  const samples = await Promise.race([sampleUntilEnd(), sandbox.died, Promise.all(load)]);
  hasEnded = true;
  await Promise.race([sandbox.died, Promise.all(load)]);
  const verdict = verdictOf(samples);
  print(verdict);
  process.exitCode = verdict.every(({ isFlat }) => isFlat) ? 0 : 1;
} finally {
  await sandbox.stop();
  receiver.close();
}
