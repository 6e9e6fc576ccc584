// The bytes and promises that one payment allocates, which do not depend on other work on the machine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf, CHANNELS, WALLET } from '../payment.mjs';
import { load, startServer } from '../processes.mjs';
import { sandboxArgs, withStored } from '../sandbox.mjs';

const PROBE = new URL('../cost-probe.mjs', import.meta.url);
/** The difference of two runs is the cost of the payments that only the longer one has: both start, and compile their code. */
const RUNS = [3000, 6000];
/** More than a run allocates, so that no garbage is collected before it is counted. */
const HEAP_FLAGS = ['--min-semi-space-size=1024', '--max-semi-space-size=1024', '--initial-old-space-size=4096'];

export async function benchCost({ folder }) {
  const rows = [];
  for (const [name, members] of Object.entries(CHANNELS)) {
    const [less, more] = [await costOf(RUNS[0], members, folder), await costOf(RUNS[1], members, folder)];
    const each = (member) => (more[member] - less[member]) / (RUNS[1] - RUNS[0]);
    rows.push(
      { name: `bytes allocated for a payment, ${name}`, value: each('bytes') },
      { name: `promises of a payment, ${name}`, value: each('promises') },
    );
  }
  return rows;
}

async function costOf(amount, members, folder) {
  const file = join(folder, 'cost.json');
  await withStored(folder, 0, async (data) => {
    const probe = ['--import', `${PROBE}?file=${encodeURIComponent(file)}`];
    const sandbox = await startServer([...HEAP_FLAGS, ...probe, ...sandboxArgs(data)]);
    await load({ url: `${sandbox.url}${WALLET}`, body: bodyOf(members), amount });
    await sandbox.stop();
  });
  return JSON.parse(readFileSync(file, 'utf8'));
}
