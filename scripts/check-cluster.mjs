// `npm run check-cluster -- --faults 100 --payments 50000`: three nodes on PostgreSQL under load while they and it fail at random, and
// whether anything that was answered is lost, or anything was answered that did not hold. `--controls` also takes one
// safeguard after another out of the program, which must be noticed.
import { parseArgs } from 'node:util';
import { checkCluster } from './cluster/check.mjs';
import { startPostgres } from './postgres/server.mjs';

/** Of what is wrong, the first is told. */
const MOST_TOLD = 20;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    faults: { type: 'string', default: '100' },
    payments: { type: 'string', default: '50000' },
    nodes: { type: 'string', default: '3' },
    controls: { type: 'boolean', default: false },
  },
});
const [seed, faults, payments, nodes] = [values.seed, values.faults, values.payments, values.nodes].map(Number);

const postgres = await startPostgres({ maxConnections: 200 });
try {
  console.log(`${nodes} nodes, at least ${faults} faults and ${payments} acknowledged payments, seed ${seed}`);
  const { violations, figures, counts, problems } = await checkCluster(postgres, {
    seed,
    faults,
    payments,
    nodes,
    print: console.log,
  });
  console.log(counts, figures, problems.length, problems.slice(0, 20));
  console.log(violations.slice(0, MOST_TOLD).join('\n'));
  console.log(`${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
