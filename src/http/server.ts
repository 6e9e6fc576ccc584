import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterMilliseconds } from '../timers.ts';

/** How long requests under way may take to finish, in milliseconds; one that a fault leaves unanswered never does. */
const CLOSE_DELAY_MS = 1000;

/** How long a client may take to send something whole, in milliseconds, and how often that is looked at. */
export interface Timeouts {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
}

const TIMEOUTS: Timeouts = { headersTimeout: 30_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };

/** A server that closes connections on which a request's head or body does not come to its end. */
export function serverFor(app: RequestListener, timeouts: Timeouts = TIMEOUTS): Server {
  return createServer({ ...timeouts }, app);
}

/** What "every address of this machine" is written as; nobody can be sent there. */
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Whether a server that listens there can be reached by every address of this machine. */
export function isAnyAddress(host: string): boolean {
  return ANY_ADDRESS.has(host);
}

/** Resolves with a base address that works on this machine as soon as the server listens; rejects where it cannot. */
export async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  if (isAnyAddress(address)) {
    return `http://localhost:${bound}`;
  }
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
