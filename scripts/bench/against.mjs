// `npm run bench -- --against REF`: measures this build, the build of another commit and bare Express in turns, and compares them.
import { join, resolve } from 'node:path';
import { expressArgs, inTurns, measureLoad, median } from './measure.mjs';
import { buildOf } from './other-build.mjs';
import { bodyOf, CHANNELS, WALLET } from './payment.mjs';
import { load, startServer } from './processes.mjs';
import { call, programArgs, store, withCommas, withStored } from './sandbox.mjs';
import { startAndAsk } from './suites/start.mjs';
import { statusQueries } from './suites/status.mjs';
import { RUNNERS, runSuite } from './suites/user-suite.mjs';

/** A measure fails if its ratio to the other build is below this by more than twice its noise. */
const MIN_RATIO = 0.97;
/** The median distance of the rounds to their median × 1.4826 is the standard deviation; × 1.2533 / √rounds, the standard error. */
const ERROR_OF_MEDIAN = 1.2533 * 1.4826;
/** A run that stores all payments takes long, and its memory varies little. */
const STORED_ROUNDS = 3;
const WARM = 5000;

/** Prints a table, and resolves with whether no measure has failed. */
export async function compareWith(ref, options) {
  const otherBuild = buildOf(ref);
  const builds = [resolve('.'), otherBuild.folder];
  const title = ['measure', 'now', otherBuild.commit, 'Express', 'ratio', 'noise', 'of Express'];
  console.log(line(title));
  let isGood = true;
  for (const measure of [measureChannels, measureStored, measureStart, measureUserSuite]) {
    for await (const row of measure(builds, options)) {
      isGood = print(row) && isGood;
    }
  }
  return isGood;
}

const line = ([name, ...cells]) => name.padEnd(48) + cells.map((cell) => cell.padStart(11)).join('');

/** `now`, `other` and `express` (optional) are the values of each round. A ratio above 1 is better. */
function print({ name, now, other, express, isLowerBetter = false }) {
  const ratiosTo = (values) =>
    now.map((value, round) => (isLowerBetter ? values[round] / value : value / values[round]));
  const ratios = ratiosTo(other);
  const ratio = median(ratios);
  const spread = median(ratios.map((each) => Math.abs(each - ratio)));
  // A single round does not show its noise.
  const noise = ratios.length > 1 ? (ERROR_OF_MEDIAN * spread) / Math.sqrt(ratios.length) : 1;
  const isGood = ratio + 2 * noise >= MIN_RATIO;
  const figure = (values) => (values ? median(values).toPrecision(4) : '');
  const expressRatio = express ? median(ratiosTo(express)).toFixed(2) : '';
  const cells = [figure(now), figure(other), figure(express), ratio.toFixed(3), `±${noise.toFixed(3)}`, expressRatio];
  console.log(`${line([name, ...cells])}${isGood ? '' : '  SLOWER'}`);
  return isGood;
}

/** A row for calls per second, and one for the processor time of a call. */
function* rowsOf(name, [now, other, express]) {
  const values = (results, member) => results?.map((result) => result[member]);
  const of = (member) => ({
    now: values(now, member),
    other: values(other, member),
    express: values(express, member),
  });
  yield { name: `${name}, calls a second`, ...of('perSecond') };
  yield { name: `${name}, µs of processor time`, isLowerBetter: true, ...of('microseconds') };
}

async function* measureChannels(builds, options) {
  for (const [name, members] of Object.entries(CHANNELS)) {
    const body = bodyOf(members);
    const size = await withSandbox(builds[0], options, async ({ url }) => {
      const { text } = await call(`${url}${WALLET}`, 'POST', bodyOf(members, 'ORDER-1'));
      return Buffer.byteLength(text);
    });
    const results = await inTurns(
      options.rounds,
      ...builds.map(
        (build) => () =>
          withSandbox(build, options, (sandbox) => measureWarmLoad(sandbox, { url: WALLET, body }, options)),
      ),
      () => withExpress(size, (express) => measureWarmLoad(express, { url: '/pay', body }, options)),
    );
    yield* rowsOf(name, results);
  }
}

/** The memory of many payments, and the speed of queries among them. */
async function* measureStored(builds, options) {
  const [count] = options.levels;
  let statusLoad;
  const results = await inTurns(
    STORED_ROUNDS,
    ...builds.map(
      (build) => () =>
        withSandbox(build, options, async (sandbox) => {
          await store(sandbox.url, count);
          const resident = sandbox.memory();
          const queries = await statusQueries(sandbox, count);
          statusLoad ??= queries;
          return { resident, ...(await measureWarmLoad(sandbox, queries, options)) };
        }),
    ),
  );
  const express = await inTurns(STORED_ROUNDS, () =>
    withExpress(statusLoad.size, (server) => measureWarmLoad(server, { ...statusLoad, url: '/pay' }, options)),
  );
  const [now, other] = results.map((rounds) => rounds.map(({ resident }) => resident));
  yield { name: `MB resident after ${withCommas(count)} payments`, isLowerBetter: true, now, other };
  yield* rowsOf(`status query among ${withCommas(count)}`, [...results, ...express]);
}

async function* measureStart(builds, { rounds, folder }) {
  const ask = (build) => () =>
    withStored(folder, 0, (data) => startAndAsk(programArgs(programIn(build), data), WALLET));
  const results = await inTurns(rounds, ...builds.map(ask), () => startAndAsk(expressArgs(900), '/pay'));
  const [now, other, express] = results.map((each) => each.map(({ milliseconds }) => milliseconds));
  yield { name: 'ms from start to first answer', isLowerBetter: true, now, other, express };
}

/** With the test runner that has the lowest overhead. */
async function* measureUserSuite(builds, options) {
  const runner = RUNNERS.find(({ name }) => name === 'node:test');
  const results = await inTurns(
    Math.min(options.rounds, STORED_ROUNDS),
    ...builds.map((build) => () => runSuite(runner, 'sandbox', { ...options, build })),
  );
  const [now, other] = results.map((each) => each.map(({ perTest }) => perTest));
  yield { name: `ms of a user's test in ${runner.name}`, isLowerBetter: true, now, other };
}

const programIn = (build) => join(build, 'dist/cli.js');

/** Calls back with a new sandbox of a build, which has a separate data file. */
function withSandbox(build, { folder }, use) {
  return withStored(folder, 0, (data) => withServer(programArgs(programIn(build), data), use));
}

const withExpress = (size, use) => withServer(expressArgs(size), use);

/**
 * Each round starts new servers, because two processes of the same program differ by more than two loads on one process, and because
 * an idle server still has work to do.
 */
async function withServer(args, use) {
  const server = await startServer(args);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** The figures of a load on a path, after a warm-up. */
async function measureWarmLoad(server, request, { seconds }) {
  const loadRequest = { ...request, url: new URL(request.url, server.url).href };
  await load({ ...loadRequest, amount: WARM });
  return measureLoad(server, { ...loadRequest, seconds });
}
