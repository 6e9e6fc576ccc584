// The cost of notifications: payments with and without an endpoint, and ten thousand notifications in one burst.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { inTurns, medianOf, ratioOf } from '../measure.mjs';
import { MOBILE_MONEY, WALLET } from '../payment.mjs';
import { load } from '../processes.mjs';
import { call, callJson, startSandbox, withCommas, withStored } from '../sandbox.mjs';

const BURST = 10_000;
const PAID_AT_ONCE = { settle: { outcome: 'Paid', after: 'PT0S' } };

export async function benchWebhooks({ rounds, seconds, folder }) {
  const receiver = await startReceiver();
  const row = await withStored(folder, 0, async (data) => {
    const sandbox = await startSandbox(data);
    const session = (name) => `${sandbox.url}/s/${name}`;
    for (const name of ['with', 'without']) {
      await follow(session(name), PAID_AT_ONCE);
    }
    await notify(session('with'), receiver);
    const pay = async (name, duration = seconds) => {
      const result = await load({ url: `${session(name)}${WALLET}`, body: MOBILE_MONEY, seconds: duration });
      await waitForDeliveries(session(name));
      return result;
    };
    // A warm-up, which is not counted.
    await pay('without', 1);
    await pay('with', 1);
    const [without, withOne] = await inTurns(
      rounds,
      () => pay('without'),
      () => pay('with'),
    );
    const burst = await burstPerSecond(session('burst'), receiver);
    await sandbox.stop();
    return {
      name: 'payments with notifications, relative to payments without',
      value: ratioOf(withOne, without, 'perSecond'),
      aim: 0.9,
      note:
        `${medianOf(withOne, 'perSecond').toFixed(0)}/s against ${medianOf(without, 'perSecond').toFixed(0)}/s; ` +
        `${burst.toFixed(0)} notifications a second in a burst of ${withCommas(BURST)}`,
    };
  });
  receiver.server.close();
  return [row];
}

async function startReceiver() {
  const receiver = { url: '', received: 0, onReceived: () => undefined };
  receiver.server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
    receiver.received += 1;
    receiver.onReceived();
  });
  receiver.server.listen(0, '127.0.0.1');
  await once(receiver.server, 'listening');
  receiver.url = `http://127.0.0.1:${receiver.server.address().port}/`;
  return receiver;
}

/** Makes the session follow one rule. */
async function follow(session, rule) {
  await call(`${session}/_sandbox/scenarios/bench`, 'PUT', { name: 'bench', description: '', rules: [rule] });
  await call(`${session}/_sandbox/scenario`, 'PUT', { name: 'bench' });
}

function notify(session, { url }) {
  return call(`${session}/_sandbox/webhooks/endpoints`, 'PUT', { endpoints: [{ url }] });
}

/** Waits for all deliveries, because those that are left would slow the next round. */
async function waitForDeliveries(session) {
  for (;;) {
    const { items } = await callJson(`${session}/_sandbox/webhooks/deliveries?state=pending&limit=1`, 'GET');
    if (items.length === 0) {
      return;
    }
    await delay(100);
  }
}

async function burstPerSecond(session, receiver) {
  await notify(session, receiver);
  await follow(session, { ...PAID_AT_ONCE, webhook: { mode: 'burst', count: BURST } });
  receiver.received = 0;
  const all = new Promise((resolve) => {
    receiver.onReceived = () => receiver.received >= BURST && resolve();
  });
  const started = performance.now();
  await call(`${session}${WALLET}`, 'POST', MOBILE_MONEY);
  await all;
  return BURST / ((performance.now() - started) / 1000);
}
