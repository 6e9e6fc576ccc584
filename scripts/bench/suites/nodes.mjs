// Compares nodes that share a PostgreSQL database with a sandbox that uses a file, in the same run. A separate PostgreSQL server with
// fsync is started.
import { startPostgres } from '../../postgres/server.mjs';
import { inTurns, medianOf, ratioOf } from '../measure.mjs';
import { MOBILE_MONEY, WALLET } from '../payment.mjs';
import { load, startServer } from '../processes.mjs';
import { call, callJson, startSandbox, withCommas, withStored } from '../sandbox.mjs';

const SESSIONS = 10_000;
const ACTIVE = 100;
const CONCURRENCY = 10;
const LEASE_MS = 2000;
const STORED = [1000, 50_000];

export async function benchNodes(options) {
  const server = await startPostgres();
  try {
    return [
      await compareWithFile(server, options),
      ...(await measureNodeCounts(server, options)),
      await measureIdleSessions(server),
      await measureTakeover(server),
      ...(await measureOpening(server)),
    ];
  } finally {
    await server.stop();
  }
}

const paymentsTo = (url, { seconds }, connections) =>
  load({ url: `${url}${WALLET}`, body: MOBILE_MONEY, seconds, connections });

async function compareWithFile(server, options) {
  return withStored(options.folder, 0, async (file) => {
    const [own, node] = [await startSandbox(file), await startSandbox(await server.newDatabase())];
    for (const { url } of [own, node]) {
      await paymentsTo(url, { seconds: 1 });
    }
    const [ofFile, ofNode] = await inTurns(
      options.rounds,
      () => paymentsTo(own.url, options),
      () => paymentsTo(node.url, options),
    );
    await Promise.all([own.stop(), node.stop()]);
    const figures = (results) => {
      const [perSecond, p50, p99] = ['perSecond', 'p50', 'p99'].map((member) => medianOf(results, member));
      return `${perSecond.toFixed(0)}/s (p50 ${p50} ms, p99 ${p99} ms)`;
    };
    return {
      name: 'mobile money on PostgreSQL, relative to a file',
      value: ratioOf(ofNode, ofFile, 'perSecond'),
      aim: 0.7,
      note: `${figures(ofNode)} against ${figures(ofFile)}`,
    };
  });
}

/** Each node gets calls of a separate session, as behind a hashing balancer. */
async function measureNodeCounts(server, options) {
  const rows = [];
  let oneNode;
  for (const count of [1, 2, 3]) {
    const data = await server.newDatabase();
    const nodes = [];
    for (let number = 0; number < count; number += 1) {
      nodes.push(await startSandbox(data));
    }
    const combined = await combineLoads(
      nodes.map(({ url }, node) => paymentsTo(`${url}/s/shop-${node}`, options, CONCURRENCY)),
    );
    oneNode ??= combined;
    rows.push({
      name: `${count} nodes, payments of all, relative to one node`,
      value: combined.perSecond / oneNode.perSecond,
      note: `${combined.perSecond.toFixed(0)}/s, p99 ${combined.p99} ms; nodes, load and PostgreSQL share the machine's cores`,
    });
    if (count === 2) {
      rows.push(...(await measureForwarding(nodes, options)));
    }
    await Promise.all(nodes.map((node) => node.stop()));
  }
  return rows;
}

/** All share a core, so that forwarding takes time from the node that has the session. A bare relay shows the minimum. */
async function measureForwarding([own, other], options) {
  const relay = await startServer(['scripts/bench/bare-relay.mjs', own.url]);
  const payments = ({ url }) => paymentsTo(`${url}/s/shop-0`, options, CONCURRENCY);
  for (const way of [own, other, relay]) {
    await paymentsTo(`${way.url}/s/shop-0`, { seconds: 1 });
  }
  const [straight, forwarded, relayed] = await inTurns(
    options.rounds,
    () => payments(own),
    () => payments(other),
    () => payments(relay),
  );
  await relay.stop();
  const rowOf = (name, results, aim) => ({
    name: `payments through ${name}, relative to direct ones`,
    value: ratioOf(results, straight, 'perSecond'),
    aim,
    note: `${medianOf(results, 'perSecond').toFixed(0)}/s against ${medianOf(straight, 'perSecond').toFixed(0)}/s`,
  });
  return [rowOf('another node', forwarded, 0.6), rowOf('a bare relay', relayed)];
}

async function combineLoads(loads) {
  const results = await Promise.all(loads);
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...results.map(({ p99 }) => p99)),
  };
}

async function measureIdleSessions(server) {
  const node = await startSandbox(await server.newDatabase(), '--max-sessions', '20000', '--session-idle', 'PT2S');
  const pay = (name) => call(`${node.url}/s/${name}${WALLET}`, 'POST', MOBILE_MONEY);
  await inParallel(SESSIONS, (number) => pay(`session-${number}`));
  const active = Array.from({ length: ACTIVE }, (_, number) => `session-${number}`);
  const startedAt = performance.now();
  while (performance.now() - startedAt < 10_000) {
    await Promise.all(active.map(pay));
  }
  const [value, peak] = [node.memory(), node.peakMemory()];
  await node.stop();
  return {
    name: `${withCommas(SESSIONS)} sessions of which ${ACTIVE} are active, resident MB of a node`,
    value,
    aim: 300,
    isMaximum: true,
    note: `${peak.toFixed(0)} MB at most`,
  };
}

async function measureTakeover(server) {
  const data = await server.newDatabase();
  const lease = ['--node-lease', `PT${LEASE_MS / 1000}S`];
  const [killed, other] = [await startSandbox(data, ...lease), await startSandbox(data, ...lease)];
  await call(`${killed.url}/s/shop${WALLET}`, 'POST', MOBILE_MONEY);
  await killed.kill();
  const startedAt = performance.now();
  for (;;) {
    const answer = await fetch(`${other.url}/s/shop/_sandbox/payments`);
    await answer.text();
    if (answer.ok) {
      break;
    }
  }
  const value = (performance.now() - startedAt) / LEASE_MS;
  await other.stop();
  return {
    name: 'time until sessions of a killed node answer again, relative to the lease',
    value,
    aim: 1.5,
    isMaximum: true,
    note: `${(value * LEASE_MS).toFixed(0)} ms with a lease of ${LEASE_MS} ms`,
  };
}

async function measureOpening(server) {
  const rows = [];
  const data = await server.newDatabase();
  for (const stored of STORED) {
    const maker = await startSandbox(data);
    await load({ url: `${maker.url}/s/with-${stored}${WALLET}`, body: MOBILE_MONEY, amount: stored });
    await maker.stop();
    const node = await startSandbox(data);
    await callJson(`${node.url}/s/other/_sandbox/sessions`, 'GET');
    const { milliseconds } = await call(`${node.url}/s/with-${stored}/_sandbox/payments?limit=1`, 'GET');
    await node.stop();
    rows.push({ name: `opening a session with ${withCommas(stored)} payments, ms`, value: milliseconds });
  }
  return rows;
}

async function inParallel(count, work) {
  let number = 0;
  const next = async () => {
    while (number < count) {
      number += 1;
      await work(number - 1);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
}
