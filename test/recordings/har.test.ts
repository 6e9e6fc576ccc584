import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { RecordedBody, RecordedCall, RecordedHeader } from '../../src/base/schema/recordings.ts';
import { exportArchive } from '../../src/recordings/har/export.ts';
import { importArchive } from '../../src/recordings/har/import.ts';
import { type Exchange, Recording } from '../../src/recordings/recording.ts';
import { RecordingWriter } from '../../src/recordings/recording-writer.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { callAt, notificationAt } from './exchanges.ts';

const AT = '2026-03-01T10:00:00.000Z';
const UPSTREAM = 'https://api.test/v1';

const temporaryFolder = temporaryFolders();
let folder: string;
let made = 0;

beforeEach(() => {
  folder = temporaryFolder();
});

const fresh = () => join(folder, `made-${++made}`);

/** An entry as a browser writes it. */
function entry(changes: object = {}, { request = {}, response = {} }: { request?: object; response?: object } = {}) {
  return {
    startedDateTime: '2026-03-01T12:00:00.000+02:00',
    time: 12.5,
    request: { method: 'GET', url: `${UPSTREAM}/a?b=c#d`, headers: [], ...request },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: 2, mimeType: 'application/json', text: '{"b":1}' },
      ...response,
    },
    ...changes,
  };
}

function archive(entries: readonly unknown[], log: object = {}): string {
  const file = `${fresh()}.har`;
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', creator: { name: 'browser' }, entries, ...log } }));
  return file;
}

async function exchangesIn(recording: string): Promise<Exchange[]> {
  const opened = await Recording.open(recording);
  const exchanges: Exchange[] = [];
  for await (const { exchange } of opened.exchanges()) {
    exchanges.push(exchange);
  }
  return exchanges;
}

async function imported(entries: readonly unknown[], upstream: string | undefined = UPSTREAM): Promise<Exchange[]> {
  const to = fresh();
  await importArchive(archive(entries), to, upstream);
  return exchangesIn(to);
}

async function bodyOfRequest(request: object): Promise<RecordedBody | undefined> {
  const [call] = await imported([entry({}, { request: { method: 'POST', ...request } })]);
  return call?.body;
}

async function bodyOfAnswer(response: object): Promise<RecordedBody | undefined> {
  const [call] = await imported([entry({}, { response })]);
  return call?.answer?.body;
}

describe('an archive', () => {
  it('is read in the order in which calls began, in UTC, without fragments', async () => {
    const later = entry({ startedDateTime: '2026-03-01T10:00:01.0004Z' });
    expect(await imported([later, entry()])).toEqual([
      callAt(AT, {
        id: 'call-1',
        target: '/a?b=c',
        headers: [],
        ms: 12.5,
        answer: {
          status: 200,
          headers: [{ name: 'content-type', value: 'application/json' }],
          body: { json: { b: 1 } },
        },
      }),
      expect.objectContaining({ id: 'call-2', at: '2026-03-01T10:00:01.000Z' }),
    ]);
  });

  it('may begin with a byte order mark', async () => {
    const file = archive([entry()]);
    writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8')}`);
    expect(await importArchive(file, fresh())).toMatchObject({ calls: 1 });
  });

  it('may say as little as a call needs', async () => {
    const request = { method: 'GET', url: `${UPSTREAM}/a` };
    expect(await imported([{ startedDateTime: AT, request, response: { status: 204 } }])).toEqual([
      callAt(AT, { target: '/a', headers: [], ms: 0, answer: { status: 204, headers: [], body: null } }),
    ]);
  });

  it('loses the headers of HTTP/2 that stand for the request line', async () => {
    const headers = [
      { name: ':authority', value: 'api.test' },
      { name: 'accept', value: '*/*' },
    ];
    const [call] = await imported([entry({}, { request: { headers } })]);
    expect(call?.headers).toEqual([{ name: 'accept', value: '*/*' }]);
  });

  it('has several headers of one name in one, line by line, as browsers write them', async () => {
    const headers = [{ name: 'set-cookie', value: 'a=secret-1; Path=/\nb=secret-2; HttpOnly' }];
    const [call] = await imported([entry({}, { response: { headers } })]);
    expect(call?.answer?.headers).toEqual([
      { name: 'set-cookie', value: expect.stringMatching(/^a=\*{3}[\da-f]{8}; Path=\/$/) },
      { name: 'set-cookie', value: expect.stringMatching(/^b=\*{3}[\da-f]{8}; HttpOnly$/) },
    ]);
  });

  it('may have addresses as people read them, and statuses as texts', async () => {
    const [call] = await imported([
      entry({}, { request: { url: `${UPSTREAM}/a b/Zoë?c=山` }, response: { status: '404' } }),
    ]);
    expect([call?.target, call?.answer?.status]).toEqual(['/a%20b/Zo%C3%AB?c=%E5%B1%B1', 404]);
  });

  it('counts the parts of a time that is not known', async () => {
    const [call] = await imported([entry({ time: -1, timings: { blocked: -1, send: 1, wait: 2.5, receive: 3 } })]);
    expect(call?.ms).toBe(6.5);
  });

  it.each([
    ['status 0', { status: 0, statusText: '', _error: 'net::ERR_ABORTED' }, 'net::ERR_ABORTED'],
    ['a reason in words', { status: 0, statusText: 'Connection closed' }, 'Connection closed'],
    ['nothing', undefined, 'no answer'],
  ])('has no answer where there is %s', async (_name, response, error) => {
    expect(await imported([entry({ response })])).toMatchObject([{ answer: null, error }]);
  });
});

describe('bodies', () => {
  const mimeType = 'application/json';
  it.each([
    ['JSON', { postData: { mimeType, text: '{"a":"ü"}' } }, { json: { a: 'ü' } }],
    ['text', { postData: { mimeType: 'text/plain', text: 'hello' } }, { text: 'hello' }],
    ['base64', { postData: { mimeType, text: 'eyJhIjoxfQ==', encoding: 'base64' } }, { json: { a: 1 } }],
    [
      'fields without a text',
      { postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: 'b c' }] } },
      { text: 'a=b+c' },
    ],
    [
      'parts of a form',
      {
        postData: {
          mimeType: 'multipart/form-data; boundary=x',
          params: [
            { name: 'a', value: 'b' },
            { name: 'f', fileName: 'f.png', contentType: 'image/png' },
          ],
        },
      },
      {
        form: [
          { name: 'a', value: 'b' },
          { name: 'f', fileName: 'f.png', contentType: 'image/png', size: 0, head: '' },
        ],
      },
    ],
    [
      'a form as a text',
      {
        postData: {
          mimeType: 'multipart/form-data; boundary=x',
          text: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
        },
      },
      { form: [{ name: 'a', value: 'b' }] },
    ],
    ['a size alone', { bodySize: 7 }, { bytes: 7 }],
    ['a size that is not known', { bodySize: -1 }, null],
    ['nothing', { bodySize: 0 }, null],
  ])('of requests: %s', async (_name, request, body) => {
    expect(await bodyOfRequest(request)).toEqual(body);
  });

  it.each([
    ['base64', { content: { mimeType, text: 'eyJhIjoxfQ==', encoding: 'base64' } }, { json: { a: 1 } }],
    ['bytes', { content: { mimeType: 'image/png', text: '/wAA', encoding: 'base64' } }, { bytes: 3 }],
    ['a size alone', { content: { mimeType, size: 9 } }, { bytes: 9 }],
    ['no content', { content: undefined, bodySize: -1 }, null],
    [
      'a text that was compressed and in a character set',
      {
        headers: [
          { name: 'Content-Encoding', value: 'gzip' },
          { name: 'Content-Type', value: 'text/plain; charset=iso-8859-1' },
        ],
        content: { text: 'ü€' },
      },
      { text: 'ü€' },
    ],
  ])('of answers: %s', async (_name, response, body) => {
    expect(await bodyOfAnswer(response)).toEqual(body);
  });
});

describe('what is taken', () => {
  const to = (url: string) => entry({}, { request: { url } });

  it('is below the base address; the rest is counted', async () => {
    const socket = entry({ _webSocketMessages: [] }, { request: { url: 'wss://api.test/v1/live' } });
    const entries = [
      ...[to('https://api.test/v1'), to('https://API.test:443/v1/b'), to('https://api.test/v1?x=1'), socket],
      ...[
        to('https://api.test/v10/b'),
        to('http://api.test/v1/b'),
        to('https://cdn.test/x'),
        to('data:text/plain,hello'),
      ],
    ];
    const folderMade = fresh();
    expect(await importArchive(archive(entries), folderMade, `${UPSTREAM}/`)).toMatchObject({
      calls: 3,
      notifications: 0,
      leftOut: {
        webSockets: 1,
        elsewhere: [
          { origin: 'https://api.test', entries: 1 },
          { origin: 'http://api.test', entries: 1 },
          { origin: 'https://cdn.test', entries: 1 },
          { origin: 'data:', entries: 1 },
        ],
      },
    });
    expect((await exchangesIn(folderMade)).map(({ target }) => target)).toEqual(['/', '/b', '/?x=1']);
  });

  it('is all where all calls went to one service, and must be said otherwise', async () => {
    expect(await importArchive(archive([entry()]), fresh())).toMatchObject({ upstream: 'https://api.test', calls: 1 });
    const two = archive([entry(), to('https://cdn.test/x'), to('https://cdn.test/y')]);
    await expect(importArchive(two, fresh())).rejects.toThrow(
      `${two} has calls to several services: say which with --upstream; it has https://api.test (1), https://cdn.test (2)`,
    );
  });

  it('is never nothing', async () => {
    const file = archive([entry()]);
    await expect(importArchive(file, fresh(), 'https://other.test')).rejects.toThrow(
      `${file} has nothing below https://other.test; it has https://api.test (1)`,
    );
    const empty = archive([]);
    await expect(importArchive(empty, fresh())).rejects.toThrow(`${empty} has no call to record`);
  });

  it('has no secret and nothing personal in it', async () => {
    const secret = 'sk-3f9a8c7b6d5e4f3a2b1c';
    const request = {
      method: 'POST',
      headers: [{ name: 'Authorization', value: `Bearer ${secret}` }],
      postData: { mimeType: 'application/json', text: `{"payerName":"Grace Hopper","pan":"4111111111111111"}` },
    };
    const recording = await importArchive(archive([entry({}, { request })]), fresh());
    const written = readFileSync(recording.file, 'utf8');
    expect(written).toContain('payerName');
    expect(written).not.toMatch(new RegExp(`${secret}|Hopper|4111111111111111`));
  });
});

describe('errors name the place', () => {
  const bad = (name: string, changes: object) => [name, { ...entry(), ...changes }] as const;
  it.each([
    bad('log.entries[1].startedDateTime must be a date and time; received "today"', { startedDateTime: 'today' }),
    bad('log.entries[1].request must be an object; received nothing', { request: undefined }),
    bad('log.entries[1].request.method must be a text; received 5', { request: { method: 5, url: 'http://a.test' } }),
    bad('log.entries[1].request.url must be an absolute address; received "/a"', {
      request: { method: 'GET', url: '/a' },
    }),
    bad('log.entries[1].request.headers must be a list; received {}', {
      request: { method: 'GET', url: 'http://a.test', headers: {} },
    }),
    bad('log.entries[1].response.headers[0].name must be a text; received nothing', {
      response: { status: 200, headers: [{}] },
    }),
    ['log.entries[1] must be an object; received 7', 7] as const,
  ])('%s', async (message, wrong) => {
    const file = archive([entry(), wrong]);
    await expect(importArchive(file, fresh())).rejects.toThrow(`${file}: ${message}`);
  });

  it.each([
    ['[]', 'the archive must be an object; received []'],
    ['{"log":{}}', 'log.entries must be a list; received nothing'],
    ['{', 'cannot be read as an HTTP archive: '],
  ])('%s', async (text, message) => {
    const file = `${fresh()}.har`;
    writeFileSync(file, text);
    await expect(importArchive(file, fresh())).rejects.toThrow(message);
  });
});

async function record(to: string, head: { upstream: string; startedAt: string }, exchanges: readonly Exchange[]) {
  const writer = await RecordingWriter.create(to, { ...head, masked: ['colour'] });
  for (const exchange of exchanges) {
    await writer.write(exchange);
  }
  await writer.close();
}

it('is not written of recordings of several services', async () => {
  const from = fresh();
  await record(from, { upstream: UPSTREAM, startedAt: AT }, [callAt(AT)]);
  await record(from, { upstream: 'https://b.test', startedAt: '2026-03-02T10:00:00.000Z' }, [callAt(AT)]);
  await expect(exportArchive(await Recording.open(from), `${fresh()}.har`)).rejects.toThrow(
    `the folder has recordings of several services: ${UPSTREAM}, https://b.test`,
  );
});

/** A recording, written and read again as an archive. */
async function roundTrip(exchanges: readonly Exchange[]): Promise<Exchange[]> {
  const from = fresh();
  await record(from, { upstream: UPSTREAM, startedAt: AT }, exchanges);
  const [file, to] = [`${fresh()}.har`, fresh()];
  await exportArchive(await Recording.open(from), file);
  await importArchive(file, to);
  expect((await Recording.open(to)).heads).toMatchObject([{ upstream: UPSTREAM, masked: ['colour'] }]);
  return exchangesIn(to);
}

describe('a recording that is written as an archive and read again', () => {
  it('has an address where a call was for the server as a whole', async () => {
    expect(await roundTrip([callAt(AT, { method: 'OPTIONS', target: '*' })])).toMatchObject([{ target: '/*' }]);
  });

  const text = fc.string({ minLength: 1, maxLength: 12 });
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
  // A text that is JSON is recorded as JSON.
  const plain = text.map((each) => `~ ${each.replaceAll('\0', '')}`);
  const file = fc.record({
    ...{ name: text, fileName: text, contentType: text, size: fc.nat({ max: 99 }) },
    head: fc.uint8Array({ maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  });
  const header: fc.Arbitrary<RecordedHeader> = fc.record({
    name: fc.constantFrom('X-One', 'x-two', 'Content-Encoding'),
    value: text,
  });
  const typed = (type: string, body: fc.Arbitrary<RecordedBody>) =>
    fc.record({
      headers: fc.array(header, { maxLength: 3 }).map((more) => [...more, { name: 'Content-Type', value: type }]),
      body,
    });
  const message = fc.oneof(
    typed(
      'text/plain; charset=iso-8859-1',
      json.map((value) => ({ json: value })),
    ),
    typed(
      'text/plain',
      plain.map((value) => ({ text: value })),
    ),
    typed(
      'image/png',
      fc.integer({ min: 1, max: 1e9 }).map((bytes) => ({ bytes })),
    ),
    typed('text/plain', fc.constant(null)),
  );
  const form = typed(
    'multipart/form-data; boundary=x',
    fc
      .array(fc.oneof(file, fc.record({ name: text, value: text })), { minLength: 1 })
      .map((parts) => ({ form: parts })),
  );
  const answered = fc.record({
    answer: fc
      .tuple(fc.integer({ min: 100, max: 599 }), message)
      .map(([status, told]): RecordedCall['answer'] => ({ status, ...told })),
    error: fc.option(text),
  });
  const unanswered = fc.record({ answer: fc.constant(null), error: text });
  const change = fc
    .tuple(
      fc.oneof(message, form),
      fc.oneof(answered, unanswered),
      fc.record({
        method: fc.constantFrom('GET', 'POST', 'DELETE'),
        target: fc.webPath().chain((path) => fc.webQueryParameters().map((query) => `/${path.slice(1)}?${query}`)),
        ms: fc.nat(),
      }),
    )
    .map(([asked, told, rest]) => ({ ...asked, ...told, ...rest }));

  it('is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), change), { minLength: 1, maxLength: 5 }), async (changes) => {
        const counts = { call: 0, notification: 0 };
        const exchanges = changes.map(([isCall, each], index): Exchange => {
          const at = AT.replace('.000', `.00${index}`);
          return isCall
            ? callAt(at, { ...each, id: `call-${++counts.call}` })
            : notificationAt(at, { ...each, id: `notification-${++counts.notification}` });
        });
        expect(await roundTrip(exchanges)).toEqual(exchanges);
      }),
      { seed: 33, numRuns: 60 },
    );
  });
});
