import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { steadyNow } from '../../../src/base/timers.ts';
import { EventStream, formatMessage } from '../../../src/server/http/event-stream.ts';
import { Subscribers } from '../../../src/server/http/subscribers.ts';
import { cases } from '../../cases.ts';

let server: Server;
let onResponse: ((response: ServerResponse) => void) | undefined;

beforeAll(async () => {
  server = createServer((_request, response) => onResponse?.(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** Calls `begin` with a new response. Returns the response and its client. */
async function openResponse(begin: (response: ServerResponse) => void, method = 'GET') {
  const response = new Promise<ServerResponse>((resolve) => {
    onResponse = (each) => {
      begin(each);
      resolve(each);
    };
  });
  const { port } = server.address() as AddressInfo;
  const call = request({ host: '127.0.0.1', port, method, agent: false }).end();
  const [client] = (await once(call, 'response')) as [IncomingMessage];
  return { response: await response, client };
}

/** N texts of a fixed size, which the stream requests one by one. */
class Texts {
  readonly #count: number;
  readonly #size: number;
  requested = 0;

  constructor(count: number, size: number) {
    this.#count = count;
    this.#size = size;
  }

  readonly next = (): string | undefined => {
    if (this.requested === this.#count) {
      return undefined;
    }
    this.requested += 1;
    return formatMessage({ name: 'number', id: this.requested, data: 'x'.repeat(this.#size) });
  };
}

const idsIn = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

it('a stream sends a client all texts, once and in order, with bounded buffers', async () => {
  const reads = fc.array(fc.constantFrom('wait', 'read'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 40_000 }),
      reads,
      async (count, size, all) => {
        let stream: EventStream | undefined;
        const texts = new Texts(count, size);
        const { response, client } = await openResponse((each) => {
          stream = new EventStream(each, ': begun\n\n', texts.next);
        });
        stream?.send();
        const ids: number[] = [];
        let remaining = '';
        client.setEncoding('utf8').on('data', (chunk) => {
          const lines = `${remaining}${chunk}`.split('\n');
          remaining = lines.pop() ?? '';
          ids.push(...idsIn(lines.join('\n')));
        });
        for (const step of all) {
          client[step === 'read' ? 'resume' : 'pause']();
          stream?.send();
          expect(response.writableLength).toBeLessThan(64 * 1024 + size + 2000);
          await nextTurn();
        }
        client.resume();
        while (ids.at(-1) !== count) {
          await once(client, 'data');
        }
        expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1));
        client.destroy();
      },
    ),
    { numRuns: cases(25) },
  );
});

it('a stream stops requesting texts while its client does not read', async () => {
  const texts = new Texts(Number.POSITIVE_INFINITY, 10_000);
  const { response, client } = await openResponse((each) => new EventStream(each, '', texts.next).send());
  client.pause();
  let requested = -1;
  while (requested !== texts.requested || !response.writableNeedDrain) {
    requested = texts.requested;
    for (let turn = 0; turn < 20; turn += 1) {
      await nextTurn();
    }
  }
  expect(response.writableLength).toBeLessThan(100_000);
  client.destroy();
});

it('a stream lets other work run between its texts, and ends after all of them', async () => {
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const turns: number[] = [];
  const { client } = await openResponse((each) => {
    const next = () => {
      if (turns.length === 10) {
        return undefined;
      }
      turns.push(turn);
      // Longer than a turn may take.
      for (const began = steadyNow(); steadyNow() < began + 6; );
      return formatMessage({ name: 'number', id: turns.length, data: '' });
    };
    const stream = new EventStream(each, '', next);
    stream.send();
    stream.end('id: 11\n\n');
  });
  expect(idsIn(await text(client))).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
  clearImmediate(counting);
  expect(new Set(turns).size).toBe(10);
});

it('a stream ends at once for HEAD', async () => {
  let stream: EventStream | undefined;
  const begin = (each: ServerResponse) => {
    stream = new EventStream(each, 'retry: 1\n\n', () => 'more');
    stream.send();
  };
  const { client } = await openResponse(begin, 'HEAD');
  client.resume();
  await once(client, 'end');
  expect(stream?.hasEnded).toBe(true);
});

describe('a group of subscribers', () => {
  it('receives the texts of a round in one write, each formatted only once', async () => {
    const formatted: string[] = [];
    const items: { name: string }[] = [];
    let isEmpty = false;
    const subscribers = new Subscribers(() => {
      isEmpty = true;
    });
    const join = async () => {
      let position = items.length;
      return openResponse((response) => {
        const next = (): string | undefined => {
          const item = items[position];
          position += item ? 1 : 0;
          return (
            item &&
            subscribers.serializeOnce(item, () => {
              formatted.push(item.name);
              return formatMessage({ name: item.name, data: {} });
            })
          );
        };
        subscribers.add(new EventStream(response, '', next));
      });
    };
    const readers = [await join(), await join(), await join()];
    const received = readers.map(({ client }) => once(client.setEncoding('utf8'), 'data'));
    // On a busy machine, a reader's turn could end after the first message.
    const clock = import.meta.jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    items.push({ name: 'one' }, { name: 'two' });
    subscribers.wake();
    subscribers.wake();
    const text = 'event: one\ndata: {}\n\nevent: two\ndata: {}\n\n';
    expect(await Promise.all(received)).toEqual([[text], [text], [text]]);
    clock.mockRestore();
    expect(formatted).toEqual(['one', 'two']);
    for (const { client, response } of readers) {
      expect(isEmpty).toBe(false);
      client.destroy();
      await once(response, 'close');
    }
    expect(isEmpty).toBe(true);
  });

  it('lets other work run between its readers, and for longer between two rounds', async () => {
    const subscribers = new Subscribers(() => undefined);
    const busy = (milliseconds: number) => {
      for (const until = performance.now() + milliseconds; performance.now() < until; );
    };
    let sent = 0;
    for (let reader = 0; reader < 10; reader += 1) {
      subscribers.add({
        send: () => {
          sent += 1;
          busy(2);
        },
        onClose: () => undefined,
      } as unknown as EventStream);
    }
    sent = 0;
    subscribers.wake();
    const seen = new Set<number>();
    while (sent < 10) {
      await nextTurn();
      seen.add(sent);
    }
    expect(seen.size).toBeGreaterThan(5);
    const wokenAt = performance.now();
    subscribers.wake();
    while (sent === 10) {
      await nextTurn();
    }
    // The pause lasts four times the 20 ms of the first round.
    expect(performance.now() - wokenAt).toBeGreaterThan(60);
  });
});

it('a stream closes its connection if its next text cannot be created', async () => {
  const { response } = await openResponse((each) => {
    new EventStream(each, ': hello\n\n', () => {
      throw new Error('no text');
    });
  });
  response.emit('drain');
  await nextTurn();
  expect(response.destroyed).toBe(true);
});
