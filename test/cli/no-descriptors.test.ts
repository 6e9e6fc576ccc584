// A process that has reached its limit of open files and connections.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { exampleOf } from '../interface/examples.ts';
import { addressOf } from '../running.ts';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** A call over the connection that is open from the start; resolves with its status and Retry-After. */
async function call(method: string, url: string, body?: unknown): Promise<[number, string | undefined]> {
  const request = httpRequest(url, { agent, method, headers: { 'content-type': 'application/json' } });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return [response.statusCode, response.headers['retry-after']];
}

it('the merchant API and the control API answer 503 while no descriptors are free, and work again when some are', async () => {
  const start = ['dist/cli.js', 'start', '--port', '0', '--data', ':memory:', '--quiet', '--print-url'];
  const child = spawn('/bin/sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, ...start]);
  const url = await addressOf(child);
  const calls = [
    [
      'POST',
      '/sandbox/init/authenticate/merchant/wallet',
      exampleOf('requests/single-payment', { walletName: 'WALLET_SWITCH' }),
    ],
    ['GET', '/_sandbox/openapi.json', undefined],
    ['POST', '/_sandbox/clock/advance', { by: 'PT1S' }],
  ] as const;
  const answers = async () => {
    const all: [number, string | undefined][] = [];
    for (const [method, path, body] of calls) {
      all.push(await call(method, `${url}${path}`, body));
    }
    return all;
  };
  expect(await call('GET', `${url}/_sandbox/health/live`)).toEqual([200, undefined]);
  const { port } = new URL(url);
  const sockets = Array.from({ length: 100 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined));
  // Connections without a descriptor are closed.
  await Promise.race(sockets.map((socket) => once(socket, 'close')));
  expect(await answers()).toEqual(calls.map(() => [503, '1']));
  for (const socket of sockets) {
    socket.destroy();
  }
  let status = 503;
  while (status === 503) {
    [status] = await call('GET', `${url}/_sandbox/openapi.json`);
  }
  expect(await answers()).toEqual(calls.map(() => [200, undefined]));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
