import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxClient } from '../../src/client/client.ts';
import { ControlError } from '../../src/client/control-error.ts';
import { NoAnswerError } from '../../src/client/no-answer-error.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function clientOf(answer: RequestListener): Promise<SandboxClient> {
  const server = createServer(answer);
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return new SandboxClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

it('a missing answer is reported with the address and the reason', async () => {
  const client = await clientOf((request) => request.socket.destroy());
  const error = await client.health().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(NoAnswerError);
  expect(String(error)).toBe(
    `NoAnswerError: no answer from ${client.baseUrl}/_sandbox/health: the connection was closed`,
  );
});

it('an answer that breaks off counts as missing', async () => {
  const client = await clientOf((request, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('{"status"', () => request.socket.destroy());
  });
  await expect(client.health()).rejects.toThrow(NoAnswerError);
});

it.each([['before the answer'], ['within the answer']])(
  'a call that is aborted %s rejects with the reason of the abort',
  async (when) => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const client = await clientOf((_request, response) => {
      if (when === 'within the answer') {
        response.writeHead(200, { 'Content-Length': '100' }).write('{');
      }
      setImmediate(() => stop.abort(reason));
    });
    await expect(client.health(stop.signal)).rejects.toBe(reason);
    await expect(client.health(stop.signal)).rejects.toBe(reason);
  },
);

it.each<[string, (client: SandboxClient) => Promise<unknown>]>([
  ['a call', (client) => client.call('GET', '/clock')],
  ['a stream of events', (client) => client.events()[Symbol.asyncIterator]().next()],
])('%s ends if the server changes the protocol', async (_title, call) => {
  const client = await clientOf((request) => {
    request.socket.write('HTTP/1.1 101 Hi\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n');
  });
  await expect(call(client)).rejects.toThrow(ControlError);
});

it('a GET fails after 120 seconds without an answer', async () => {
  import.meta.jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const client = await clientOf(() => arrive());
  const error = client.health().catch(String);
  await arrived;
  await import.meta.jest.advanceTimersByTimeAsync(120_000);
  expect(await error).toContain('no answer within 120 seconds');
  import.meta.jest.useRealTimers();
});
