import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that stores the received bytes. The test sends its answers as bytes. */
export interface RawServer {
  port: number;
  /** The received bytes of all connections. */
  received(): string;
  close(): void;
}

/** `onRequest` is called for each chunk once the head of a request has arrived. */
export async function rawServer(onRequest: (socket: Socket, received: string) => void): Promise<RawServer> {
  let received = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let requestText = '';
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      requestText += chunk.toString('latin1');
      received += chunk.toString('latin1');
      if (requestText.includes('\r\n\r\n')) {
        onRequest(socket, requestText);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    close() {
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}

/** Answers once the request is complete, and closes the connection. */
export function answerWith(answer: string, end = '\r\n\r\n') {
  return (socket: Socket, received: string) => {
    if (received.endsWith(end)) {
      socket.end(answer, 'latin1');
    }
  };
}
