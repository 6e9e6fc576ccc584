import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  /** The lengths of the parts in which the body arrived. */
  parts: number[];
  body: string;
}

/** A real receiver on a free port. `answer` decides the response; default: 200. */
export async function startReceiver(
  answer: (call: number, response: ServerResponse) => void = (_call, response) => response.end(),
) {
  const received: ReceivedRequest[] = [];
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const server = createServer((request, response) => {
    let body = '';
    const parts: number[] = [];
    request.on('data', (chunk) => {
      arrive();
      parts.push(chunk.length);
      body += chunk;
    });
    request.on('end', () => {
      received.push({ method: request.method, headers: request.headers, parts, body });
      answer(received.length, response);
    });
  });
  let connections = 0;
  let disconnect: () => void = () => undefined;
  const disconnected = new Promise<void>((resolve) => {
    disconnect = resolve;
  });
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', disconnect);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    /** Resolves with the first bytes of a body. */
    arrived,
    /** Number of connections that were opened so far. */
    get connections() {
      return connections;
    },
    /** Resolves when a connection is closed. */
    disconnected,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
