// The longest duration of a payment during a checkpoint of the whole state. A checkpoint is triggered by deleting the state file,
// which is written again within a second, in a process that is warm and has no other work.
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inTurns, medianOf } from '../measure.mjs';
import { MOBILE_MONEY, WALLET } from '../payment.mjs';
import { startSteadyLoad } from '../processes.mjs';
import { startSandbox, store, withCommas, withStored } from '../sandbox.mjs';

const WARM = 3_000;
/** Payments per second. */
const RATE = 200;
/** Milliseconds of load before and after the checkpoint, which also starts a new journal. */
const MARGIN_MS = 1_000;
const MAX_WAIT_MS = 120_000;

export async function benchCheckpoint({ rounds, seconds, levels, folder }) {
  const count = levels.at(-1);
  return withStored(folder, count, async (data) => {
    const sandbox = await startSandbox(data);
    await store(sandbox.url, WARM);
    const lightLoad = { url: `${sandbox.url}${WALLET}`, body: MOBILE_MONEY, rate: RATE };
    const [without, during] = await inTurns(
      rounds,
      () => startSteadyLoad({ ...lightLoad, seconds }).result,
      () => throughCheckpoint(data, lightLoad),
    );
    await sandbox.stop();
    const worst = Math.max(...during.map((result) => result.longest));
    return [
      {
        name: `longest pause while a checkpoint of ${withCommas(count)} is written, ms`,
        value: medianOf(during, 'longest'),
        aim: 50,
        isMaximum: true,
        note:
          `the worst of all rounds ${worst.toFixed(1)} ms; ` +
          `${medianOf(without, 'longest').toFixed(1)} ms without a checkpoint; ` +
          `it takes ${medianOf(during, 'taken').toFixed(1)} s`,
      },
    ];
  });
}

async function throughCheckpoint(data, lightLoad) {
  const steady = startSteadyLoad(lightLoad);
  await delay(MARGIN_MS);
  rmSync(data);
  const taken = await secondsOfCheckpoint(data);
  await delay(MARGIN_MS);
  steady.stop();
  return { ...(await steady.result), taken };
}

/** The state is written to a temporary file, which then replaces the deleted one. */
async function secondsOfCheckpoint(data) {
  const deadline = performance.now() + MAX_WAIT_MS;
  let startedAt;
  while (!existsSync(data)) {
    if (performance.now() > deadline) {
      throw new Error(`no checkpoint within ${MAX_WAIT_MS / 1000} seconds`);
    }
    startedAt ??= existsSync(`${data}.new`) ? performance.now() : undefined;
    await delay(10);
  }
  return startedAt === undefined ? 0 : (performance.now() - startedAt) / 1000;
}
