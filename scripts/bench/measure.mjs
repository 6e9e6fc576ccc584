// How what is noisy is measured: in turns, so that noise meets all alike, and by medians.
import { load, startServer } from './processes.mjs';

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

/**
 * Runs the measurements one after the other in each round, backwards in each second one, because what a server does after its turn, such as
 * a checkpoint, slows the next one. Resolves with each one's results, round by round.
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

/** The figures of a load: calls a second, and the processor time of a call, which other work on the machine changes less. */
export async function measureLoad(server, options) {
  const before = server.processorTime();
  const { perSecond, total } = await load(options);
  return { perSecond, microseconds: (1e6 * (server.processorTime() - before)) / total };
}

/** The median over all rounds of one member of their results. */
export function medianOf(results, member) {
  return median(results.map((result) => result[member]));
}

/** The median of what that member of the ones was of the others' in the same round. */
export function ratioOf(ones, others, member) {
  return median(ones.map((one, round) => one[member] / others[round][member]));
}

export const expressArgs = (size, ...drawing) => ['scripts/bench/bare-express.mjs', String(size), ...drawing];

/** The throughput of a server as a share of bare Express's, with the same request and an answer of the same size. */
export async function besideExpress({ rounds, seconds }, url, request, size) {
  const express = await startServer(expressArgs(size));
  const bare = { ...request, url: `${express.url}/pay` };
  const own = { ...request, url };
  // Nobody's first second counts.
  await load({ ...bare, seconds: 1 });
  await load({ ...own, seconds: 1 });
  const [bareOnes, ownOnes] = await inTurns(
    rounds,
    () => load({ ...bare, seconds }),
    () => load({ ...own, seconds }),
  );
  await express.stop();
  const figures = (results) => {
    const [perSecond, p50, p99] = ['perSecond', 'p50', 'p99'].map((member) => medianOf(results, member));
    return `${perSecond.toFixed(0)}/s (p50 ${p50} ms, p99 ${p99} ms)`;
  };
  return { value: ratioOf(ownOnes, bareOnes, 'perSecond'), note: `${figures(ownOnes)} against ${figures(bareOnes)}` };
}
