// The cost of stored payments: the start that reads them, and further payments. Each round starts from a copy of the same file,
// because the measured payments are stored as well.
import { inTurns, medianOf, ratioOf } from '../measure.mjs';
import { startSandbox, store, withCommas, withStored } from '../sandbox.mjs';

const AIMS = [
  { share: 0.95, start: 1.5 },
  { share: 0.9, start: 13 },
];
/** Too few for a checkpoint, which would happen in some rounds only. */
const WARM = 3_000;
const MEASURED = 20_000;

export async function benchStored({ rounds, levels, folder }) {
  const rows = [];
  for (const [index, count] of levels.entries()) {
    const [none, many] = await inTurns(
      rounds,
      () => withStored(folder, 0, startAndPay),
      () => withStored(folder, count, startAndPay),
    );
    rows.push({
      name: `mobile money with ${withCommas(count)} stored, relative to none`,
      value: ratioOf(many, none, 'perSecond'),
      aim: AIMS[index].share,
      note: `${medianOf(many, 'perSecond').toFixed(0)}/s against ${medianOf(none, 'perSecond').toFixed(0)}/s`,
    });
    rows.push({
      name: `start with ${withCommas(count)} stored, seconds`,
      value: medianOf(many, 'start'),
      aim: AIMS[index].start,
      isMaximum: true,
      note: `${medianOf(none, 'start').toFixed(2)} s with none; ${medianOf(many, 'memory').toFixed(0)} MB resident after it`,
    });
  }
  return rows;
}

async function startAndPay(data) {
  const started = performance.now();
  const sandbox = await startSandbox(data);
  const start = (performance.now() - started) / 1000;
  const memory = sandbox.memory();
  await store(sandbox.url, WARM);
  const { perSecond } = await store(sandbox.url, MEASURED);
  await sandbox.stop();
  return { start, memory, perSecond };
}
