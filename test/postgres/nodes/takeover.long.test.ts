import fc from 'fast-check';
import { cases } from '../../cases.ts';
import type { Sandbox } from '../../sandbox.ts';
import { startReceiver } from '../../server/domain/webhooks/receiver.ts';
import { steps, takeStep } from '../../server/sessions/random-steps.ts';
import { CuttingProxy } from '../store/cutting-proxy.ts';
import { NodesUnderTest, pay, payWithRetries, referencesAt, withRetries } from './nodes-under-test.ts';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const nodes = new NodesUnderTest();
/** A short lease. On a busy machine, a node may renew it too late; then calls are repeated. */
const SHORT_LEASE = ['--node-lease', 'PT1S', '--log-level', 'error'];

it('a session gives the same bytes as in one sandbox in memory, although it moves to another node frequently', async () => {
  const settings = { now: NOW, publicUrl: 'http://sandbox.example.test', scenario: 'auto-approve' };
  const singleNode = await nodes.start(':memory:', settings);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (all, calls) => {
      runs += 1;
      const name = `run-${runs}`;
      const data = await nodes.newDatabase();
      let node: Sandbox = await nodes.start(data, settings);
      // Otherwise the session could have no stored data, and would be deleted instead of moved when its node stops.
      const first = { kind: 'pay' as const, walletName: 'WALLET_QR' as const, cents: 100 };
      for (const [index, step] of [first, ...all].entries()) {
        const expected = await takeStep(singleNode.session(name), step);
        expect(await takeStep(node.session(name), step)).toBe(expected);
        if ((index + 1) % calls === 0) {
          await nodes.close(node);
          node = await nodes.start(data, settings);
        }
      }
      const [state, expectedState] = await Promise.all(
        [node, singleNode].map(async (each) => (await fetch(`${each.sessionUrl(name)}/_sandbox/state`)).json()),
      );
      expect(state).toEqual(expectedState);
      await nodes.close(node);
    }),
    { numRuns: cases(5) },
  );
});

it('a new node has all changes that a killed node confirmed, and its queued jobs', async () => {
  const data = await nodes.newDatabase();
  const killedNode = await nodes.startProgram(data, ...SHORT_LEASE);
  const base = `${killedNode.url}/s/shop`;
  for (const number of [1, 2, 3]) {
    expect((await payWithRetries(base, `ORDER-${number}`)).status).toBe(200);
  }
  await nodes.kill(killedNode);
  const other = await nodes.start(data, { nodeLease: 1000 });
  await withRetries(() => fetch(`${other.sessionUrl('shop')}/_sandbox/payments`));
  expect(await referencesAt(other.sessionUrl('shop'))).toEqual(['ORDER-1', 'ORDER-2', 'ORDER-3']);
  const { nextDue } = await other.session('shop').clock();
  expect(nextDue).not.toBeNull();
});

it('a new node sends the pending notification of a killed node under the same id', async () => {
  let onNotification = () => {};
  let isKilled = false;
  const receiver = await startReceiver((_, response) => {
    onNotification();
    if (isKilled) {
      response.end();
    }
  });
  const flags = ['--webhook-url', receiver.url, '--scenario', 'auto-approve'];
  const data = await nodes.newDatabase();
  const first = new Promise<void>((resolve) => {
    onNotification = resolve;
  });
  const killedNode = await nodes.startProgram(data, ...SHORT_LEASE, ...flags);
  await payWithRetries(`${killedNode.url}/s/shop`, 'ORDER-1');
  await first;
  await nodes.kill(killedNode);
  isKilled = true;
  const second = new Promise<void>((resolve) => {
    onNotification = resolve;
  });
  // The session is taken over without a call, because its node is gone.
  await nodes.start(data, { nodeLease: 1000, webhookUrl: receiver.url });
  await second;
  await receiver.close();
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('a node that lost a session with an unknown outcome loads it again, and runs its due jobs without any call', async () => {
  const proxy = new CuttingProxy(await nodes.newDatabase());
  const notified = new Map<string, () => void>();
  const receiver = await startReceiver((call, response) => {
    response.end();
    notified.get(JSON.parse(receiver.received[call - 1]?.body ?? '').paymentReference)?.();
  });
  const node = await nodes.start(await proxy.listen(), { webhookUrl: receiver.url, scenario: 'auto-approve' });
  await payWithRetries(node.sessionUrl('shop'), 'ORDER-1');
  for (let number = 2, isLost = false; !isLost; number += 1) {
    const reference = `ORDER-${number}`;
    const notification = new Promise<void>((resolve) => notified.set(reference, resolve));
    // The payment is stored and only its answer is lost, unless the lost answer belongs to another query.
    proxy.cutNextAnswer();
    isLost = (await withRetries(() => pay(node.sessionUrl('shop'), reference))).status === 504;
    await notification;
  }
  await nodes.close(node);
  proxy.close();
  await receiver.close();
});

it('a suspended node gives no false answer about a session that another node has taken over', async () => {
  const data = await nodes.newDatabase();
  const suspendedNode = await nodes.startProgram(data, ...SHORT_LEASE);
  await payWithRetries(`${suspendedNode.url}/s/shop`, 'ORDER-1');
  suspendedNode.child.kill('SIGSTOP');
  const other = await nodes.start(data, { nodeLease: 1000 });
  const response = await payWithRetries(other.sessionUrl('shop'), 'ORDER-2');
  expect(response.status).toBe(200);
  const list = fetch(`${suspendedNode.url}/s/shop/_sandbox/payments?order=oldest`);
  const payment = pay(`${suspendedNode.url}/s/shop`, 'ORDER-3');
  suspendedNode.child.kill('SIGCONT');
  const [listAnswer, answer] = await Promise.all([list, payment]);
  if (listAnswer.status === 200) {
    const { items } = (await listAnswer.json()) as { items: { payerReference: string }[] };
    expect(items.map(({ payerReference }) => payerReference).slice(0, 2)).toEqual(['ORDER-1', 'ORDER-2']);
  } else {
    expect(listAnswer.status).toBe(503);
  }
  const stored = await referencesAt(other.sessionUrl('shop'));
  const isUnknown = answer.status === 504;
  const isKept = isUnknown ? stored.includes('ORDER-3') : answer.status === 200;
  expect(stored).toEqual(isKept ? ['ORDER-1', 'ORDER-2', 'ORDER-3'] : ['ORDER-1', 'ORDER-2']);
});
