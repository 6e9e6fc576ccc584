// The time of a clock move when many jobs are due, which run one after the other.
import { inTurns, medianOf, ratioOf } from '../measure.mjs';
import { call, startSandbox, store, withCommas, withStored } from '../sandbox.mjs';

const FEW = 5_000;
/** All payments of the benchmark expire within this time. */
const AN_HOUR = { by: 'PT1H' };

export async function benchClock({ rounds, levels: [many], folder }) {
  const [few, all] = await inTurns(
    rounds,
    () => withStored(folder, 0, (data) => jobsPerSecond(data, FEW)),
    () => withStored(folder, 0, (data) => jobsPerSecond(data, many)),
  );
  return [
    {
      name: `jobs per second with ${withCommas(many)} due, relative to ${withCommas(FEW)}`,
      value: ratioOf(all, few, 'perSecond'),
      aim: 0.8,
      note: `${medianOf(all, 'perSecond').toFixed(0)}/s against ${medianOf(few, 'perSecond').toFixed(0)}/s`,
    },
  ];
}

async function jobsPerSecond(data, count) {
  const sandbox = await startSandbox(data);
  const advance = async (session) => {
    const started = performance.now();
    await call(`${session}/_sandbox/clock/advance`, 'POST', AN_HOUR);
    return (performance.now() - started) / 1000;
  };
  const freeze = (session) => call(`${session}/_sandbox/clock`, 'PUT', { mode: 'frozen' });
  // The first jobs are only a warm-up.
  const warm = `${sandbox.url}/s/warm`;
  await freeze(warm);
  await store(warm, 2 * FEW);
  await advance(warm);
  await freeze(sandbox.url);
  await store(sandbox.url, count);
  const perSecond = count / (await advance(sandbox.url));
  await sandbox.stop();
  return { perSecond };
}
