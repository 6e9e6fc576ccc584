// Measures in turns, so that noise affects all servers equally, and uses medians.
import { load, startServer } from './processes.mjs';

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/**
 * Runs the measurements one after the other in each round. Every second round has the reverse order, because work of a server after
 * its turn, such as a checkpoint, slows the next one. Resolves with the results of each measurement, by round.
 */
export async function inTurns(rounds, ...measurements) {
  const results = measurements.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...measurements.entries()];
    for (const [index, measure] of round % 2 === 0 ? order : order.reverse()) {
      results[index].push(await measure(round));
    }
  }
  return results;
}

/** The figures of a load: calls per second, and the processor time of a call, which depends less on other work on the machine. */
export async function measureLoad(server, options) {
  const before = server.processorTime();
  const { perSecond, total } = await load(options);
  return { perSecond, microseconds: (1e6 * (server.processorTime() - before)) / total };
}

/** The median over all rounds of one member of their results. */
export function medianOf(results, member) {
  return median(results.map((result) => result[member]));
}

/** The median ratio of a member of two results of the same round. */
export function ratioOf(ones, others, member) {
  return median(ones.map((one, round) => one[member] / others[round][member]));
}

export const expressArgs = (size, ...drawing) => ['scripts/bench/bare-express.mjs', String(size), ...drawing];

/** The throughput of a server as a share of that of bare Express, with the same request and an answer of the same size. */
export async function compareWithExpress({ rounds, seconds }, url, request, size) {
  const express = await startServer(expressArgs(size));
  const bare = { ...request, url: `${express.url}/pay` };
  const measured = { ...request, url };
  // A warm-up, which is not counted.
  await load({ ...bare, seconds: 1 });
  await load({ ...measured, seconds: 1 });
  const [bareOnes, ownOnes] = await inTurns(
    rounds,
    () => load({ ...bare, seconds }),
    () => load({ ...measured, seconds }),
  );
  await express.stop();
  const figures = (results) => {
    const [perSecond, p50, p99] = ['perSecond', 'p50', 'p99'].map((member) => medianOf(results, member));
    return `${perSecond.toFixed(0)}/s (p50 ${p50} ms, p99 ${p99} ms)`;
  };
  return { value: ratioOf(ownOnes, bareOnes, 'perSecond'), note: `${figures(ownOnes)} against ${figures(bareOnes)}` };
}
