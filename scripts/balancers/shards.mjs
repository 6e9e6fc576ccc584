// Independent sandboxes, each with a part of the sessions.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { freePort } from '../free-port.mjs';
import { checkEventStream, checkLargeBody, pay, payInAllSpellings, paymentsOf, tryToPay } from './calls.mjs';
import { end, endPrograms, folder, haproxy, nginx, startBalancer, startSandbox, waitUntilReady } from './programs.mjs';

const SESSIONS = 100;

const BALANCERS = [
  { name: 'HAProxy', file: 'docs/scaling/haproxy.cfg', command: haproxy },
  { name: 'nginx', file: 'docs/scaling/nginx.conf', command: nginx },
];

/** `only`: prefix of the names of balancers to try. */
export async function checkShards(only = '') {
  for (const balancer of BALANCERS.filter(({ name }) => name.startsWith(only))) {
    await check(balancer);
  }
}

async function check(balancer) {
  const { name } = balancer;
  const ports = { 4100: await freePort(), 4101: await freePort(), 4102: await freePort() };
  const base = `http://127.0.0.1:${ports[4100]}`;
  const one = { port: ports[4101], data: join(folder, `${name}-one.json`), base };
  const two = { port: ports[4102], data: join(folder, `${name}-two.json`), base };
  await startSandbox(one);
  const childTwo = await startSandbox(two);
  startBalancer(balancer, ports);
  await waitUntilReady(base);
  const [sessionOnOne, sessionOnTwo] = await checkSessions(base, one, two);
  await checkEventStream(`${base}/s/${sessionOnTwo}`);
  const size = await checkLargeBody(`${base}/s/${sessionOnOne}`);
  await checkAbsence({ base, two, childTwo, sessionOnOne, sessionOnTwo });
  await endPrograms();
  console.log(`${name}: ${size} MB in one body; sessions, event streams and the absence of one sandbox: correct`);
}

/** Sessions by path and by header: each on one sandbox only, and some on each sandbox. */
async function checkSessions(base, one, two) {
  const names = Array.from({ length: SESSIONS }, (_, index) => `session-${index}`);
  await payInAllSpellings(base, names);
  const [onOne, onTwo] = [await sessionsOf(one), await sessionsOf(two)];
  const used = [...onOne, ...onTwo].filter(({ payments }) => payments > 0);
  assert.deepEqual(
    used.map(({ name, payments }) => `${name} ${payments}`).sort(),
    [...names.map((name) => `${name} 4`), 'default 2'].sort(),
  );
  const [listOne, listTwo] = [onOne, onTwo].map((list) => list.filter(({ name }) => names.includes(name)));
  assert.ok(
    Math.min(listOne.length, listTwo.length) > SESSIONS / 5,
    `${listOne.length} and ${listTwo.length} sessions`,
  );
  console.log(`${listOne.length} sessions on one sandbox, ${listTwo.length} on the other`);
  return [listOne[0].name, listTwo[0].name];
}

/** Sessions of a stopped sandbox are not available on the other; they are available again when it runs again. */
async function checkAbsence({ base, two, childTwo, sessionOnOne, sessionOnTwo }) {
  const before = await paymentsOf(`${base}/s/${sessionOnTwo}`);
  await end(childTwo);
  assert.ok((await tryToPay(`${base}/s/${sessionOnTwo}`)).status >= 502);
  await pay(`${base}/s/${sessionOnOne}`);
  await startSandbox(two);
  assert.deepEqual(await paymentsOf(`${base}/s/${sessionOnTwo}`), before);
  await pay(`${base}/s/${sessionOnTwo}`);
}

async function sessionsOf({ port }) {
  const { items } = await (await fetch(`http://127.0.0.1:${port}/_sandbox/sessions?limit=1000`)).json();
  return await Promise.all(
    items.map(async ({ name }) => ({
      name,
      payments: (await paymentsOf(`http://127.0.0.1:${port}/s/${name}`)).length,
    })),
  );
}
