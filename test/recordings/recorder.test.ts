import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Masks } from '../../src/recordings/masks.ts';
import { Recorder } from '../../src/recordings/recorder/recorder.ts';
import { type Exchange, NOT_REACHABLE, RECORDING_ENDED, RecordingError } from '../../src/recordings/recording.ts';
import { rawCall } from '../raw-call.ts';
import { freePort } from '../running.ts';
import { answering, type RawServer, rawServer } from './raw-server.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) {
    await end();
  }
});

interface Recorded {
  url: string;
  recorder: Recorder;
  exchanges: Exchange[];
  /** Resolves with the next exchange that is written. */
  next(): Promise<Exchange>;
}

async function record(upstream: string, { webhook, write }: { webhook?: string; write?: () => Promise<void> } = {}) {
  const exchanges: Exchange[] = [];
  const waiting: ((exchange: Exchange) => void)[] = [];
  let taken = 0;
  const writer = {
    async write(exchange: Exchange) {
      await write?.();
      exchanges.push(exchange);
      waiting.shift()?.(exchange);
    },
    close: () => Promise.resolve(),
  };
  const urls = { upstream: new URL(upstream), webhook: webhook === undefined ? undefined : new URL(webhook) };
  const recorder = new Recorder({ ...urls, host: '127.0.0.1', port: 0, masks: new Masks(), writer });
  const url = await recorder.listen();
  ends.push(() => recorder.close(0));
  const next = () => {
    const there = exchanges[taken];
    taken += 1;
    return there ? Promise.resolve(there) : new Promise<Exchange>((resolve) => waiting.push(resolve));
  };
  return { url, recorder, exchanges, next } satisfies Recorded;
}

async function serve(onRequest: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(onRequest);
  ends.push(() => server.close());
  return server;
}

const manyHeaders = (name: string) =>
  Array.from({ length: 3000 }, (_, index) => `${name}-${index}: ${index}\r\n`).join('');
const withoutHost = (text: string) => text.replace(/^(host): .*$/gim, '$1:');

describe('calls', () => {
  test.each<[string, string, string, string]>([
    [
      'a body with its length',
      'POST /a/%7E?b=1&&c HTTP/1.1\r\nx-Odd:  two \r\nx-Odd: \xe9\r\nhOst: here\r\ncontent-LENGTH: 3\r\n\r\nabc',
      'HTTP/1.1 201 So be it\r\nX-B: 1\r\nx-a: \xe9\r\nX-B: 2\r\ncontent-length: 2\r\n\r\nok',
      'abc',
    ],
    [
      'chunks and trailers',
      'PUT / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nok\r\n0\r\nX-T: 2\r\n\r\n',
      '0\r\nX-T: 1\r\n\r\n',
    ],
    ['HEAD', 'HEAD / HTTP/1.1\r\nHost: here\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n', '\r\n\r\n'],
    ['no content', 'DELETE /x HTTP/1.1\r\nHost: here\r\n\r\n', 'HTTP/1.1 204 \r\nX-A: 1\r\n\r\n', '\r\n\r\n'],
    ['not modified', 'GET /x HTTP/1.1\r\nHost: here\r\n\r\n', 'HTTP/1.1 304 Same\r\nETag: "a"\r\n\r\n', '\r\n\r\n'],
    [
      'no length of the answer',
      'GET /x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
      'HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nto the end',
      '\r\n\r\n',
    ],
    [
      'POST without a body',
      'POST /x HTTP/1.1\r\nHost: here\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      '\r\n\r\n',
    ],
    [
      'thousands of headers',
      `GET /x HTTP/1.1\r\nHost: here\r\n${manyHeaders('a')}\r\n`,
      `HTTP/1.1 200 OK\r\n${manyHeaders('b')}Content-Length: 0\r\n\r\n`,
      '\r\n\r\n',
    ],
    [
      'a redirect and cookies',
      'GET /x HTTP/1.1\r\nHost: here\r\nCookie: a=1\r\n\r\n',
      'HTTP/1.1 302 Found\r\nLocation: https://there.test/x\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n',
      '\r\n\r\n',
    ],
    [
      'interim answers',
      'GET /x HTTP/1.1\r\nHost: here\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      '\r\n\r\n',
    ],
  ])('with %s come and are answered as without the recorder', async (_, request, answer, end) => {
    const direct = await serve(answering(answer, end));
    const recorded = await serve(answering(answer, end));
    const { url } = await record(`http://127.0.0.1:${recorded.port}`);
    const expected = await rawCall(`http://127.0.0.1:${direct.port}`, request);
    expect(expected).toBe(answer);
    expect(await rawCall(url, request)).toBe(expected);
    // Blanks around a value are none of it.
    const trimmed = (text: string) => text.replace(/: +/g, ': ').replace(/ +\r\n/g, '\r\n');
    expect(withoutHost(recorded.received())).toBe(trimmed(withoutHost(direct.received())));
    expect(recorded.received()).toMatch(new RegExp(`^host: 127\\.0\\.0\\.1:${recorded.port}\r$`, 'im'));
  });

  test('are recorded with what came and was answered, and when', async () => {
    const body = '{"b":null,"a":"","token":"abc"}';
    const server = await serve(
      answering(`HTTP/1.1 401 No\r\nX-A: 1\r\nContent-Length: ${body.length}\r\n\r\n${body}`, '}'),
    );
    const { url, next } = await record(`http://127.0.0.1:${server.port}/base/`);
    await rawCall(url, 'POST /pay?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{"a": 10}');
    expect(server.received()).toMatch(/^POST \/base\/pay\?x=1 HTTP\/1\.1\r\n/);
    const call = await next();
    expect(call).toEqual({
      kind: 'call',
      id: 'call-1',
      at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      method: 'POST',
      target: '/pay?x=1',
      headers: [
        { name: 'Host', value: 'h' },
        { name: 'Content-Length', value: '9' },
      ],
      body: { json: { a: 10 } },
      ms: expect.any(Number),
      answer: {
        status: 401,
        headers: [
          { name: 'X-A', value: '1' },
          { name: 'Content-Length', value: String(body.length) },
        ],
        body: { json: { b: null, a: '', token: expect.stringMatching(/^\*{3}[\da-f]{8}$/) } },
      },
      error: null,
    });
  });

  test('with a compressed answer pass as they are, and are recorded decoded', async () => {
    const bytes = gzipSync('{"a":1}');
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const answer = head + bytes.toString('latin1');
    const server = await serve(answering(answer));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    expect(await rawCall(url, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n')).toBe(answer);
    expect((await next()).answer?.body).toEqual({ json: { a: 1 } });
  });

  test('that wait for 100 Continue are told so by the service alone', async () => {
    const server = await serve((socket, came) => {
      socket.write(
        came.endsWith('abc')
          ? 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
          : 'HTTP/1.1 100 Go on\r\n\r\n',
      );
    });
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n');
    const [interim] = await once(socket, 'data');
    expect(String(interim)).toBe('HTTP/1.1 100 Go on\r\n\r\n');
    socket.write('abc');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect((await next()).body).toEqual({ text: 'abc' });
  });

  test('on one connection are sent on over one', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end('ok')).on('connection', () => {
      connections += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    const { url } = await record(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const get = (connection: string) => `GET / HTTP/1.1\r\nHost: h\r\nConnection: ${connection}\r\n\r\n`;
    expect((await rawCall(url, get('keep-alive') + get('close'))).match(/ 200 OK/g)).toHaveLength(2);
    expect(connections).toBe(1);
  });

  test('on a connection that the service has ended are not done, and it is said who ended it', async () => {
    const service = await serve((socket, came) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      if (came.endsWith('\r\n\r\n')) {
        socket.end();
      }
    });
    const { url, next } = await record(`http://127.0.0.1:${service.port}`);
    const caller = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    ends.push(() => caller.destroy());
    caller.on('error', () => undefined);
    caller.write('GET /first HTTP/1.1\r\nHost: h\r\n\r\n');
    caller.resume();
    await once(caller, 'end');
    caller.write('POST /second HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n');
    expect(await next()).toMatchObject({ target: '/first', answer: { status: 200 } });
    expect(await next()).toMatchObject({
      ...{ target: '/second', answer: null },
      error: 'the service closed the connection before the call came',
    });
    expect(service.received()).not.toContain('/second');
  });

  test('have events passed on as they come, and end with the caller', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(
      () => server.closeAllConnections(),
      () => server.close(),
    );
    const { url, next } = await record(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const call = httpRequest(url).end();
    const [answer] = await once(call, 'response');
    const [event] = await once(answer, 'data');
    expect(String(event)).toBe('data: 1\n\n');
    answer.on('error', () => undefined);
    call.destroy();
    expect(await next()).toMatchObject({
      answer: { status: 200, body: { text: 'data: 1\n\n' } },
      error: 'the caller closed the connection before the end of the answer',
    });
  });

  test('of which nothing answers are told so, and recorded', async () => {
    const { url, next } = await record(`http://127.0.0.1:${await freePort()}`);
    const answer = await fetch(url, { method: 'POST', body: 'abc' });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toMatch(
      /^This is the recorder of merchant-sandbox: http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
    );
    expect(await next()).toMatchObject({ answer: null, error: NOT_REACHABLE });
  });

  test.each(['end', 'resetAndDestroy'] as const)(
    'that the service breaks by %s break for the caller, too',
    async (way) => {
      const server = await serve((socket) => socket[way]());
      const { url, next } = await record(`http://127.0.0.1:${server.port}`);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      const ended = await new Promise((resolve) => {
        socket.on('error', ({ message }) => resolve(message)).on('end', () => resolve('end'));
      });
      expect(ended).toBe(way === 'end' ? 'end' : 'read ECONNRESET');
      expect(await next()).toMatchObject({ answer: null, error: expect.stringMatching(/broke the connection/) });
    },
  );

  test('that come upgraded are tunnelled, and recorded as answered with 101', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
    const server = await serve((socket, came) =>
      came.endsWith('\r\n\r\n') ? socket.write(answer) : socket.end(came.slice(came.indexOf('\r\n\r\n') + 4), 'latin1'),
    );
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toBe(answer);
    expect(await next()).toMatchObject({ target: '/ws', answer: { status: 101, body: null }, error: null });
    socket.write('\x81\x01a', 'latin1');
    expect((await once(socket, 'data'))[0].toString('latin1')).toBe('\x81\x01a');
    await once(socket, 'end');
    socket.destroy();
  });

  test.each(['websocket', 'h2c'])('that offer %s to a service that refuses are answered', async (protocol) => {
    const answer = 'HTTP/1.1 400 No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno';
    const server = await serve(answering(answer, 'abc'));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const offer = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
    const request = `POST / HTTP/1.1\r\nHost: h\r\n${offer}Content-Length: 3\r\n\r\nabc`;
    const isPlain = protocol === 'h2c';
    if (isPlain) {
      expect(await rawCall(url, request)).toBe(answer);
      expect(await next()).toMatchObject({ body: { text: 'abc' }, answer: { status: 400 } });
    } else {
      const got = await serve(answering(answer));
      const other = await record(`http://127.0.0.1:${got.port}`);
      expect(await rawCall(other.url, `GET / HTTP/1.1\r\nHost: h\r\n${offer}\r\n`)).toBe(answer);
      expect(await other.next()).toMatchObject({ answer: { status: 400, body: { text: 'no' } }, error: null });
    }
  });

  test('of HTTP/1.0 get no chunks', async () => {
    const server = await serve(answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'));
    const { url } = await record(`http://127.0.0.1:${server.port}`);
    expect(await rawCall(url, 'GET / HTTP/1.0\r\n\r\n')).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok');
  });

  test.each(['', 'Connection: keep-alive\r\n'])('of HTTP/1.0 end with their connection: %j', async (more) => {
    const keepAlive = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n';
    const server = await serve((socket) => socket.write(`HTTP/1.1 200 OK\r\n${keepAlive}Content-Length: 2\r\n\r\nok`));
    const { url } = await record(`http://127.0.0.1:${server.port}`);
    expect(await rawCall(url, `GET / HTTP/1.0\r\n${more}\r\n`)).toBe(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok',
    );
  });

  const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const CALL = 'GET /x HTTP/1.1\r\nHost: h\r\n\r\n';

  test.each([
    ['the status 000', ANSWER.replace('200', '000'), 'status 0 cannot be passed on: Invalid status code: 0'],
    ['the status 099', ANSWER.replace('200', '099'), 'status 99 cannot be passed on: Invalid status code: 99'],
    ['a control byte', ANSWER.replace('OK', 'a\x01b'), 'cannot be passed on: Invalid character in statusMessage'],
    [
      'trailers without chunks',
      ANSWER.replace('Content', 'Trailer: X-T\r\nContent'),
      'cannot be passed on: Trailers are invalid with this transfer encoding',
    ],
    ['an upgrade that nobody asked for', 'HTTP/1.1 101 Odd\r\nConnection: upgrade\r\nUpgrade: odd\r\n\r\n', ''],
    ['a status of four digits', ANSWER.replace('200', '2000'), 'does not answer in HTTP'],
    ['a control byte in a header', ANSWER.replace('Content', 'X-A: a\x01b\r\nContent'), 'does not answer in HTTP'],
    ['two lengths', ANSWER.replace('Content', 'Content-Length: 3\r\nContent'), 'does not answer in HTTP'],
    ['no HTTP', 'hello\r\n\r\n', 'does not answer in HTTP'],
  ])('get %s from the service, and the recorder continues', async (_what, odd, why) => {
    const answers = [odd, ANSWER];
    const server = await serve((socket, received) => {
      if (received.endsWith('\r\n\r\n')) {
        socket.end(answers.shift() ?? '', 'latin1');
      }
    });
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const answer = await rawCall(url, CALL.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    if (why !== '') {
      expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
      expect(answer).toContain(why);
      expect((await next()).error).toContain(why);
    } else {
      await next();
    }
    expect(await rawCall(url, CALL)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
    expect((await next()).error).toBeNull();
  });

  test.each([
    [
      'trailers without chunks',
      'POST /x HTTP/1.1\r\nHost: h\r\nTrailer: X-T\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
      '502',
    ],
    ['a body without a length', `${CALL}{"a":1}`, '400'],
    [
      'a WebSocket behind a call',
      `${CALL}GET /y HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
      '',
    ],
    ['CONNECT', 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n', ''],
  ])('of a caller that sends %s end, and the recorder continues', async (_what, odd, status) => {
    let isOdd = true;
    const server = await serve((socket, received) => {
      if (!isOdd && received.endsWith('\r\n\r\n')) {
        socket.end(ANSWER);
      }
    });
    const { url } = await record(`http://127.0.0.1:${server.port}`);
    const answer = await rawCall(url, odd).catch(() => '');
    expect(answer).toMatch(
      status === '' ? /^$/ : new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*(?:cannot be sent on|Content-Length)`),
    );
    isOdd = false;
    expect(await rawCall(url, CALL)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
  });

  test('with 200 MB pass in little memory, and are counted', async () => {
    const size = 200_000_000;
    const chunk = Buffer.alloc(1_000_000, 'a');
    const server = createServer((request, response) => {
      response.writeHead(200, { 'Content-Length': size });
      request.pipe(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    const { url, next } = await record(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const before = process.memoryUsage().rss;
    const call = httpRequest(url, { method: 'POST', headers: { 'Content-Length': size } });
    const answered = once(call, 'response').then(async ([answer]) => {
      let came = 0;
      for await (const piece of answer) {
        came += piece.length;
      }
      return came;
    });
    for (let sent = 0; sent < size; sent += chunk.length) {
      if (!call.write(chunk)) {
        await once(call, 'drain');
      }
    }
    call.end();
    expect(await answered).toBe(size);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    expect(await next()).toMatchObject({ body: { bytes: size }, answer: { body: { bytes: size } } });
  });
});

describe('bytes behind an answer', () => {
  it.each([
    ['the body of a 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n', '{}'],
    ['more than was announced', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'more'],
  ])('are passed on: %s', async (_what, answer, excess) => {
    const server = await serve((socket) => socket.end(answer + excess));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const text = await rawCall(url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(text).toBe(answer + excess);
    expect(await next()).toMatchObject({ error: null, answer: { status: Number(answer.slice(9, 12)) } });
  });
});

describe('notifications', () => {
  const NOTIFICATION =
    'POST /_recorder/notifications/a?b=1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc';

  test('are answered with 200 and recorded', async () => {
    const { url, next } = await record('http://127.0.0.1:1');
    expect(await rawCall(url, NOTIFICATION)).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 0\r\n/);
    expect(await next()).toMatchObject({
      kind: 'notification',
      id: 'notification-1',
      target: '/a?b=1',
      body: { text: 'abc' },
      answer: { status: 200, body: null },
    });
  });

  test('are passed on to the receiver, and its answer back', async () => {
    const answer = 'HTTP/1.1 409 Conflict\r\nX-A: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno';
    const receiver = await serve(answering(answer, 'abc'));
    const { url, next } = await record('http://127.0.0.1:1', { webhook: `http://127.0.0.1:${receiver.port}/hook?k=1` });
    expect(await rawCall(url, NOTIFICATION)).toBe(answer);
    expect(receiver.received()).toMatch(/^POST \/hook\/a\?k=1&b=1 HTTP/);
    expect(await next()).toMatchObject({ kind: 'notification', target: '/hook/a?k=1&b=1', answer: { status: 409 } });
  });

  test('that the receiver does not answer hold nothing up', async () => {
    const receiver = await serve(() => undefined);
    const server = await serve(answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`, {
      webhook: `http://127.0.0.1:${receiver.port}`,
    });
    const hanging = connect(Number(new URL(url).port), '127.0.0.1');
    hanging.write(NOTIFICATION);
    await rawCall(url, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await next()).toMatchObject({ kind: 'call', answer: { status: 200 } });
    hanging.destroy();
    expect(await next()).toMatchObject({
      kind: 'notification',
      answer: null,
      error: 'the caller closed the connection before the end of the answer',
    });
  });
});

describe('the recorder', () => {
  test.each(['/_recorder', '/_recorder/other', '/_recorder/notificationsX?a=1'])(
    'answers %s with where notifications arrive, and sends nothing on',
    async (path) => {
      const server = await serve(() => undefined);
      const { url, recorder, exchanges } = await record(`http://127.0.0.1:${server.port}`);
      const answer = await fetch(url + path, { method: 'POST', body: 'abc' });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('notifications are recorded at /_recorder/notifications');
      await recorder.close(0);
      expect([server.received(), exchanges]).toEqual(['', []]);
    },
  );

  test('says when it cannot write, and still answers calls', async () => {
    const server = await serve(answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const write = () => Promise.reject(new RecordingError('the disk is full'));
    const { url, recorder } = await record(`http://127.0.0.1:${server.port}`, { write });
    const call = () => rawCall(url, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(await call()).toMatch(/^HTTP\/1\.1 200/);
    expect((await recorder.failed).message).toBe('the disk is full');
    expect(await call()).toMatch(/^HTTP\/1\.1 200/);
    expect(recorder.counts).toEqual({ calls: 0, notifications: 0 });
  });

  test('writes what is under way when it is closed', async () => {
    const server = await serve(() => undefined);
    const { url, recorder, exchanges } = await record(`http://127.0.0.1:${server.port}`);
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    socket.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n');
    while (server.received() === '') {
      await new Promise(setImmediate);
    }
    await recorder.close(0);
    expect(exchanges).toMatchObject([{ target: '/slow', answer: null, error: RECORDING_ENDED }]);
    expect(recorder.counts.calls).toBe(1);
  });
});
