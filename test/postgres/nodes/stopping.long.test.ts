// A node that stops while its database is gone, or after its process was suspended.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { ClusterNode } from '../../../src/postgres/nodes/cluster-node.ts';
import type { SharedStore } from '../../../src/postgres/store/shared-store.ts';
import type { Sessions } from '../../../src/server/sessions/sessions.ts';
import { CuttingProxy } from '../store/cutting-proxy.ts';
import { NodesUnderTest, payWithRetries, referencesAt } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();

/** Longer than a stopping node waits for further calls. */
const LONG_PAUSE_MS = 600;

/** The two ends of a connection; data that is written to one can be read at the other at once. */
async function newConnection(): Promise<[Socket, Socket]> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const one = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[other]] = await Promise.all([once(server, 'connection'), once(one, 'connect')]);
  server.close();
  return [one, other];
}

it('a node also stops if the database is gone, and leaves its sessions to others', async () => {
  const data = await nodes.newDatabase();
  const proxy = new CuttingProxy(data);
  const node = await nodes.start(await proxy.listen(), { nodeLease: 1000 });
  await payWithRetries(node.sessionUrl('shop'));
  proxy.close();
  await nodes.close(node);
  await expect(fetch(node.url)).rejects.toThrow('fetch failed');
  const next = await nodes.start(data);
  expect(await referencesAt(next.sessionUrl('shop'))).toEqual(['ORDER-1']);
});

it('a stopping node waits until it has read the calls that arrived while its process was suspended', async () => {
  const happened: string[] = [];
  const store = {
    ownedSessions: () => [],
    otherAddresses: async () => ['http://127.0.0.1:1'],
    addressOf: async () => 'http://127.0.0.1:1',
  } as unknown as SharedStore;
  const node = new ClusterNode(store, {} as unknown as Sessions, {
    idleMs: 1000,
    lifetimeMs: undefined,
    onWarning: (message) => happened.push(message),
    onExpired: () => undefined,
    onOtherNodes: () => undefined,
  });
  const [caller, callee] = await newConnection();
  callee.once('data', () => happened.push('a call'));
  node.beginCall('shop')();
  const stopping = node.stop().then(() => happened.push('the end'));
  // After 20 microtasks, the node waits for calls.
  for (let step = 0; step < 20; step += 1) {
    await Promise.resolve();
  }
  caller.write('a call');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_PAUSE_MS);
  await stopping;
  expect(happened).toEqual(['a call', 'the end']);
  caller.destroy();
  callee.destroy();
});
