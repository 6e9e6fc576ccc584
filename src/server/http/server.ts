import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { addressOf, localAddress } from '../../base/addresses.ts';
import { handleClientError } from '../../base/client-error.ts';
import { afterMilliseconds, startTimeout } from '../../base/timers.ts';
import { closeWithConnection, keepTcpSocket } from './connection.ts';

/** How long requests in progress may take to finish at a stop. A request that a fault leaves unanswered would not finish. */
const CLOSE_DELAY_MS = 1000;

/** How long a client may take to send its headers or a request, in milliseconds, and how often that is checked. */
export interface Timeouts {
  headersTimeout: number;
  requestTimeout: number;
  connectionsCheckingInterval: number;
}

/**
 * How long a connection may be idle. Longer than clients usually pause, because a call fails if the server closes its connection
 * just as the client uses it again.
 */
const KEEP_ALIVE_MS = 65_000;

/** Maximum connections that wait to be accepted, if the system allows it. Node's default of 511 is too low for a thousand tests that start at once. */
const BACKLOG = 4096;

const TIMEOUTS: Timeouts = { headersTimeout: 30_000, requestTimeout: 60_000, connectionsCheckingInterval: 5000 };

/** Maximum bytes of a request's head: Node's own limit, and room for the headers that forwarding adds. */
const MAX_HEAD_BYTES = 16 * 1024 + 256;

const OPTIONS = { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEAD_BYTES, allowHalfOpen: true };

export function serverFor(app: RequestListener, timeouts: Timeouts = TIMEOUTS): Server {
  const server = createServer({ ...timeouts, ...OPTIONS });
  answerHalfClosed(server, 'connection', app);
  return server;
}

/** When interim answers are sent after a client has closed its side, and how long its connection may then stay open. */
const INTERIM_MS = [100, 200];
const HALF_CLOSED_MS = 60_000;

/**
 * Answers clients that have closed their side and wait for the answer, as `nc -N` and some proxies do. A client that has left looks
 * the same until something is written to it. So interim answers are sent: its system rejects the first one, and writing the second one
 * then fails, which ends the call.
 */
function answerHalfClosed(
  server: Server | SecureServer,
  event: 'connection' | 'secureConnection',
  app: RequestListener,
) {
  Object.assign(server, { httpAllowHalfOpen: true });
  /** Responses to pipelined requests wait for the current one. */
  const currentResponses = new WeakMap<Socket, ServerResponse>();
  const latestResponses = new WeakMap<Socket, ServerResponse>();
  server.on('clientError', (error, socket) => {
    const [current, latest] = [currentResponses.get(socket as Socket), latestResponses.get(socket as Socket)];
    handleClientError(error, socket, { current, latest });
  });
  server.on('request', (request, response) => {
    latestResponses.set(request.socket, response);
    // HTTP/1.0 clients may ask to keep the connection open, but not all of them know where an answer ends.
    response.shouldKeepAlive &&= request.httpVersionMinor > 0;
    if (response.socket) {
      currentResponses.set(request.socket, response);
    } else {
      response.once('socket', (socket: Socket) => currentResponses.set(socket, response));
      closeWithConnection(request, response);
    }
    app(request, response);
  });
  server.on(event, (socket: Socket) => {
    socket.once('end', () => {
      const response = currentResponses.get(socket);
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

/** HTTP/1.0 has no interim answers. */
function sendInterim(response: ServerResponse): void {
  if (!response.headersSent && response.req.httpVersion === '1.1') {
    response.writeProcessing();
  }
}

const HANDSHAKE_TIMEOUT_MS = 30_000;

/** Connections during their TLS handshake. `closeAllConnections` omits them, so a stop would wait for them. */
const handshakes = new WeakMap<Server | SecureServer, Map<string, Socket>>();

/** The HTTPS server; certificate and key as PEM. */
export function secureServerFor(
  app: RequestListener,
  { certificate, key }: { certificate: string; key: string },
  timeouts: Timeouts & { handshakeTimeout: number } = { ...TIMEOUTS, handshakeTimeout: HANDSHAKE_TIMEOUT_MS },
): SecureServer {
  const server = createSecureServer({ cert: certificate, key, ...timeouts, ...OPTIONS });
  answerHalfClosed(server, 'secureConnection', app);
  const pendingSockets = new Map<string, Socket>();
  handshakes.set(server, pendingSockets);
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    pendingSockets.set(peer, socket);
    socket.once('close', () => pendingSockets.get(peer) === socket && pendingSockets.delete(peer));
  });
  server.on('secureConnection', (socket) => {
    const peer = peerOf(socket);
    const tcpSocket = pendingSockets.get(peer);
    if (tcpSocket) {
      pendingSockets.delete(peer);
      keepTcpSocket(socket, tcpSocket);
    }
  });
  return server;
}

/** Identifies a connection: a TLS socket and its TCP socket are two objects with the same addresses. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

export interface ListenOptions {
  host: string;
  port: number;
  secure: { port: number; certificate: string; key: string } | undefined;
}

export interface ListeningServer {
  /** A base address that works on this machine. */
  url: string;
  /** The base address for HTTPS; undefined without HTTPS. */
  httpsUrl: string | undefined;
  /** The servers, and connections that begin later, do not keep the process alive. */
  unref(): void;
  /** Accepts no more connections. Open ones continue, also with further requests. */
  stopListening(): void;
  /** Accepts no more connections and closes idle ones; the others once their requests are finished, or after CLOSE_DELAY_MS. */
  stop(): Promise<void>;
}

/** Resolves as soon as all servers listen; rejects if one cannot, and then none listens. */
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
    // Later errors have no effect here: they are about connections that cannot be accepted, for example for lack of memory.
    server.on('error', (error) => reject(Object.assign(error, { scheme })));
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const { address, port: boundPort } = server.address() as AddressInfo;
  return addressOf(scheme, localAddress(address), boundPort);
}

function stop(server: Server | SecureServer): Promise<void> {
  return new Promise((resolve) => {
    // Keeps the process alive, because half-closed connections do not: it would exit before the rest of the stop is done.
    const cancel = startTimeout(CLOSE_DELAY_MS, () => server.closeAllConnections());
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
