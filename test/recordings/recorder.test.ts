import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { Masks } from '../../src/recordings/masks.ts';
import { Recorder } from '../../src/recordings/recorder/recorder.ts';
import {
  NOT_REACHABLE,
  RECORDING_ENDED,
  type RecordedExchange,
  RecordingError,
} from '../../src/recordings/recording.ts';
import { rawCall } from '../raw-call.ts';
import { freePort } from '../running.ts';
import { answerWith, type RawServer, rawServer } from './raw-server.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) {
    await cleanup();
  }
});

interface RunningRecorder {
  url: string;
  recorder: Recorder;
  exchanges: RecordedExchange[];
  /** Resolves with the next exchange that is written. */
  next(): Promise<RecordedExchange>;
}

async function record(upstream: string, { webhook, write }: { webhook?: string; write?: () => Promise<void> } = {}) {
  const exchanges: RecordedExchange[] = [];
  const resolvers: ((exchange: RecordedExchange) => void)[] = [];
  let nextIndex = 0;
  const writer = {
    async write(exchange: RecordedExchange) {
      await write?.();
      exchanges.push(exchange);
      resolvers.shift()?.(exchange);
    },
    close: () => Promise.resolve(),
  };
  const urls = { upstream: new URL(upstream), webhook: webhook === undefined ? undefined : new URL(webhook) };
  const recorder = new Recorder({ ...urls, host: '127.0.0.1', port: 0, masks: new Masks(), writer });
  const url = await recorder.listen();
  cleanups.push(() => recorder.close(0));
  const next = () => {
    const exchange = exchanges[nextIndex];
    nextIndex += 1;
    return exchange ? Promise.resolve(exchange) : new Promise<RecordedExchange>((resolve) => resolvers.push(resolve));
  };
  return { url, recorder, exchanges, next } satisfies RunningRecorder;
}

async function serve(onRequest: Parameters<typeof rawServer>[0]): Promise<RawServer> {
  const server = await rawServer(onRequest);
  cleanups.push(() => server.close());
  return server;
}

const GET = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
/** Headers about a connection, which the recorder changes, and those that Node.js adds if they are missing. */
const CHANGED_HEADERS = /^(?:connection|keep-alive|transfer-encoding): .*\r\n/gim;

describe('calls', () => {
  test.each<[string, string, string, string]>([
    [
      'a body with its length',
      'POST /a/%7E?b=1&&c HTTP/1.1\r\nHost: here\r\nx-Odd: two\r\nx-Odd: \xe9\r\nContent-Length: 3\r\n\r\nabc',
      'HTTP/1.1 201 So be it\r\nX-B: 1\r\nx-a: \xe9\r\nX-B: 2\r\ncontent-length: 2\r\n\r\nok',
      'abc',
    ],
    ['HEAD', 'HEAD / HTTP/1.1\r\nHost: here\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 70\r\n\r\n', '\r\n\r\n'],
    ['the status 204', 'DELETE /x HTTP/1.1\r\nHost: here\r\n\r\n', 'HTTP/1.1 204 \r\nX-A: 1\r\n\r\n', '\r\n\r\n'],
    ['the status 304', 'GET /x HTTP/1.1\r\nHost: here\r\n\r\n', 'HTTP/1.1 304 Same\r\nETag: "a"\r\n\r\n', '\r\n\r\n'],
    [
      'a redirect and cookies',
      'GET /x HTTP/1.1\r\nHost: here\r\nCookie: a=1\r\n\r\n',
      'HTTP/1.1 302 Found\r\nLocation: https://there.test/x\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n',
      '\r\n\r\n',
    ],
  ])('with %s arrive and are answered as without the recorder', async (_, request, answer, end) => {
    const server = await serve(answerWith(answer, end));
    const { url } = await record(`http://127.0.0.1:${server.port}`);
    const closing = request.replace('Host: here', 'Host: here\r\nConnection: close');
    expect((await rawCall(url, closing)).replace(CHANGED_HEADERS, '')).toBe(answer);
    const host = `Host: 127.0.0.1:${server.port}`;
    expect(server.received().replace(CHANGED_HEADERS, '')).toBe(request.replace('Host: here', host));
  });

  test('in chunks arrive with a length, and are answered in chunks', async () => {
    const server = await serve(
      answerWith('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', 'abc'),
    );
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const head = 'PUT / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await rawCall(url, `${head}3\r\nabc\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n2\r\nok\r\n0\r\n\r\n$/,
    );
    expect(server.received()).toMatch(/^Content-Length: 3\r$/m);
    expect(await next()).toMatchObject({ body: { text: 'abc' }, answer: { body: { text: 'ok' } } });
  });

  test('are recorded with the request, the answer and their times', async () => {
    const body = '{"b":null,"a":"","token":"abc"}';
    const server = await serve(
      answerWith(`HTTP/1.1 401 No\r\nX-A: 1\r\nContent-Length: ${body.length}\r\n\r\n${body}`, '}'),
    );
    const { url, next } = await record(`http://127.0.0.1:${server.port}/base/`);
    await rawCall(url, 'POST /pay?x=1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{"a": 10}');
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
        { name: 'Connection', value: 'close' },
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

  test('with a compressed answer are forwarded unchanged, and recorded decoded', async () => {
    const bytes = gzipSync('{"a":1}');
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const answer = head + bytes.toString('latin1');
    const server = await serve(answerWith(answer));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    expect((await rawCall(url, GET)).replace(CHANGED_HEADERS, '')).toBe(answer);
    expect((await next()).answer?.body).toEqual({ json: { a: 1 } });
  });

  test('with server-sent events are forwarded without delay, and end when the caller closes', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(
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

  test('to an unreachable service are answered by the recorder, and recorded', async () => {
    const { url, next } = await record(`http://127.0.0.1:${await freePort()}`);
    const answer = await fetch(url, { method: 'POST', body: 'abc' });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toMatch(
      /^This is the recorder of merchant-sandbox: http:\/\/127\.0\.0\.1:\d+ cannot be reached: connection refused/,
    );
    expect(await next()).toMatchObject({ answer: null, error: NOT_REACHABLE });
  });

  test.each(['end', 'resetAndDestroy'] as const)(
    'that the service breaks off (%s) fail for the caller, too',
    async (closing) => {
      const server = await serve((socket) => socket[closing]());
      const { url, next } = await record(`http://127.0.0.1:${server.port}`);
      await expect(fetch(url)).rejects.toThrow('fetch failed');
      expect(await next()).toMatchObject({ answer: null, error: expect.stringMatching(/broke the connection/) });
    },
  );

  test('whose answer breaks off fail for the caller, too', async () => {
    const server = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{"half"'));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow('terminated');
    expect(await next()).toMatchObject({
      answer: { status: 200, body: { text: '{"half"' } },
      error: expect.stringMatching(/broke the connection: the connection was closed/),
    });
  });

  test('that offer another protocol are answered in HTTP/1.1', async () => {
    const server = await serve(answerWith('HTTP/1.1 400 No\r\nContent-Length: 2\r\n\r\nno'));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const offer = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(offer);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 400 No\r\n/);
    socket.destroy();
    expect(server.received()).not.toMatch(/upgrade/i);
    expect(await next()).toMatchObject({ answer: { status: 400, body: { text: 'no' } }, error: null });
  });

  test('in HTTP/1.0 are answered without chunks, and the connection is closed', async () => {
    const server = await serve(answerWith('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'));
    const { url } = await record(`http://127.0.0.1:${server.port}`);
    expect(await rawCall(url, 'GET / HTTP/1.0\r\n\r\n')).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok');
  });

  const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

  test.each([
    ['the status 000', ANSWER.replace('200', '000'), 'status 0 cannot be passed on: Invalid status code: 0'],
    ['the status 099', ANSWER.replace('200', '099'), 'status 99 cannot be passed on: Invalid status code: 99'],
    ['a control byte', ANSWER.replace('OK', 'a\x01b'), 'cannot be passed on: Invalid character in statusMessage'],
    ['an unrequested upgrade', 'HTTP/1.1 101 Odd\r\nConnection: upgrade\r\nUpgrade: odd\r\n\r\n', ''],
    ['a status of four digits', ANSWER.replace('200', '2000'), 'does not answer in HTTP'],
    ['a control byte in a header', ANSWER.replace('Content', 'X-A: a\x01b\r\nContent'), 'does not answer in HTTP'],
    ['two lengths', ANSWER.replace('Content', 'Content-Length: 3\r\nContent'), 'does not answer in HTTP'],
    ['a text that is not HTTP', 'hello\r\n\r\n', 'does not answer in HTTP'],
  ])('end if the service answers with %s, and the recorder continues', async (_title, oddBytes, why) => {
    const answers = [oddBytes, ANSWER];
    const server = await serve((socket, received) => {
      if (received.endsWith('\r\n\r\n')) {
        socket.end(answers.shift() ?? '', 'latin1');
      }
    });
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const answer = await rawCall(url, GET);
    if (why !== '') {
      expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
      expect(answer).toContain(why);
      expect((await next()).error).toContain(why);
    } else {
      await next();
    }
    expect(await rawCall(url, GET)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
    expect((await next()).error).toBeNull();
  });

  test.each([
    [
      'a body without a length',
      `${GET}{"a":1}`,
      /^HTTP\/1\.1 400 [\s\S]*\r\n\r\na body follows a request that has neither/,
    ],
    ['CONNECT', 'CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n', /^$/],
  ])('end if the caller sends %s, and the recorder continues', async (_title, oddBytes, expected) => {
    let isOdd = true;
    const server = await serve((socket, received) => {
      if (!isOdd && received.endsWith('\r\n\r\n')) {
        socket.end(ANSWER);
      }
    });
    const { url } = await record(`http://127.0.0.1:${server.port}`);
    expect(await rawCall(url, oddBytes).catch(() => '')).toMatch(expected);
    isOdd = false;
    expect(await rawCall(url, GET)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
  });

  test('with an answer of 200 MB need little memory, and their size is recorded', async () => {
    const size = 200_000_000;
    const chunk = Buffer.alloc(1_000_000, 'a');
    const server = createServer((_request, response) => {
      Readable.from(Array.from({ length: size / chunk.length }, () => chunk)).pipe(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    const { url, next } = await record(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const before = process.memoryUsage().rss;
    const [answer] = await once(httpRequest(url).end(), 'response');
    let received = 0;
    for await (const piece of answer) {
      received += piece.length;
    }
    expect(received).toBe(size);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    expect(await next()).toMatchObject({ answer: { body: { bytes: size } } });
  });

  test.each([
    ['a body despite the status 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n', '{}'],
    ['more bytes than its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'more'],
  ])('whose answer has %s are answered without the excess bytes', async (_title, answer, excess) => {
    const server = await serve((socket) => socket.end(answer + excess));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`);
    const text = await rawCall(url, GET);
    expect(text.replace(CHANGED_HEADERS, '')).toBe(answer);
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

  test('are forwarded to the receiver, and its answer is returned', async () => {
    const answer = 'HTTP/1.1 409 Conflict\r\nX-A: 1\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno';
    const receiver = await serve(answerWith(answer, 'abc'));
    const { url, next } = await record('http://127.0.0.1:1', { webhook: `http://127.0.0.1:${receiver.port}/hook?k=1` });
    expect(await rawCall(url, NOTIFICATION)).toBe(answer);
    expect(receiver.received()).toMatch(/^POST \/hook\/a\?k=1&b=1 HTTP/);
    expect(await next()).toMatchObject({ kind: 'notification', target: '/hook/a?k=1&b=1', answer: { status: 409 } });
  });

  test('that the receiver does not answer do not delay calls', async () => {
    const receiver = await serve(() => undefined);
    const server = await serve(answerWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const { url, next } = await record(`http://127.0.0.1:${server.port}`, {
      webhook: `http://127.0.0.1:${receiver.port}`,
    });
    const hanging = connect(Number(new URL(url).port), '127.0.0.1');
    hanging.write(NOTIFICATION);
    await rawCall(url, GET);
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
    'answers %s with the address for notifications, and forwards nothing',
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

  test('reports that it cannot write, and still answers calls', async () => {
    const server = await serve(answerWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const write = () => Promise.reject(new RecordingError('the disk is full'));
    const { url, recorder } = await record(`http://127.0.0.1:${server.port}`, { write });
    const call = () => rawCall(url, GET);
    expect(await call()).toMatch(/^HTTP\/1\.1 200/);
    expect((await recorder.failure).message).toBe('the disk is full');
    expect(await call()).toMatch(/^HTTP\/1\.1 200/);
    expect(recorder.counts).toEqual({ calls: 0, notifications: 0 });
  });

  test('writes active calls when it is closed', async () => {
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
