// Clients that close their side of a connection, and then wait for the answer or have left.
import { EventEmitter, once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { EventStream } from '../../../src/server/http/event-stream.ts';
import { serverFor } from '../../../src/server/http/server.ts';
import { rawCall, withoutVaryingParts } from '../../raw-call.ts';
import { type Sandbox, startSandbox } from '../../sandbox.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const newFolder = temporaryFolders();

const call = (path: string, version = '1.1') =>
  `GET ${path} HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

describe('a client that has closed its side', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ httpsPort: 0, tlsFolder: newFolder(), now: Date.parse('2026-03-01T10:00:00Z') });
  });
  afterAll(() => sandbox.close());

  it.each([
    ['/init/banks/all'],
    ['/init/nothing'],
    ['/_sandbox/clock'],
    ['/_sandbox/nothing'],
    ['/_sandbox/openapi.json'],
    ['/pay/phone'],
    ['/'],
  ])('gets the same answer as others, for %s', async (path) => {
    for (const url of [sandbox.url, sandbox.httpsUrl ?? '']) {
      for (const version of ['1.0', '1.1']) {
        const otherAnswer = await rawCall(url, call(path, version));
        const halfClosed = await rawCall(url, call(path, version), { isHalfClosed: true });
        expect(otherAnswer).toMatch(/^HTTP\/1.1 (200|404) /);
        expect(withoutVaryingParts(halfClosed)).toBe(withoutVaryingParts(otherAnswer));
      }
    }
  });

  it('gets a late answer', async () => {
    const rules = [{ fault: { at: 'after', kind: 'latency', latency: 'PT1S' } }];
    await sandbox.client.defineScenario({ name: 'late', description: 'answers late', rules });
    const text = call('/init/banks/all').replace('\r\n\r\n', '\r\nX-Sandbox-Scenario: late\r\n\r\n');
    for (const url of [sandbox.url, sandbox.httpsUrl ?? '']) {
      let answer: string | undefined;
      const ended = rawCall(url, text, { isHalfClosed: true }).then((whole) => {
        answer = whole;
      });
      while (answer === undefined) {
        await sandbox.client.advance('PT1S');
      }
      await ended;
      expect(withoutVaryingParts(answer)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    }
  });

  it.each(['/_sandbox/events?since=0', '/_sandbox/stream', '/pay/versions/phone/263770000001'])(
    'gets the available part of a stream, and its end: %s',
    async (path) => {
      const answer = await rawCall(sandbox.url, call(path), { isHalfClosed: true });
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*text\/event-stream[\s\S]*\r\n0\r\n\r\n$/);
    },
  );
});

describe('during a slow answer', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  /** A server whose answers the test writes. `responseFor` returns the response to the next request with an HTTP version. */
  async function slowServer(): Promise<{ url: string; responseFor(version: string): Promise<ServerResponse> }> {
    const requests = new EventEmitter();
    const server = serverFor((request, response) => requests.emit(request.httpVersion, response));
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, responseFor: async (version) => (await once(requests, version))[0] };
  }

  it('a client that has closed its side and still reads gets the answer, with interim answers over HTTP/1.1', async () => {
    const { url, responseFor } = await slowServer();
    const responses = [responseFor('1.0'), responseFor('1.1')];
    const old = rawCall(url, call('/', '1.0'), { isHalfClosed: true });
    await responses[0];
    const answer = rawCall(url, call('/'), { isHalfClosed: true });
    const interim = import.meta.jest.spyOn(await (responses[1] as Promise<ServerResponse>), 'writeProcessing');
    while (interim.mock.calls.length < 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const response of responses) {
      (await response).end('late');
    }
    expect(await answer).toMatch(/^(HTTP\/1.1 102 Processing\r\n\r\n){2}HTTP\/1.1 200 OK\r\n[\s\S]*late$/);
    expect(await old).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*late$/);
  });

  it('a stream to a client that has closed its side sends the available texts, and ends', async () => {
    const { url, responseFor } = await slowServer();
    const response = responseFor('1.1');
    const answer = rawCall(url, call('/'), { isHalfClosed: true });
    const { socket } = (await response).req;
    if (!socket.readableEnded) {
      await once(socket, 'end');
    }
    const texts = ['data: 1\n\n'];
    new EventStream(await response, ': hello\n\n', () => texts.shift()).send();
    expect(await answer).toMatch(/: hello\n\n[\s\S]*data: 1\n\n[\s\S]*\r\n0\r\n\r\n$/);
  });

  it('a client that has left is noticed, and its response closes unfinished', async () => {
    const { url, responseFor } = await slowServer();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(call('/'));
    const response = await responseFor('1.1');
    socket.destroy();
    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });
});
