// `npm run check-cluster -- --faults 100 --payments 50000`: plays stories of faults, then puts load on nodes while they and PostgreSQL
// fail at random. No acknowledged change may be lost, and no answer may be wrong. `--controls` also removes each safeguard from the
// program in turn, which must cause violations.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtProgram } from './build/built-program.mjs';
import { checkCluster } from './cluster/check.mjs';
import { buildWithout, CONTROLS } from './cluster/controls.mjs';
import { play, STORY_NAMES } from './cluster/stories.mjs';
import { startPostgres } from './postgres/server.mjs';

const PROGRAM = builtProgram();
/** Maximum number of violations that are printed. */
const MAX_VIOLATIONS = 20;
/** A story that depends on exact timing is repeated, because the machine may be busy. */
const MAX_ATTEMPTS = 5;

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
if (![seed, faults, payments, nodes].every((number) => number >= 0) || nodes < 2) {
  console.error('--seed, --faults and --payments take a number, --nodes one from 2');
  process.exit(2);
}

const postgres = await startPostgres({ maxConnections: 200 });
try {
  const isSound = (await playStories()) && (await runAtRandom());
  const areNoticed = !values.controls || (await tryControls());
  process.exitCode = isSound && areNoticed ? 0 : 1;
} finally {
  await postgres.stop();
}

async function playStories() {
  const allViolations = [];
  for (const name of STORY_NAMES) {
    const violations = await play(name, postgres, PROGRAM);
    console.log(`${name}: ${violations.length} violations`);
    allViolations.push(...violations);
  }
  printLines(allViolations);
  return allViolations.length === 0;
}

async function runAtRandom() {
  console.log(`${nodes} nodes, at least ${faults} faults and ${payments} acknowledged payments, seed ${seed}`);
  const run = await checkCluster(postgres, { seed, faults, payments, nodes, program: PROGRAM, print: console.log });
  const { violations, figures, counts, errors } = run;
  for (const [name, count] of Object.entries(counts)) {
    console.log(`${String(count).padStart(5)}  ${name}`);
  }
  const rate = (figures.payments / figures.seconds).toFixed(0);
  console.log(`${figures.payments} payments acknowledged, ${rate} per second, ${figures.unknown} of unknown outcome`);
  console.log(
    `${figures.reads} reads, ${figures.settled} settlements, ${figures.turnovers} sessions created and deleted`,
  );
  console.log(`${figures.unanswered} calls to be sent again, longest unavailability of a session ${figures.longest} s`);
  console.log(`${figures.takeovers} takeovers in ${figures.seconds.toFixed(0)} s`);
  printLines([...errors].map(([line, count]) => `${String(count).padStart(5)} times in the logs: ${line}`));
  printLines(violations);
  console.log(`${violations.length} violations`);
  return violations.length === 0;
}

async function tryControls() {
  let areNoticed = true;
  for (const { safeguard, story, changes } of CONTROLS) {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-control-'));
    try {
      const program = await buildWithout(changes, folder);
      let violations = [];
      for (let tries = 0; violations.length === 0 && tries < MAX_ATTEMPTS; tries += 1) {
        violations = await play(story, postgres, program);
      }
      areNoticed &&= violations.length > 0;
      console.log(`without ${safeguard}: ${violations[0] ?? 'NOTHING WAS NOTICED'}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return areNoticed;
}

function printLines(lines) {
  for (const line of lines.slice(0, MAX_VIOLATIONS)) {
    console.log(line);
  }
  if (lines.length > MAX_VIOLATIONS) {
    console.log(`… and ${lines.length - MAX_VIOLATIONS} more`);
  }
}
