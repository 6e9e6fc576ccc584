import { createServer, IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import fc from 'fast-check';
import { Refusal } from '../../../src/base/refusal.ts';
import { REFUSAL_KINDS } from '../../../src/base/refusal-kinds.ts';
import { type BodyOptions, readBody } from '../../../src/server/merchant-api/request-body/request-body.ts';

/** A request as the HTTP parser creates it, before its body arrives. */
export function requestWith(headers: Record<string, string>, url = '/'): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.method = 'POST';
  request.url = url;
  request.headers = headers;
  return request;
}

/** Sends a body in these chunks and ends it. */
export function send(request: IncomingMessage, chunks: readonly Uint8Array[]): void {
  for (const chunk of chunks) {
    request.push(Buffer.from(chunk));
  }
  request.complete = true;
  request.push(null);
}

/** A body cut into pieces at arbitrary places. */
export function sliceAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).flatMap((end, index) => {
    const piece = bytes.subarray(places[index] ?? 0, end);
    return piece.length > 0 ? [piece] : [];
  });
}

export const cuts = fc.array(fc.nat(), { maxLength: 8 });

/** Reads a body that arrives in these chunks. */
export function read(
  chunks: readonly Uint8Array[],
  headers: Record<string, string>,
  options: BodyOptions,
  url?: string,
) {
  const request = requestWith(headers, url);
  const result = readBody(request, options);
  send(request, chunks);
  return result;
}

/** The refusal that a promise rejects with; throws on any other outcome. */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const outcome = await promise.then(
    (value) => new Error(`not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof Refusal) {
    return outcome;
  }
  throw outcome;
}

/** A real server that answers with the body that it read, or with the refusal's status and message. */
export async function listen(options: BodyOptions): Promise<{ url: string; port: number; server: Server }> {
  const server = createServer(async (request, response) => {
    try {
      const { value, findings } = await readBody(request, options);
      response.end(JSON.stringify({ value, findings }));
    } catch (error) {
      if (!(error instanceof Refusal)) {
        response.destroy();
        return;
      }
      response.writeHead(REFUSAL_KINDS[error.kind].status, request.complete ? {} : { Connection: 'close' });
      response.end(error.message);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, server };
}
