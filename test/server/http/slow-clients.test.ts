import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { serverFor } from '../../../src/server/http/server.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a request that is never completed', () => {
  const quick = { headersTimeout: 20, requestTimeout: 40, connectionsCheckingInterval: 10 };

  it.each([
    ['a head', 'GET / HTTP/1.1\r\nHost: a\r\nX-Half'],
    ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf'],
    ['a chunked body', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal'],
  ])('is answered with 408, and its connection is closed: %s', async (_title, half) => {
    const closed: Promise<unknown>[] = [];
    const port = await portOf(
      serverFor((request) => {
        closed.push(new Promise((resolve) => request.on('close', resolve)));
        request.on('error', () => undefined).resume();
      }, quick),
    );
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(half);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    await Promise.all(closed);
  });

  it('is ended after at most a minute', () => {
    const { requestTimeout, headersTimeout } = serverFor(() => undefined);
    expect([requestTimeout, headersTimeout]).toEqual([60_000, 30_000]);
  });
});

describe('an event stream', () => {
  describe('requested with HEAD', () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await startSandbox();
    });
    afterAll(() => sandbox.close());

    it.each(['/_sandbox/events', '/_sandbox/events?since=0', '/_sandbox/stream', '/pay/versions/phone/263770000001'])(
      'ends with its headers: %s',
      async (path) => {
        await sandbox.client.reset();
        const call = httpRequest(`${sandbox.url}${path}`, { method: 'HEAD' }).end();
        const [response] = await once(call, 'response');
        response.resume();
        await once(response, 'end');
        expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream']);
      },
    );
  });
});
