import { createServer } from 'node:net';
import { LOOPBACK } from './addresses.ts';

/** Returns the port if it is free on loopback, or a free port for 0. Rejects with the system's error otherwise. */
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
