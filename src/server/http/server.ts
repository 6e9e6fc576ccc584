import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { addressOf, localAddress } from '../../base/addresses.ts';
import { handleClientError } from '../../base/client-error.ts';
import { afterMilliseconds, deadline } from '../../base/timers.ts';
import { closeWithConnection, keepTcpSocket } from './connection.ts';

/** How long requests under way may take to finish, in milliseconds; one that a fault leaves unanswered never does. */
const CLOSE_DELAY_MS = 1000;

/** How long a client may take to send its headers or a request, in milliseconds, and how often that is checked. */
export interface Timeouts {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
}

/**
 * How long a connection may be idle, in milliseconds: longer than what clients pause for, since one that the server closes just as
 * a client uses it again is a failed call.
 */
const KEEP_ALIVE_MS = 65_000;

/** Connections that wait to be accepted, as far as the system allows: a thousand tests that begin at once are more than Node's own 511. */
const BACKLOG = 4096;

const TIMEOUTS: Timeouts = { headersTimeout: 30_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };

/** Bytes that the head of a request may have: Node's own limit, and room for the headers of a call that is forwarded. */
const MAX_HEAD_BYTES = 16 * 1024 + 256;

/** Options of HTTP and HTTPS servers. */
const OPTIONS = { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEAD_BYTES, allowHalfOpen: true };

/** A server that closes connections on which a request's head or body does not come to its end. */
export function serverFor(app: RequestListener, timeouts: Timeouts = TIMEOUTS): Server {
  const server = createServer({ ...timeouts, ...OPTIONS });
  answerHalfClosed(server, 'connection', app);
  return server;
}

/** How long after a client has closed its side it is sent an interim answer, and how long it is waited for, in milliseconds. */
const INTERIM_MS = [100, 200];
const HALF_CLOSED_MS = 60_000;

/**
 * Answers clients that have closed their side and wait for the answer, as `nc -N` and some proxies do. A client that has left looks
 * the same until something is written to it, so interim answers are sent: its system refuses the first, and this system then the
 * second, which ends the work for it.
 */
function answerHalfClosed(
  server: Server | SecureServer,
  event: 'connection' | 'secureConnection',
  app: RequestListener,
) {
  Object.assign(server, { httpAllowHalfOpen: true });
  /** The responses that are being written; those to requests that were sent behind wait for them. */
  const responses = new WeakMap<Socket, ServerResponse>();
  const latestResponses = new WeakMap<Socket, ServerResponse>();
  server.on('clientError', (error, socket) => {
    const [current, latest] = [responses.get(socket as Socket), latestResponses.get(socket as Socket)];
    handleClientError(error, socket, { current, latest });
  });
  server.on('request', (request, response) => {
    latestResponses.set(request.socket, response);
    // A client of that version may have asked for a connection that lasts; not all that do know where an answer ends.
    response.shouldKeepAlive &&= request.httpVersionMinor > 0;
    if (response.socket) {
      responses.set(request.socket, response);
    } else {
      response.once('socket', (socket: Socket) => responses.set(socket, response));
      closeWithConnection(request, response);
    }
    app(request, response);
  });
  server.on(event, (socket: Socket) => {
    socket.once('end', () => {
      const response = responses.get(socket);
      if (!response || response.writableFinished) {
        return;
      }
      const cancels = [
        ...INTERIM_MS.map((milliseconds) => afterMilliseconds(milliseconds, () => sendInterim(response))),
        afterMilliseconds(HALF_CLOSED_MS, () => socket.destroy()),
      ];
      socket.once('close', () => {
        for (const cancel of cancels) {
          cancel();
        }
      });
    });
  });
}

/** HTTP/1.0 knows no interim answers. */
function sendInterim(response: ServerResponse): void {
  if (!response.headersSent && response.req.httpVersion === '1.1') {
    response.writeProcessing();
  }
}

/** How long a client may take to agree on a secure connection, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 30_000;

/** Connections during their TLS handshake. A server does not know them and would wait for them when it stops. */
const handshakes = new WeakMap<Server | SecureServer, Map<string, Socket>>();

/** The same over HTTPS; certificate and key as PEM. */
export function secureServerFor(
  app: RequestListener,
  { certificate, key }: { certificate: string; key: string },
  timeouts: Timeouts & { handshakeTimeout: number } = { ...TIMEOUTS, handshakeTimeout: HANDSHAKE_TIMEOUT_MS },
): SecureServer {
  const server = createSecureServer({ cert: certificate, key, ...timeouts, ...OPTIONS });
  answerHalfClosed(server, 'secureConnection', app);
  const unfinished = new Map<string, Socket>();
  handshakes.set(server, unfinished);
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    unfinished.set(peer, socket);
    socket.once('close', () => unfinished.get(peer) === socket && unfinished.delete(peer));
  });
  server.on('secureConnection', (socket) => {
    const peer = peerOf(socket);
    const tcpSocket = unfinished.get(peer);
    if (tcpSocket) {
      unfinished.delete(peer);
      keepTcpSocket(socket, tcpSocket);
    }
  });
  return server;
}

/** The secure connection is another object than the one below it; both have the same ends. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

/** The address to listen at, and the certificates for HTTPS. */
export interface ListenOptions {
  host: string;
  port: number;
  secure: { port: number; certificate: string; key: string } | undefined;
}

/** An app that is served. */
export interface ListeningServer {
  /** A base address that works on this machine. */
  url: string;
  /** The same over HTTPS; undefined where it is not served so. */
  httpsUrl: string | undefined;
  /** Does not keep the process alive. */
  unref(): void;
  /** Accepts no more connections. Open ones continue, also with further requests. */
  stopListening(): void;
  /** Accepts no more connections, finishes requests under way, and closes idle connections. */
  stop(): Promise<void>;
}

/** Resolves as soon as all servers listen; rejects, with none listening, where one cannot. */
export async function listen(app: RequestListener, { host, port, secure }: ListenOptions): Promise<ListeningServer> {
  const plainServer = serverFor(app);
  const secureServer = secure && secureServerFor(app, secure);
  const servers = [plainServer, ...(secureServer ? [secureServer] : [])];
  const stopAll = async () => {
    await Promise.all(servers.map(stop));
  };
  try {
    return {
      url: await listenTo(plainServer, 'http', host, port),
      httpsUrl: secureServer && (await listenTo(secureServer, 'https', host, secure.port)),
      unref() {
        for (const server of servers) {
          server.unref();
          for (const event of ['connection', 'secureConnection']) {
            server.on(event, (socket: Socket) => socket.unref());
          }
        }
      },
      stopListening() {
        for (const server of servers) {
          // The same method of an HTTP server also closes idle connections.
          NetServer.prototype.close.call(server);
        }
      },
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function listenTo(
  server: Server | SecureServer,
  scheme: 'http' | 'https',
  host: string,
  port: number,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    // Further ones are of connections that cannot be accepted, such as for want of memory.
    server.on('error', (error) => reject(Object.assign(error, { scheme })));
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const { address, port: bound } = server.address() as AddressInfo;
  return addressOf(scheme, localAddress(address), bound);
}

function stop(server: Server | SecureServer): Promise<void> {
  return new Promise((resolve) => {
    // The process waits for it: connections whose client has closed its side keep none, and it would end with all else undone.
    const cancel = deadline(CLOSE_DELAY_MS, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
    for (const socket of handshakes.get(server)?.values() ?? []) {
      socket.destroy();
    }
  });
}
