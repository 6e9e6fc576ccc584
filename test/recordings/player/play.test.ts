import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PlayedCall, playCalls } from '../../../src/recordings/player/play.ts';
import { type Target, USUAL_PATIENCE_MS } from '../../../src/recordings/player/target.ts';
import type { Recording } from '../../../src/recordings/recording.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { callAt } from '../exchanges.ts';
import { after, BEGIN, recordingOf } from './tape.ts';

const temporaryFolder = temporaryFolders();

let server: Server | undefined;
afterEach(async () => {
  if (server?.listening) {
    await close(server);
  }
});

async function close(open: Server): Promise<void> {
  const closed = once(open.close(), 'close');
  open.closeAllConnections();
  await closed;
}

/** The base address of a service that is written for the test. */
async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`;
}

/** A target whose clock is always at the time of the next call. */
function targetAt(baseUrl: string): Target {
  return { baseUrl, stallMs: undefined, moveTo: async (at) => at, patienceFor: () => USUAL_PATIENCE_MS };
}

async function play(recording: Recording, baseUrl: string, signal?: AbortSignal): Promise<PlayedCall[]> {
  const played: PlayedCall[] = [];
  for await (const each of playCalls(recording, targetAt(baseUrl), signal)) {
    played.push(each);
  }
  return played;
}

test('calls that overlapped overlap again, and what came later comes later', async () => {
  const seen: string[] = [];
  let answerFirst: () => void = () => undefined;
  const url = await serve((request, response) => {
    const name = request.url?.slice(-1) ?? '';
    seen.push(`${name} arrived`);
    const answer = () => {
      seen.push(`${name} answered`);
      response.end(`"${name}"`);
    };
    if (name === 'a') {
      answerFirst = answer;
      return;
    }
    answer();
    // The first one gets its answer by the second one alone.
    if (name === 'b') {
      setImmediate(answerFirst);
    }
  });
  const recording = await recordingOf(temporaryFolder(), [
    callAt(after(1), { id: 'b', target: '/b', ms: 1000 }),
    callAt(BEGIN, { id: 'a', target: '/a', ms: 5000 }),
    callAt(after(5), { id: 'c', target: '/c' }),
  ]);
  const played = await play(recording, url);
  // The answer to a waits for b, so b was sent while a was under way; c waited for both.
  expect(seen.slice(-4)).toEqual(['b answered', 'a answered', 'c arrived', 'c answered']);
  expect(played.map(({ recorded, replayed }) => [recorded.exchange.id, recorded.line, replayed.answer?.body])).toEqual([
    ['a', 3, { json: 'a' }],
    ['b', 2, { json: 'b' }],
    ['c', 4, { json: 'c' }],
  ]);
});

test('a call is sent as it was recorded, but for what is about its connection', async () => {
  let heads: string[] = [];
  let came = '';
  const url = await serve((request, response) => {
    heads = request.rawHeaders;
    request.on('data', (chunk) => {
      came += chunk;
    });
    request.on('end', () => response.writeHead(418, ['X-Odd', 'a', 'X-Odd', 'b']).end());
  });
  const headers = Object.entries({
    Host: 'provider.test',
    'X-Case': '1',
    'content-length': '99',
    'Content-Encoding': 'gzip',
  });
  const recording = await recordingOf(temporaryFolder(), [
    callAt(BEGIN, { headers: headers.map(([name, value]) => ({ name, value })), body: { json: { b: 1, a: null } } }),
  ]);
  const [played] = await play(recording, url);
  expect(came).toBe('{"b":1,"a":null}');
  expect(heads).toEqual(['Host', new URL(url).host, 'X-Case', '1', 'Content-Length', '16', 'Connection', 'keep-alive']);
  expect(played?.replayed.answer).toMatchObject({ status: 418, body: null });
  expect(played?.replayed.answer?.headers.slice(0, 2)).toEqual([
    { name: 'X-Odd', value: 'a' },
    { name: 'X-Odd', value: 'b' },
  ]);
});

test('an answer that breaks off is what came of it, with why', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"half"', () => response.destroy());
  });
  const [played] = await play(await recordingOf(temporaryFolder(), [callAt(BEGIN)]), url);
  expect(played?.replayed.answer?.status).toBe(200);
  expect(played?.replayed.error).toBe('the answer broke off after 7 bytes: aborted');
});

test('a connection that closes is no answer', async () => {
  const url = await serve((request) => request.socket.destroy());
  const [played] = await play(await recordingOf(temporaryFolder(), [callAt(BEGIN)]), url);
  expect(played?.replayed).toMatchObject({ answer: null, error: 'socket hang up' });
});

test('a call whose body was not kept is not sent', async () => {
  let count = 0;
  const url = await serve((_request, response) => {
    count += 1;
    response.end();
  });
  const [played] = await play(await recordingOf(temporaryFolder(), [callAt(BEGIN, { body: { bytes: 10 } })]), url);
  expect(played?.replayed).toMatchObject({ answer: null, error: 'not sent: the recording does not have its body' });
  expect(count).toBe(0);
});

test('where the target goes away, the play ends with the call that did not get there', async () => {
  const url = await serve((_request, response) => response.end('[]'));
  const recording = await recordingOf(temporaryFolder(), [
    callAt(BEGIN),
    callAt(after(10), { id: 'call-2' }),
    callAt(after(20), { id: 'call-3' }),
  ]);
  const calls = playCalls(recording, targetAt(url));
  expect((await calls.next()).value?.replayed.answer?.status).toBe(200);
  if (server) {
    await close(server);
  }
  const rest = async () => {
    for await (const { replayed } of calls) {
      // The connection that was kept may take one more call with it.
      expect(replayed.error).not.toBeNull();
    }
  };
  await expect(rest()).rejects.toThrow(
    /^call-[23] \(GET \/init\/banks\/all, [\d\w-]+\.jsonl:[34]\): no connection to http:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED/,
  );
});

test('a signal ends it, whatever it waits for', async () => {
  const stop = new AbortController();
  const url = await serve(() => stop.abort(new Error('asked to')));
  const recording = await recordingOf(temporaryFolder(), [callAt(BEGIN)]);
  await expect(play(recording, url, stop.signal)).rejects.toThrow('asked to');
});
