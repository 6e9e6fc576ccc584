// What notifications cost: payments with an endpoint set against without, and ten thousand notifications to a receiver.
import { createServer } from 'node:http';
import { bodyOf, MOBILE_MONEY, WALLET } from './payment.mjs';
import { load, median, startServer } from './processes.mjs';

const ROUNDS = 3;
const SECONDS = 4;
const BURST = 10_000;
const BODY = bodyOf(MOBILE_MONEY);

async function call(url, method, body) {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  }
  return answer.json();
}

/** Every payment of the session is settled, and notified, by one rule. */
async function follow(base, rule) {
  await call(`${base}/_sandbox/scenarios/bench`, 'PUT', { name: 'bench', description: '', rules: [rule] });
  await call(`${base}/_sandbox/scenario`, 'PUT', { name: 'bench' });
}

/** What was not delivered under load must not weigh on the next round. */
async function idle(base) {
  for (;;) {
    const { items } = await call(`${base}/_sandbox/webhooks/deliveries?state=pending&limit=1`, 'GET');
    if (items.length === 0) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export async function benchWebhooks() {
  let received = 0;
  let onCount = () => undefined;
  const receiver = createServer((request, response) => {
    request.resume();
    received += 1;
    response.writeHead(204).end();
    onCount();
  });
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${receiver.address().port}/`;
  const sandbox = await startServer([
    'dist/cli.js',
    'start',
    '--port',
    '0',
    '--data',
    ':memory:',
    '--log-level',
    'warn',
  ]);
  for (const session of ['with', 'without']) {
    await follow(`${sandbox.url}/s/${session}`, { settle: { outcome: 'Paid', after: 'PT0S' } });
  }
  await call(`${sandbox.url}/s/with/_sandbox/webhooks/endpoints`, 'PUT', { endpoints: [{ url }] });
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = await load({ url: `${sandbox.url}/s/without${WALLET}`, body: BODY, seconds: SECONDS });
    const withOne = await load({ url: `${sandbox.url}/s/with${WALLET}`, body: BODY, seconds: SECONDS });
    ratios.push(withOne.perSecond / without.perSecond);
    await idle(`${sandbox.url}/s/with`);
  }
  const before = sandbox.memory();
  await call(`${sandbox.url}/s/burst/_sandbox/webhooks/endpoints`, 'PUT', { endpoints: [{ url }] });
  await follow(`${sandbox.url}/s/burst`, {
    settle: { outcome: 'Paid', after: 'PT0S' },
    webhook: { mode: 'burst', count: BURST },
  });
  received = 0;
  const started = performance.now();
  const all = new Promise((resolve) => {
    onCount = () => received >= BURST && resolve();
  });
  await fetch(`${sandbox.url}/s/burst${WALLET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: BODY,
  });
  await all;
  const seconds = (performance.now() - started) / 1000;
  const grown = sandbox.memory() - before;
  await sandbox.stop();
  receiver.close();
  return [
    { name: 'payments that are each notified, of those that are not', value: median(ratios), aim: 0.8 },
    { name: '10,000 notifications, per second', value: BURST / seconds, note: `memory grew by ${grown.toFixed(0)} MB` },
  ];
}
