import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { ConnectionPool } from '../../src/base/connection-pool.ts';
import { AnswerTooLong, fetchWhole, type OutboundRequest } from '../../src/base/outbound.ts';

const { jest } = import.meta;
const TIMEOUT_MS = 15_000;
const ends: (() => void)[] = [];
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
  for (const end of ends.splice(0)) {
    end();
  }
});

/** A peer with a callback for each connection and for each complete request head. */
async function startPeer({
  onConnection = () => undefined,
  onRequest = () => undefined,
}: {
  onConnection?: (socket: Socket) => void;
  onRequest?: (socket: Socket, request: number, connection: number) => void;
}) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const connection = sockets.size;
    let requests = 0;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.includes('\r\n\r\n')) {
        text = '';
        requests += 1;
        onRequest(socket, requests, connection);
      }
    });
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.close();
    for (const socket of sockets) {
      socket.destroy();
    }
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, connections: () => sockets.size };
}

function newConnections(...options: ConstructorParameters<typeof ConnectionPool>): ConnectionPool {
  const connections = new ConnectionPool(...options);
  ends.push(() => connections.close());
  return connections;
}

const request = (members: Partial<OutboundRequest> = {}) => ({
  method: 'POST',
  body: '{}',
  timeoutMs: TIMEOUT_MS,
  maxBytes: 1000,
  ...members,
});

/** The outcome of a request, in words. */
function outcomeOf(address: string, members: Partial<OutboundRequest & { maxBytes: number; canBeCut: boolean }> = {}) {
  return fetchWhole(address, { ...request(), ...members }).then(
    ({ status, body }) => `${status} ${body}`,
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Writes `first`, and then a text again and again, until the connection is closed. */
function drip(socket: Socket, text: string, first = ''): void {
  if (!socket.destroyed) {
    socket.write(first + text, () => setImmediate(() => drip(socket, text)));
  }
}

describe('a request times out if the peer', () => {
  const late = 'Error: no answer within 15 seconds';

  it.each<[string, (socket: Socket) => void]>([
    ['sends nothing', () => undefined],
    ['sends 100 forever', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n')],
    ['sends 102 forever', (socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
    ['sends 103 forever', (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')],
    ['stops within the status line', (socket) => socket.write('HTTP/1.1 20')],
    ['stops within the headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nA: ')],
  ])('%s', async (_title, answer) => {
    const arrived = deferred();
    const peer = await startPeer({
      onRequest: (socket) => {
        answer(socket);
        arrived.resolve();
      },
    });
    const outcome = outcomeOf(peer.url);
    await arrived.promise;
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await outcome).toBe(late);
  });

  it.each([
    ['never ends the body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
    ['never ends the last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'],
  ])('%s', async (_title, text) => {
    const peer = await startPeer({ onRequest: (socket) => socket.write(text) });
    const began = deferred();
    const connections = newConnections();
    jest.spyOn(connections, 'learnFrom').mockImplementation(() => began.resolve());
    const outcome = outcomeOf(peer.url, { connections });
    await began.promise;
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await outcome).toBe(late);
  });

  it('never finishes the TLS handshake', async () => {
    const connected = deferred();
    const peer = await startPeer({ onConnection: () => connected.resolve() });
    const outcome = outcomeOf(peer.url.replace('http:', 'https:'));
    await connected.promise;
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await outcome).toBe(late);
  });

  it('has a name that is never resolved', async () => {
    const lookup = deferred();
    const outcome = outcomeOf('http://shop.test/', { connections: newConnections(() => lookup.resolve()) });
    await lookup.promise;
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await outcome).toBe(late);
  });
});

describe('a request ends at once if the peer', () => {
  it.each<[string, (socket: Socket) => void, string]>([
    [
      'changes the protocol',
      (socket) => socket.write('HTTP/1.1 101 Hi\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      '101 ',
    ],
    [
      'changes the protocol and closes',
      (socket) => socket.end('HTTP/1.1 101 Hi\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      '101 ',
    ],
    ['sends 101 without a protocol', (socket) => socket.end('HTTP/1.1 101 Hi\r\n\r\n'), '101 '],
    ['closes without an answer', (socket) => socket.end(), 'Error: socket hang up'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'Error: read ECONNRESET'],
    ['closes within the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nA: '), 'Error: socket hang up'],
    ['closes after 100 Continue', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), 'Error: socket hang up'],
    [
      'closes within the body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'),
      'Error: aborted',
    ],
    [
      'sends endless headers',
      (socket) => drip(socket, 'A: b\r\n'.repeat(4000), 'HTTP/1.1 200 OK\r\n'),
      'Error: Parse Error: Header overflow',
    ],
    [
      'answers with something other than HTTP',
      (socket) => socket.end('SSH-2.0\r\n'),
      'Error: Parse Error: Expected HTTP/, RTSP/ or ICE/',
    ],
    [
      'sends an endless body',
      (socket) => drip(socket, 'a', 'HTTP/1.1 200 OK\r\n\r\n'),
      'AnswerTooLong: the answer has more than 1000 bytes',
    ],
  ])('%s', async (_title, answer, expected) => {
    const peer = await startPeer({ onRequest: answer });
    expect(await outcomeOf(peer.url)).toBe(expected);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('listens nowhere', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    expect(await outcomeOf(`http://127.0.0.1:${port}/`)).toContain('ECONNREFUSED');
  });
});

it.each<[string, string, boolean]>([
  ['before the answer', '', false],
  ['within the answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab', true],
])('an abort %s ends a request with its reason', async (_title, text, hasBegun) => {
  const stop = new AbortController();
  const connections = newConnections();
  const began = jest.spyOn(connections, 'learnFrom').mockImplementation(() => setImmediate(() => stop.abort(reason)));
  const reason = new Error('enough');
  const peer = await startPeer({
    onRequest: (socket) => (hasBegun ? socket.write(text) : setImmediate(() => stop.abort(reason))),
  });
  expect(await outcomeOf(peer.url, { connections, signal: stop.signal })).toBe('Error: enough');
  expect(began).toHaveBeenCalledTimes(hasBegun ? 1 : 0);
  expect(await outcomeOf(peer.url, { signal: stop.signal })).toBe('Error: enough');
});

describe('an answer', () => {
  it.each([
    ['a body that its status forbids', 'HTTP/1.1 204 No\r\nContent-Length: 2\r\n\r\n{}', '204 '],
    ['a forbidden body in chunks', 'HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', '204 '],
    ['more bytes than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more', '200 ok'],
    ['a second answer', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n', '200 ok'],
  ])('is complete if it is followed by %s', async (_title, text, expected) => {
    const peer = await startPeer({ onRequest: (socket) => socket.write(text) });
    const connections = newConnections();
    expect(await outcomeOf(peer.url, { connections })).toBe(expected);
    // The connection is not used again, because those bytes would be read as the next answer.
    expect(await outcomeOf(peer.url, { connections })).toBe(expected);
  });

  it('that exceeds the accepted number of bytes is cut if the caller only wants the beginning', async () => {
    const peer = await startPeer({
      onRequest: (socket) => drip(socket, 'a', 'HTTP/1.1 200 OK\r\n\r\n'),
    });
    expect(await outcomeOf(peer.url, { maxBytes: 3, canBeCut: true })).toBe('200 aaa');
    await expect(fetchWhole(peer.url, request({}))).rejects.toThrow(AnswerTooLong);
  });
});

describe('a kept connection', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const answerFirst = (otherwise: (socket: Socket) => void) => (socket: Socket, number: number) =>
    number === 1 ? socket.write(OK) : otherwise(socket);

  it.each<[string, (socket: Socket) => void]>([
    ['is closed', (socket) => socket.end()],
    ['is reset', (socket) => socket.resetAndDestroy()],
  ])('that %s before the answer begins is replaced by a new one', async (_title, close) => {
    const peer = await startPeer({ onRequest: answerFirst(close) });
    const connections = newConnections();
    expect(await outcomeOf(peer.url, { connections, isRepeatable: true })).toBe('200 ok');
    expect(await outcomeOf(peer.url, { connections, isRepeatable: true })).toBe('200 ok');
    expect(peer.connections()).toBe(2);
  });

  it('is replaced only once, and not if the request must not be repeated', async () => {
    const peer = await startPeer({
      onRequest: (socket, number, connection) => (number === 1 && connection !== 2 ? socket.write(OK) : socket.end()),
    });
    const connections = newConnections();
    await outcomeOf(peer.url, { connections });
    expect(await outcomeOf(peer.url, { connections, isRepeatable: true })).toBe('Error: socket hang up');
    await outcomeOf(peer.url, { connections });
    expect(await outcomeOf(peer.url, { connections })).toBe('Error: socket hang up');
    expect(peer.connections()).toBe(3);
  });

  it.each([
    ['within an answer', 'HTTP/1.1 20'],
    ['after an informational answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('that ends %s is not replaced, because the request has arrived', async (_title, text) => {
    const peer = await startPeer({ onRequest: answerFirst((socket) => socket.end(text)) });
    const connections = newConnections();
    await outcomeOf(peer.url, { connections });
    expect(await outcomeOf(peer.url, { connections, isRepeatable: true })).toContain('Error: ');
    expect(peer.connections()).toBe(1);
  });

  it.each([
    ['no idle time', 'timeout=0'],
    ['one second', 'timeout=1'],
    ['a longer time', 'max=100, timeout=75'],
  ])('is closed soon if the server announces %s', async (_title, header) => {
    const closed = deferred();
    const peer = await startPeer({
      onConnection: (socket) => socket.on('close', () => closed.resolve()),
      onRequest: (socket) => socket.write(`HTTP/1.1 200 OK\r\nKeep-Alive: ${header}\r\nContent-Length: 2\r\n\r\nok`),
    });
    expect(await outcomeOf(peer.url, { connections: newConnections() })).toBe('200 ok');
    await closed.promise;
  });

  it('is not used again after unexpected bytes', async () => {
    const closed = deferred();
    const peer = await startPeer({
      onConnection: (socket) => socket.on('close', () => closed.resolve()),
      onRequest: (socket) => socket.write(OK, () => setImmediate(() => socket.write(OK.replace('ok', 'no')))),
    });
    const connections = newConnections();
    expect(await outcomeOf(peer.url, { connections })).toBe('200 ok');
    await closed.promise;
    expect(await outcomeOf(peer.url, { connections })).toBe('200 ok');
  });
});
