import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RecordedCall } from '../../../src/base/schema/generated/recordings.ts';
import { CallSender } from '../../../src/recordings/player/call-sender.ts';
import { callAt } from '../exchanges.ts';
import { BEGIN } from './tape.ts';

let server: Server | undefined;
afterEach(async () => {
  const closed = server && once(server.close(), 'close');
  server?.closeAllConnections();
  await closed;
});

/** Sends a call to a service that is written for the test. */
async function send(listener: RequestListener, changes: Partial<RecordedCall> = {}, signal?: AbortSignal) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sender = new CallSender(`http://127.0.0.1:${(server.address() as AddressInfo).port}/below`);
  try {
    return await sender.send(callAt(BEGIN, changes), 60_000, signal);
  } finally {
    sender.close();
  }
}

test('a call is sent as it was recorded, except for headers about its connection', async () => {
  let rawHeaders: string[] = [];
  let [target, content] = ['', ''];
  const headers = { Host: 'provider.test', 'X-Case': '1', 'content-length': '99', 'Content-Encoding': 'gzip' };
  const { answer } = await send(
    (request, response) => {
      rawHeaders = request.rawHeaders;
      target = String(request.url);
      request.on('data', (chunk) => {
        content += chunk;
      });
      request.on('end', () => response.writeHead(418, ['X-Odd', 'a', 'X-Odd', 'b']).end());
    },
    {
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body: { json: { b: 1, a: null } },
    },
  );
  expect(target).toBe('/below/init/banks/all');
  expect(content).toBe('{"b":1,"a":null}');
  expect(rawHeaders.slice(2)).toEqual(['X-Case', '1', 'Content-Length', '16', 'Connection', 'keep-alive']);
  expect(rawHeaders[1]).toMatch(/^127\.0\.0\.1:\d+$/);
  expect(answer).toMatchObject({ status: 418, body: null });
  expect(answer?.headers.slice(0, 2)).toEqual([
    { name: 'X-Odd', value: 'a' },
    { name: 'X-Odd', value: 'b' },
  ]);
});

test('an answer that breaks off has an error, too', async () => {
  const outcome = await send((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half"', () => response.destroy());
  });
  expect(outcome).toMatchObject({ answer: { status: 200 }, error: 'the answer broke off: the connection was closed' });
});

test('a closed connection counts as no answer', async () => {
  const outcome = await send((request) => request.socket.destroy());
  expect(outcome).toMatchObject({ answer: null, error: 'the connection was closed' });
});

test('a call whose body was not stored is not sent', async () => {
  let count = 0;
  const outcome = await send(
    (_request, response) => {
      count += 1;
      response.end();
    },
    { body: { bytes: 10 } },
  );
  expect(outcome).toMatchObject({ answer: null, error: 'not sent: the recording does not have its body' });
  expect(count).toBe(0);
});

test('a signal ends the wait for an answer', async () => {
  const stop = new AbortController();
  await expect(send(() => stop.abort(new Error('asked to')), {}, stop.signal)).rejects.toThrow('asked to');
});
