import { type ClientRequest, request as httpRequest, type IncomingMessage, type OutgoingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Connection } from './connection.ts';
import type { Destination } from './destination.ts';
import { grouped, withHost } from './raw-headers.ts';

/** Bytes that the head of a message may have. */
export const MOST_HEAD = 128 * 1024;

/** The request by which a call is sent on to the service, with its head as the caller wrote it. Throws where Node.js refuses to send it. */
export function requestTo(
  { origin, path }: Destination,
  { method, rawHeaders }: IncomingMessage,
  connection: Connection,
): ClientRequest {
  const send = origin.protocol === 'https:' ? httpsRequest : httpRequest;
  const onward = send({
    protocol: origin.protocol,
    hostname: origin.hostname.replace(/^\[|\]$/g, ''),
    port: origin.port,
    method,
    path,
    setHost: false,
    maxHeaderSize: MOST_HEAD,
    agent: connection.agentFor(origin.protocol),
  });
  onward.maxHeadersCount = 0;
  addNothing(onward);
  try {
    // Headers of one name stand together, where the first of them came.
    for (const { name, values } of grouped(withHost(rawHeaders, origin.host))) {
      onward.setHeader(name, values);
    }
  } catch (error) {
    onward.on('error', () => undefined).destroy();
    throw error;
  }
  return onward;
}

/** What Node.js adds by itself, and no message needs that came without: it says otherwise where it ends. */
export function addNothing(message: OutgoingMessage): void {
  for (const name of ['Date', 'Connection', 'Content-Length', 'Transfer-Encoding']) {
    message.removeHeader(name);
  }
}

/** Sends a head at once, as `flushHeaders` does, and in bytes as they came: that writes UTF-8. */
export function sendHead(message: OutgoingMessage): void {
  message.write(Buffer.alloc(0));
}
