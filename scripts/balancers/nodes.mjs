// Nodes that share a database: any of them accepts any call, also if nodes are restarted or killed under load.
import assert from 'node:assert/strict';
import { freePort } from '../free-port.mjs';
import { startPostgres } from '../postgres/server.mjs';
import { checkEventStream, checkLargeBody, pay, payInAllSpellings, paymentsOf, tryToPay } from './calls.mjs';
import { PaymentLoad } from './payment-load.mjs';
import { end, endPrograms, haproxy, nginx, pause, startBalancer, startSandbox, waitUntilReady } from './programs.mjs';

const BALANCERS = [
  { name: 'HAProxy, in turn', file: 'docs/scaling/nodes-haproxy.cfg', command: haproxy },
  { name: 'HAProxy, by session', file: 'docs/scaling/nodes-haproxy-hash.cfg', command: haproxy },
  { name: 'HAProxy of the compose file', file: 'docs/scaling/compose-haproxy.cfg', command: haproxy, count: 2 },
  { name: 'nginx, by session', file: 'docs/scaling/nodes-nginx.conf', command: nginx, tolerated: /^502 / },
];
const LEASE_SECONDS = 2;
const LEASE_FLAGS = ['--node-lease', `PT${LEASE_SECONDS}S`];
const SESSIONS = Array.from({ length: 30 }, (_, index) => `session-${index}`);
/** The time in which a balancer detects that a node is available or not. */
const DETECTION_MS = 1500;
/** Duration of the load before and after each event. */
const LOAD_MS = 2000;

/** `only`: prefix of the names of balancers to try. */
export async function checkNodes(only = '') {
  const postgres = await startPostgres();
  try {
    for (const balancer of BALANCERS.filter(({ name }) => name.startsWith(only))) {
      console.log(balancer.name);
      await check(balancer, await postgres.newDatabase());
      await endPrograms();
    }
  } finally {
    await endPrograms();
    await postgres.stop();
  }
}

async function check(balancer, data) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const nodes = [];
  for (let count = 0; count < (balancer.count ?? 3); count += 1) {
    const facts = { port: await freePort(), data, base, flags: LEASE_FLAGS };
    nodes.push({ facts, child: await startSandbox(facts) });
  }
  startBalancer(balancer, { 4100: port, ...replacementsFor(nodes) });
  await waitUntilReady(base);
  await checkSessions(base);
  await checkPages(`${base}/s/session-0`);
  for (const session of SESSIONS.slice(0, 6)) {
    await checkEventStream(`${base}/s/${session}`);
  }
  await checkFaults(base);
  const size = await checkLargeBody(`${base}/s/large`);
  console.log(`  sessions, pages, event streams, faults, ${size} MB in one body: correct`);
  await checkRollingRestart(base, nodes, balancer.tolerated);
  await checkKill(base, nodes);
}

/** Replaces the addresses of nodes in a configuration, which are a port of this machine or a container. */
function replacementsFor(nodes) {
  const words = nodes.map(({ facts: { port } }, index) => [
    [4101 + index, port],
    [`${['one', 'two', 'three'][index]}:4100`, `127.0.0.1:${port}`],
  ]);
  return Object.fromEntries(words.flat());
}

/** Calls by path and by header, in all spellings, must reach the same session. */
async function checkSessions(base) {
  await payInAllSpellings(base, SESSIONS);
  for (const name of SESSIONS) {
    assert.equal((await paymentsOf(`${base}/s/${name}`)).length, 4);
  }
  assert.equal((await paymentsOf(base)).length, 2);
  const { items } = await (await fetch(`${base}/_sandbox/sessions?limit=1000`)).json();
  assert.deepEqual(items.map(({ name }) => name).sort(), [...SESSIONS, 'default'].sort());
}

/** The console, and the payer's page at the address in the answer to a payment. */
async function checkPages(session) {
  const { paymentInitiationResponse } = await (await tryToPay(session)).json();
  const page = paymentInitiationResponse.paymentRedirectUrl;
  assert.ok(page.startsWith(`${session}/`), page);
  for (const url of [page, `${session}/`]) {
    const response = await fetch(url, { headers: { Accept: 'text/html' } });
    assert.equal(response.status, 200, url);
    assert.match(await response.text(), /<html/);
  }
}

/** A connection that a scenario breaks must not count against the node: other sessions continue. */
async function checkFaults(base) {
  const session = `${base}/s/faults`;
  const defined = await fetch(`${session}/_sandbox/scenarios/broken`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'broken',
      description: 'No call is answered.',
      rules: [{ fault: { at: 'arrival', kind: 'reset' } }],
    }),
  });
  assert.equal(defined.ok, true, await defined.text());
  const broken = Array.from({ length: 30 }, () => tryToPay(session, { 'X-Sandbox-Scenario': 'broken' }));
  for (const { value } of await Promise.allSettled(broken)) {
    assert.ok(value === undefined || value.status === 502, `${value?.status}`);
  }
  for (const name of SESSIONS) {
    await pay(`${base}/s/${name}`);
  }
}

/** Restarts the nodes one by one under load: every answer is 200, or 503 with Retry-After. */
async function checkRollingRestart(base, nodes, tolerated) {
  const load = new PaymentLoad(base, SESSIONS, 'restart');
  await pause(LOAD_MS);
  for (const node of nodes) {
    await end(node.child);
    node.child = await startSandbox(node.facts);
    await pause(DETECTION_MS);
  }
  await pause(LOAD_MS);
  const { acknowledged, retries, failures } = await load.stop();
  // nginx does no health checks, and may send a call to a node at the moment when it closes its port.
  const others = failures.filter((failure) => !tolerated?.test(failure));
  assert.deepEqual(others, []);
  await load.verify();
  console.log(
    `  rolling restart: ${acknowledged} payments, ${retries} calls with Retry-After, ${failures.length} broken`,
  );
}

/** Kills a node: until its lease expires, calls may also fail in other ways. */
async function checkKill(base, nodes) {
  const load = new PaymentLoad(base, SESSIONS, 'kill');
  await pause(LOAD_MS);
  const killedAt = performance.now();
  await end(nodes[0].child, 'SIGKILL');
  const times = await Promise.all(
    SESSIONS.map(async (name) => {
      await load.payUntilAcknowledged(name);
      return performance.now() - killedAt;
    }),
  );
  await pause(LOAD_MS);
  const { acknowledged, retries, failures } = await load.stop();
  const broken = [...new Set(failures)].join(', ') || 'none';
  await load.verify();
  const seconds = (Math.max(...times) / 1000).toFixed(1);
  assert.ok(Math.max(...times) < (LEASE_SECONDS + 3) * 1000, `${seconds} s until all sessions were answered again`);
  console.log(
    `  kill -9: all sessions answered after ${seconds} s of a lease of ${LEASE_SECONDS} s; ${acknowledged} payments, ` +
      `${retries} calls with Retry-After, ${failures.length} broken (${broken})`,
  );
}
