import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The TCP socket below each TLS socket, because only TCP sockets can be reset. */
const tcpSockets = new WeakMap<Socket, Socket>();
/** Responses that wait for the responses to earlier requests of the same connection. */
const queuedResponses = new WeakMap<Socket, Set<ServerResponse>>();

export function keepTcpSocket(secure: Socket, tcp: Socket): void {
  tcpSockets.set(secure, tcp);
}

/** Breaks the connection of a request with a TCP reset, over HTTPS as well. */
export function resetConnection({ socket }: IncomingMessage): void {
  (tcpSockets.get(socket) ?? socket).resetAndDestroy();
}

/** Runs an action once a response has ended or its connection is closed; at once if that has happened already. */
export function onClosed(response: ServerResponse, action: () => void): void {
  if (response.destroyed) {
    action();
  } else {
    response.once('close', action);
  }
}

export function whenClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => onClosed(response, resolve));
}

/**
 * Closes a response that waits for earlier ones when its connection closes. Node.js does that only for the response that is being
 * written, so work for pipelined requests would not notice that the client has left.
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const responses = queuedResponses.get(socket) ?? createQueue(socket);
  responses.add(response);
  response.once('close', () => responses.delete(response));
}

function createQueue(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>();
  queuedResponses.set(socket, responses);
  socket.once('close', () => {
    for (const response of responses) {
      response.destroy();
      response.emit('close');
    }
  });
  return responses;
}
