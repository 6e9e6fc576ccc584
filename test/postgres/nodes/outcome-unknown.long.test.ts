// Answers to calls whose outcome is unknown, because the database or another node did not answer.
import { channel } from 'node:diagnostics_channel';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { Forwarder } from '../../../src/postgres/nodes/forwarder.ts';
import { CuttingProxy } from '../store/cutting-proxy.ts';
import { NodesUnderTest, pay, withRetries } from './nodes-under-test.ts';

const nodes = new NodesUnderTest();

/** Repeats a call, because the lost answer of the database may belong to another query than the call's change. */
async function callUntilUnknown(proxy: CuttingProxy, call: (number: number) => Promise<Response>): Promise<Response> {
  for (let number = 1; ; number += 1) {
    proxy.cutNextAnswer();
    const answer = await call(number);
    if (answer.status === 504) {
      return answer;
    }
    await answer.text();
  }
}

describe('a change that the database has stored without a confirmation', () => {
  it('has an unknown outcome for a merchant, and is found by the control call that the error quotes', async () => {
    const proxy = new CuttingProxy(await nodes.newDatabase());
    const node = await nodes.start(await proxy.listen());
    const base = node.sessionUrl('shop');
    await pay(base, 'FIRST');
    let reference = '';
    const unknown = await callUntilUnknown(proxy, (number) => {
      reference = `ORDER-${number}`;
      return withRetries(() => pay(base, reference));
    });
    const { auth, paymentInitiationResponse } = await unknown.json();
    expect(unknown.headers.get('retry-after')).toBeNull();
    expect(unknown.headers.get('x-sandbox-outcome')).toBe('refused: outcome-unknown (SBX-R23)');
    expect([auth.errorResponse.statusCode, paymentInitiationResponse]).toEqual([504, null]);
    expect(auth.errorResponse.errorMessage).toMatch(
      /^it is not known whether this call took effect \(the database has not confirmed it: .*\); check before you repeat it: .*GET \/_sandbox\/payments\/\{reference\}$/,
    );
    const response = await withRetries(() => fetch(`${base}/_sandbox/payments/${reference}`));
    expect(response.status).toBe(200);
    await nodes.close(node);
    proxy.close();
  });

  it('makes a control call fail with an error of the type outcome-unknown', async () => {
    const proxy = new CuttingProxy(await nodes.newDatabase());
    const node = await nodes.start(await proxy.listen());
    const base = node.sessionUrl('shop');
    const shopCode = (number: number) => ({
      merchantId: 'M-1000',
      reference: `TILL-${number}`,
      currency: 'USD',
      amount: '2.50',
      description: 'a coffee',
    });
    const unknown = await callUntilUnknown(proxy, (number) =>
      withRetries(() =>
        fetch(`${base}/_sandbox/shop-codes`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(shopCode(number)),
        }),
      ),
    );
    expect(unknown.headers.get('retry-after')).toBeNull();
    expect(await unknown.json()).toMatchObject({
      type: 'urn:merchant-sandbox:outcome-unknown',
      title: 'outcome-unknown',
      status: 504,
    });
    await nodes.close(node);
    proxy.close();
  });
});

/** Collects the client sockets of new connections to a port. */
function socketsTo(port: number): { sockets: Socket[]; stop(): void } {
  const sockets: Socket[] = [];
  const channelOfSockets = channel('net.client.socket');
  const addSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => socket.remotePort === port && sockets.push(socket));
  };
  channelOfSockets.subscribe(addSocket);
  return { sockets, stop: () => channelOfSockets.unsubscribe(addSocket) };
}

describe('a forwarded call', () => {
  it('to a node that does not answer has an unknown outcome if it changes something; otherwise it can be repeated', async () => {
    const data = await nodes.newDatabase();
    const sockets: Socket[] = [];
    let onSocket = () => {};
    const bothConnected = new Promise<void>((resolve) => {
      onSocket = () => sockets.length === 2 && resolve();
    });
    const silent = createTcpServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (text) => {
          if (!String(text).includes('/health/live')) {
            sockets.push(socket);
            onSocket();
          }
        });
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const silentNode = await nodes.start(data, { nodeUrl: `http://127.0.0.1:${port}` });
    const node = await nodes.start(data);
    await pay(silentNode.sessionUrl('shop'));
    const calls = [pay(node.sessionUrl('shop'), 'ORDER-2'), fetch(`${node.sessionUrl('shop')}/_sandbox/payments`)];
    await bothConnected;
    await nodes.close(silentNode);
    const [paid, read] = await Promise.all(calls);
    expect([paid?.status, paid?.headers.get('retry-after')]).toEqual([504, null]);
    expect([read?.status, read?.headers.get('retry-after')]).toEqual([503, '1']);
    for (const socket of sockets) {
      socket.destroy();
    }
    await new Promise((resolve) => silent.close(resolve));
  });

  it.each([
    ['changes the protocol', 'HTTP/1.1 101 Hi\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['sends informational answers', 'HTTP/1.1 103 Hi\r\n\r\n'.repeat(5)],
  ])('is given up if a server that is not a node %s', async (_title, text) => {
    const foreignServer = createTcpServer((socket) => {
      socket.on('error', () => undefined).on('data', () => socket.write(text));
    });
    await new Promise<void>((resolve) => foreignServer.listen(0, '127.0.0.1', resolve));
    const forwarder = new Forwarder(Buffer.from('a key'));
    const outcomes: string[] = [];
    const other = () => outcomes.push('another outcome');
    const gate = createServer((request, response) =>
      forwarder.forward(request, response, `http://127.0.0.1:${(foreignServer.address() as AddressInfo).port}`, {
        onMoved: other,
        onUnreachable: other,
        onUnanswered: other,
        onForeignServer: () => {
          outcomes.push('foreign server');
          response.writeHead(503).end();
        },
      }),
    );
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const { status } = await fetch(`http://127.0.0.1:${(gate.address() as AddressInfo).port}/`);
    expect([status, outcomes]).toEqual([503, ['foreign server']]);
    forwarder.close();
    await Promise.all([gate, foreignServer].map((server) => new Promise((resolve) => server.close(resolve))));
  });

  it('is not reported as unreceived if its connection broke after it was open', async () => {
    const owner = createServer(() =>
      onward.sockets[0]?.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
    );
    await new Promise<void>((resolve) => owner.listen(0, '127.0.0.1', resolve));
    const { port } = owner.address() as AddressInfo;
    const onward = socketsTo(port);
    const forwarder = new Forwarder(Buffer.from('a key'));
    const unexpected = () => {
      throw new Error('the call has reached the other node');
    };
    const gate = createServer((request, response) =>
      forwarder.forward(request, response, `http://127.0.0.1:${port}`, {
        onMoved: unexpected,
        onUnreachable: unexpected,
        onUnanswered: unexpected,
        onForeignServer: unexpected,
      }),
    );
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const call = httpRequest({ port: (gate.address() as AddressInfo).port, host: '127.0.0.1', method: 'POST' });
    const broken = new Promise<NodeJS.ErrnoException>((resolve) => call.once('error', resolve));
    call.end('a body');
    expect((await broken).code).toBe('ECONNRESET');
    onward.stop();
    forwarder.close();
    await Promise.all([gate, owner].map((server) => new Promise((resolve) => server.close(resolve))));
  });
});
