// `npm run check-balancers`: two built sandboxes behind HAProxy and nginx, with the configurations of docs/scaling/. Both must be
// installed, so it is no part of `npm test`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SESSIONS = 100;
const PAYMENTS_IN_LARGE_BODY = 2000;

const BALANCERS = [
  { name: 'HAProxy', file: 'docs/scaling/haproxy.cfg', command: (file) => ['haproxy', '-f', file] },
  { name: 'nginx', file: 'docs/scaling/nginx.conf', command: nginx },
];

const folder = mkdtempSync(join(tmpdir(), 'sandbox-balancers-'));
const running = new Set();
try {
  for (const balancer of BALANCERS) {
    await check(balancer);
  }
} finally {
  await Promise.all([...running].map(end));
  rmSync(folder, { recursive: true });
}

async function check({ name, file, command }) {
  const ports = { 4100: await freePort(), 4101: await freePort(), 4102: await freePort() };
  const base = `http://127.0.0.1:${ports[4100]}`;
  const one = { port: ports[4101], data: join(folder, `${name}-one.json`), base };
  const two = { port: ports[4102], data: join(folder, `${name}-two.json`), base };
  await startSandbox(one);
  const second = await startSandbox(two);
  const configuration = join(folder, `${name}.conf`);
  writeFileSync(
    configuration,
    readFileSync(file, 'utf8').replace(/\b410[012]\b/g, (port) => ports[port]),
  );
  start(command(configuration));
  await answers(base);
  const [ofOne, ofTwo] = await checkSessions(base, one, two);
  await checkEventStream(`${base}/s/${ofTwo}`);
  const size = await checkLargeBody(`${base}/s/${ofOne}`);
  await checkAbsence({ base, two, second, ofOne, ofTwo });
  console.log(
    `${name}: ${size} MB in one body; sessions, event streams and the absence of one sandbox as they should be`,
  );
}

/** Sessions by path and by header: each on one sandbox alone, and some on either. */
async function checkSessions(base, one, two) {
  const names = Array.from({ length: SESSIONS }, (_, index) => `session-${index}`);
  for (const name of names) {
    await pay(`${base}/s/${name}`);
    await pay(base, { 'X-Sandbox-Session': name });
    await pay(`${base}/s/${name}`, { 'X-Sandbox-Session': 'another' });
    await pay(`${base}/s/%73${name.slice(1)}`);
  }
  await pay(base);
  await pay(base, { 'X-Sandbox-Session': '' });
  const [ofOne, ofTwo] = [await sessionsOf(one), await sessionsOf(two)];
  const made = [...ofOne, ...ofTwo].filter(({ payments }) => payments > 0);
  assert.deepEqual(
    made.map(({ name, payments }) => `${name} ${payments}`).sort(),
    [...names.map((name) => `${name} 4`), 'default 2'].sort(),
  );
  const [some, others] = [ofOne, ofTwo].map((list) => list.filter(({ name }) => names.includes(name)));
  assert.ok(Math.min(some.length, others.length) > SESSIONS / 5, `${some.length} and ${others.length} sessions`);
  console.log(`${some.length} sessions on one sandbox, ${others.length} on the other`);
  return [some[0].name, others[0].name];
}

async function checkEventStream(session) {
  const signal = AbortSignal.timeout(10_000);
  const { body } = await fetch(`${session}/_sandbox/events`, { headers: { Accept: 'text/event-stream' }, signal });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  await pay(session);
  // It says at once that it is connected; the payment's event must come while the stream is open.
  let received = '';
  while (!/^data: .*payment/m.test(received)) {
    received += (await reader.read()).value;
  }
  await reader.cancel();
}

async function checkLargeBody(session) {
  for (let count = 0; count < PAYMENTS_IN_LARGE_BODY; count += 1) {
    await pay(session);
  }
  const state = await (await fetch(`${session}/_sandbox/state`)).text();
  const restored = await fetch(`${session}/_sandbox/state`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: state,
  });
  assert.equal(restored.ok, true, await restored.text());
  return (state.length / 1e6).toFixed(1);
}

/** Sessions of a sandbox that is away are nowhere else; they are there again when it is back. */
async function checkAbsence({ base, two, second, ofOne, ofTwo }) {
  const before = await paymentsOf(`${base}/s/${ofTwo}`);
  await end(second);
  assert.ok((await tryToPay(`${base}/s/${ofTwo}`)).status >= 502);
  await pay(`${base}/s/${ofOne}`);
  await startSandbox(two);
  assert.deepEqual(await paymentsOf(`${base}/s/${ofTwo}`), before);
  await pay(`${base}/s/${ofTwo}`);
}

async function tryToPay(base, headers = {}) {
  return await fetch(`${base}/sandbox/init/authenticate/merchant/wallet`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({
      merchantId: 'M-1000',
      merchantApiKey: 'test-api-key-1000',
      merchantKey: 'test-merchant-key-1000',
      walletName: 'WALLET_QR',
      amount: '10.00',
      paymentCurrency: 'USD',
      paymentDescription: 'Order 1001',
      payerName: 'Ann Payer',
      payerReference: 'ORDER-1001',
      payerAccountId: 7,
      profileId: 1,
    }),
  });
}

async function pay(base, headers) {
  const response = await tryToPay(base, headers);
  assert.equal(response.status, 200, await response.text());
}

async function paymentsOf(session) {
  const { items } = await (await fetch(`${session}/_sandbox/payments`)).json();
  return items.map(({ id }) => id);
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

async function startSandbox({ port, data, base }) {
  const settings = ['--port', String(port), '--data', data, '--public-url', base, '--quiet'];
  const child = start([process.execPath, 'dist/cli.js', 'start', ...settings]);
  await answers(`http://127.0.0.1:${port}`);
  return child;
}

function start([command, ...args]) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  return child;
}

async function end(child) {
  running.delete(child);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Until it does; who waits too long ends the script. */
async function answers(url) {
  const signal = AbortSignal.timeout(20_000);
  for (;;) {
    const isThere = await fetch(`${url}/_sandbox/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) {
      return;
    }
    signal.throwIfAborted();
    await new Promise((next) => setTimeout(next, 50));
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The file as /etc/nginx/nginx.conf includes it, with nothing outside of our folder. */
function nginx(file) {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const main = `${file}.main`;
  writeFileSync(
    main,
    `pid ${folder}/nginx.pid;\nevents {}\nhttp { access_log off; ${paths.join(' ')} include ${file}; }\n`,
  );
  return ['nginx', '-c', main, '-e', 'stderr', '-g', 'daemon off; master_process off;'];
}
