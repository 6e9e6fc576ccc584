import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { SandboxClient } from '../../src/client/client.ts';
import { cases } from '../cases.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** A client of a server that answers requests for events with `stream`, and all others with an empty object. */
async function clientOf(stream: (request: IncomingMessage, response: ServerResponse) => void): Promise<SandboxClient> {
  server?.closeAllConnections();
  server?.close();
  server = createServer((request, response) =>
    request.url?.includes('/events') ? stream(request, response) : response.end('{}'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new SandboxClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const textOf = (id: number) => `id: ${id}\nevent: a.b\ndata: {"id":${id},"type":"a.b"}\n\n`;

async function read(client: SandboxClient, maxCount: number): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of client.events(0)) {
    ids.push(id);
    if (ids.length === maxCount) {
      break;
    }
  }
  return ids;
}

describe('the events of an interrupted stream', () => {
  it('arrive completely, once and in order, if it is interrupted after some events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 30, max: 120 }), { minLength: 1, maxLength: 4 }), async (cuts) => {
        const count = 8;
        const remaining = [...cuts];
        const client = await clientOf(({ headers }, response) => {
          const after = Number(headers['last-event-id'] ?? 0);
          const text = Array.from({ length: count - after }, (_, index) => textOf(after + index + 1)).join('');
          const cut = remaining.shift();
          response
            .writeHead(200)
            .write(text.slice(0, cut === undefined ? text.length : cut + textOf(1).length), () =>
              cut === undefined ? undefined : setImmediate(() => response.destroy()),
            );
        });
        expect(await read(client, count)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      }),
      { numRuns: cases(6) },
    );
  });

  it('end with an error if it is interrupted repeatedly without a new event', async () => {
    let requestCount = 0;
    const client = await clientOf((_request, response) => {
      requestCount += 1;
      response
        .writeHead(200)
        .write(requestCount === 1 ? textOf(1) : textOf(2).slice(0, 20), () => setImmediate(() => response.destroy()));
    });
    await expect(read(client, 2)).rejects.toThrow(
      /^the event stream of http:\S+ was interrupted 5 times in a row after event 1, without a new event$/,
    );
    expect(requestCount).toBe(6);
  });
});
