import type { ServerResponse } from 'node:http';

/** Server-sent events, by their media type. */
export const EVENT_STREAM = 'text/event-stream';

/** Bytes that may wait for a client that does not read: what comes after the last one that it read, it asks for when it connects again. */
const MOST_WAITING = 1024 * 1024;

/**
 * Begins an answer of server-sent events. Returns how to write to it; false when it is over, as for HEAD, which asks for the
 * headers alone, and for a client that has stopped reading.
 */
export function beginEventStream(response: ServerResponse, mostWaiting = MOST_WAITING): (text: string) => boolean {
  response.writeHead(200, { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store' });
  response.flushHeaders();
  if (response.req.method === 'HEAD') {
    response.end();
  }
  endWithClient(response);
  return (text) => {
    if (response.writableEnded || response.destroyed) {
      return false;
    }
    response.write(text);
    if (response.writableLength > mostWaiting) {
      response.destroy();
    }
    return !response.destroyed;
  };
}

/** A stream has no end that a client which has closed its side could wait for. */
export function endWithClient(response: ServerResponse): void {
  const { socket } = response.req;
  const end = () => response.end();
  socket.once('end', end);
  response.once('close', () => socket.off('end', end));
}
