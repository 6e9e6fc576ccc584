import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port, or the first of several free ones in a row. It is below 32,768, because systems assign higher ports to any program, so
 * another one could get it before it is used, or between a crash and a restart.
 *
 * @param {number} [count]
 * @returns {Promise<number>}
 */
export async function freePort(count = 1) {
  const port = randomInt(10_000, 32_000);
  for (let next = port; next < port + count; next += 1) {
    const server = createServer().listen(next, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) {
      return freePort(count);
    }
    await new Promise((closed) => server.close(closed));
  }
  return port;
}
