// Load and faults on a cluster, and whether what was answered holds.
import { Cluster } from './cluster.mjs';
import { makeTrouble } from './faults.mjs';
import { checkFinalState } from './final-state.mjs';
import { History, SessionHistory } from './history.mjs';
import { Load } from './load.mjs';
import { randomFrom } from './random.mjs';
import { turnOver } from './turnover.mjs';

const SESSIONS = 30;
const CLIENTS = 300;
const TURNOVERS = 4;

/**
 * Goes on until there were so many faults and so many acknowledged payments.
 *
 * @param {Awaited<ReturnType<typeof import('../postgres/server.mjs').startPostgres>>} postgres
 * @param {{ seed: number, faults: number, payments: number, nodes?: number, clients?: number, program?: string, print?: (line: string) => void }} options
 */
export async function checkCluster(
  postgres,
  { seed, faults, payments, nodes = 3, clients = CLIENTS, program = 'dist/cli.js', print = () => undefined },
) {
  const history = new History();
  const started = performance.now();
  const problems = [];
  const onProblem = (line) => problems.push(line);
  const cluster = await Cluster.start(postgres, { nodes, program, onProblem });
  try {
    const random = randomFrom(seed);
    const sessions = Array.from({ length: SESSIONS }, (_, index) => new SessionHistory(`shared-${index + 1}`));
    const load = new Load([...cluster.nodes], history, randomFrom(seed + 1));
    const { figures } = load;
    let isOver = false;
    const parts = { nodes: [...cluster.nodes], history, random: randomFrom(seed + 2), figures };
    const begun = performance.now();
    const running = [
      ...Array.from({ length: clients }, () => load.run(sessions, () => isOver)),
      ...Array.from({ length: TURNOVERS }, (_, index) => turnOver(`own-${index + 1}`, parts, () => isOver)),
    ];
    const counts = await makeTrouble(cluster, {
      random,
      count: faults,
      isEnough: () => figures.payments >= payments || history.violations.length > 0,
      print: (line) => print(`${((performance.now() - started) / 1000).toFixed(1)} s  ${line}`),
    });
    isOver = true;
    await Promise.all(running);
    const seconds = (performance.now() - begun) / 1000;
    await checkFinalState(cluster, sessions, history);
    const takeovers = await cluster.takeovers();
    const longest = (figures.longestUnavailable / 1000).toFixed(1);
    return { violations: history.violations, figures: { ...figures, longest, seconds, takeovers }, counts, problems };
  } finally {
    await cluster.stop();
  }
}
