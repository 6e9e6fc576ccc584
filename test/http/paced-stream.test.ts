import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Message, PacedStream, type PacedStreamOptions } from '../../src/http/paced-stream.ts';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const numbered = (number: number, data: object = {}): Message => ({ name: 'number', id: number, data });

/** A stream that was begun, its client, and each text that is written from then on. */
async function begun(options: Partial<PacedStreamOptions> = {}, method = 'GET') {
  const opened = new Promise<ServerResponse>((resolve) => {
    server = createServer((_request, response) => resolve(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const call = request({ port: (server.address() as AddressInfo).port, method }).end();
  const response = await opened;
  const stream = new PacedStream(response, { present: () => [], ...options });
  const isBegun = stream.begin([{ name: 'first', data: {} }]);
  const [client] = (await once(call, 'response')) as [IncomingMessage];
  const written: string[] = [];
  const write = response.write.bind(response);
  response.write = (text: string) => {
    written.push(text);
    return write(text);
  };
  return { stream, response, client, written, isBegun };
}

/** Reads until a text has come; resolves with all that came. */
function readUntil(client: IncomingMessage, text: string): Promise<string> {
  let came = '';
  return new Promise((resolve) => {
    const read = (chunk: Buffer) => {
      came += String(chunk);
      if (came.includes(text)) {
        client.off('data', read);
        resolve(came);
      }
    };
    client.on('data', read);
  });
}

const namesIn = (text: string) => [...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);

it('writes what was pushed within some milliseconds at once, in order', async () => {
  const { stream, client, written } = await begun();
  for (let number = 1; number <= 100; number += 1) {
    stream.push(numbered(number));
  }
  await readUntil(client, 'id: 100\n');
  expect(written).toHaveLength(1);
  expect([...String(written[0]).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
});

it('asks what the present state is at each write, and writes nothing where there is nothing to tell', async () => {
  const present: Message[][] = [[], [{ name: 'state', data: { now: 2 } }]];
  const asked: number[] = [];
  const { stream, client, written } = await begun({
    present: () => {
      asked.push(asked.length);
      return present.shift() ?? [];
    },
  });
  stream.plan();
  while (asked.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toEqual([]);
  stream.push(numbered(1));
  expect(namesIn(await readUntil(client, 'now'))).toEqual(['first', 'number', 'state']);
});

it('holds a bounded number for a client that does not read, and tells it once that it missed some', async () => {
  const { stream, response, client, written } = await begun({ mostMessages: 10 });
  client.pause();
  const large = { text: 'x'.repeat(1_000_000) };
  let number = 0;
  while (!response.writableNeedDrain) {
    number += 1;
    stream.push(numbered(number, large));
    while (written.length < number) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const waiting = response.writableLength;
  for (let more = 1; more <= 1000; more += 1) {
    stream.push(numbered(number + more, large));
  }
  expect(response.writableLength).toBe(waiting);
  const missed = readUntil(client, 'event: missed\n');
  client.resume();
  expect(namesIn(await missed).at(-1)).toBe('missed');
  stream.push({ name: 'afterwards', data: {} });
  expect(namesIn(await readUntil(client, 'afterwards'))).toEqual(['afterwards']);
});

it('tells a client that reads, too, where more came at once than it holds', async () => {
  const { stream, client } = await begun({ mostMessages: 3 });
  for (let number = 1; number <= 5; number += 1) {
    stream.push(numbered(number));
  }
  expect(namesIn(await readUntil(client, 'missed'))).toEqual(['first', 'missed']);
});

it('drops what waits for what replaces it', async () => {
  const { stream, client } = await begun({ mostMessages: 2 });
  for (let number = 1; number <= 3; number += 1) {
    stream.push(numbered(number));
  }
  stream.replace([{ name: 'anew', data: {} }]);
  stream.push(numbered(4));
  expect(namesIn(await readUntil(client, 'id: 4\n'))).toEqual(['first', 'anew', 'number']);
});

it('is over at once for HEAD', async () => {
  expect((await begun({}, 'HEAD')).isBegun).toBe(false);
});
