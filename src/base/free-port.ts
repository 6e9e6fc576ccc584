import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** Returns the port if it is free on loopback, or a free port for 0. Rejects with the system's error, for example if the port is in use. */
export function freePort(port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
