import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterMilliseconds } from '../timers.ts';

/** How long requests under way may take to finish, in milliseconds; one that a fault leaves unanswered never does. */
const CLOSE_DELAY_MS = 1000;

/** Resolves with the base address as soon as the server listens; rejects where it cannot. */
export async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
}

/** No new connections; requests under way are finished, connections that only wait are cut. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    afterMilliseconds(CLOSE_DELAY_MS, () => server.closeAllConnections());
  });
}
