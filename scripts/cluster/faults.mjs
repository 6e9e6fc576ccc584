// Random faults of nodes and PostgreSQL, some of them at the same time.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { LEASE_MS } from './cluster.mjs';

const CONCURRENT_FAULTS = 2;
const MAX_GAP_MS = 8000;

const NODE_FAULTS = {
  async 'kill -9'(node, random) {
    await node.kill();
    await delay(random.below(1500));
    await node.start();
  },
  async pause(node, random) {
    node.pause();
    await delay(random.between(1000, 4000));
    node.resume();
  },
  async 'rolling restart'(node) {
    await node.terminate();
    await node.start();
  },
  async 'cut connections'(node) {
    node.proxy.cut();
  },
  async stall(node, random) {
    node.proxy.stall();
    await delay(random.between(500, 3000));
    await node.proxy.resume();
  },
  async 'late answers'(node, random) {
    node.proxy.stall({ answersOnly: true });
    await delay(random.between(500, 3000));
    await node.proxy.resume();
  },
  /** Answers arrive when the node no longer trusts its lease, which is still valid. Stored commits must still be acknowledged. */
  async 'answers past the trust in the lease'(node, random) {
    node.proxy.stall({ answersOnly: true });
    await delay(random.between(0.86 * LEASE_MS, LEASE_MS));
    await node.proxy.resume();
  },
  async 'lost answers'(node, random) {
    node.proxy.stall({ answersOnly: true });
    await delay(random.below(500));
    node.proxy.cut();
    await node.proxy.resume();
  },
};

const POSTGRES_FAULTS = {
  async 'terminated backends'({ url }) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'merchant-sandbox' and random() < 0.5`);
    await client.end();
  },
  async 'crash of PostgreSQL'({ postgres }, random) {
    await postgres.crash();
    await delay(random.below(1000));
    await postgres.restart();
  },
};

/** The relative frequency of each fault. */
const WEIGHTS = {
  'kill -9': 5,
  pause: 5,
  'rolling restart': 4,
  'cut connections': 3,
  stall: 5,
  'late answers': 3,
  'answers past the trust in the lease': 4,
  'lost answers': 3,
  'terminated backends': 3,
  'crash of PostgreSQL': 2,
};
export const FAULTS = Object.keys(WEIGHTS);
const WEIGHTED_FAULTS = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

/**
 * Causes faults until there are enough. Resolves with the count of each once all have ended.
 *
 * @param {import('./cluster.mjs').Cluster} cluster
 * @param {object} options
 * @param {ReturnType<typeof import('./random.mjs').randomFrom>} options.random
 * @param {(faults: number) => boolean} options.isEnough
 * @param {number} [options.maxGapMs]
 * @param {(line: string) => void} options.print
 */
export async function causeFaults(cluster, { random, isEnough, maxGapMs = MAX_GAP_MS, print }) {
  const counts = {};
  const victims = new Set();
  let faultCount = 0;
  const causeRandomFaults = async () => {
    while (!isEnough(faultCount)) {
      faultCount += 1;
      // First each fault once, then random ones.
      const name = faultCount <= FAULTS.length ? FAULTS[faultCount - 1] : random.oneOf(WEIGHTED_FAULTS);
      const isOfNode = name in NODE_FAULTS;
      const free = isOfNode ? cluster.nodes.filter((node) => !victims.has(node)) : [cluster.postgres];
      const victim = random.oneOf(free);
      if (victims.has(victim)) {
        faultCount -= 1;
        await delay(random.below(maxGapMs));
        continue;
      }
      victims.add(victim);
      counts[name] = (counts[name] ?? 0) + 1;
      print(`fault ${faultCount}: ${name}${isOfNode ? ` at node ${victim.name}` : ''}`);
      await (isOfNode ? NODE_FAULTS[name](victim, random) : POSTGRES_FAULTS[name](cluster, random));
      victims.delete(victim);
      await delay(random.below(maxGapMs));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_FAULTS }, causeRandomFaults));
  return counts;
}
