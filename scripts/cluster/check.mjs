// Runs load and faults on a cluster, and checks that the final state agrees with all answers.
import { Cluster } from './cluster.mjs';
import { causeFaults } from './faults.mjs';
import { checkFinalState } from './final-state.mjs';
import { History, KnownSession } from './history.mjs';
import { Load } from './load.mjs';
import { randomFrom } from './random.mjs';
import { turnOver } from './turnover.mjs';

const SESSIONS = 30;
const CLIENTS = 300;
const TURNOVERS = 4;

/**
 * Runs until the given numbers of faults and acknowledged payments are reached, or until a violation.
 *
 * @param {Awaited<ReturnType<typeof import('../postgres/server.mjs').startPostgres>>} postgres
 * @param {object} options
 * @param {number} options.seed
 * @param {number} options.faults
 * @param {number} options.payments
 * @param {number} [options.nodes]
 * @param {number} [options.clients]
 * @param {number} [options.maxGapMs] maximum time between faults
 * @param {string} options.program
 * @param {(line: string) => void} [options.print]
 */
export async function checkCluster(
  postgres,
  { seed, faults, payments, nodes = 3, clients = CLIENTS, maxGapMs, program, print = () => undefined },
) {
  const history = new History();
  const startedAt = performance.now();
  const errors = new Map();
  const cluster = await Cluster.start(postgres, {
    nodes,
    program,
    onError: (line) => errors.set(line, (errors.get(line) ?? 0) + 1),
    onEnd: (words) => history.addViolation(words),
  });
  try {
    const random = randomFrom(seed);
    const sessions = Array.from({ length: SESSIONS }, (_, index) => new KnownSession(`shared-${index + 1}`));
    const load = new Load([...cluster.nodes], history, randomFrom(seed + 1));
    const { figures } = load;
    let isOver = false;
    const parts = { nodes: [...cluster.nodes], history, random: randomFrom(seed + 2), figures };
    const loadStartedAt = performance.now();
    const running = [
      ...Array.from({ length: clients }, () => load.run(sessions, () => isOver)),
      ...Array.from({ length: TURNOVERS }, (_, index) => turnOver(`own-${index + 1}`, parts, () => isOver)),
    ];
    const counts = await causeFaults(cluster, {
      random,
      maxGapMs,
      isEnough: (count) => history.violations.length > 0 || (count >= faults && figures.payments >= payments),
      print: (line) =>
        print(`${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${figures.payments} payments: ${line}`),
    });
    isOver = true;
    await Promise.all(running);
    const seconds = (performance.now() - loadStartedAt) / 1000;
    await checkFinalState(cluster, sessions, history);
    const takeovers = await cluster.takeovers();
    const longest = (figures.longestUnavailable / 1000).toFixed(1);
    return { violations: history.violations, figures: { ...figures, longest, seconds, takeovers }, counts, errors };
  } finally {
    await cluster.stop();
  }
}
