import { performance } from 'node:perf_hooks';
import request from 'supertest';
import { BundleError } from '../../../src/server/histories/bundle.ts';
import { single } from '../../interface/calls.ts';
import { startSandbox } from '../../sandbox.ts';
import { openBundle } from './open-bundle.ts';

// biome-ignore lint/suspicious/noExplicitAny: a line may be changed in any way.
type Line = any;

let valid: string;
beforeAll(async () => {
  const sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00Z') });
  const { client } = sandbox;
  for (const payerReference of ['ORDER-1', 'ORDER-2']) {
    await request(client.baseUrl).post('/sandbox/init/authenticate/merchant/wallet').send(single({ payerReference }));
    await client.settle(payerReference, 'Paid');
  }
  valid = await client.bundle();
  await sandbox.close();
});

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const textOf = (lines: readonly Line[]): string => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

/** The valid bundle with changed lines. The manifest contains their new number, so that only the change is invalid. */
function modify(change: (lines: Line[]) => void): string {
  const lines = linesOf(valid);
  change(lines);
  const [manifest] = lines;
  if (manifest?.lines !== undefined) {
    manifest.lines = lines.length;
  }
  return textOf(lines);
}

const answerIn = (lines: Line[]): Line => lines.find(({ kind }) => kind === 'answer');
const commits = (lines: Line[]): Line[] => lines.filter(({ kind }) => kind === 'commit');
/** The first commit that changes a record of a collection. */
const commitOf = (lines: Line[], collection: string): Line =>
  commits(lines).find(({ changes }) => changes.some((each: Line) => each.collection === collection));
const changeOf = (lines: Line[], collection: string): Line =>
  commitOf(lines, collection).changes.find((each: Line) => each.collection === collection);
const lastChangeOf = (lines: Line[], collection: string): Line =>
  commits(lines)
    .flatMap(({ changes }) => changes)
    .findLast((each: Line) => each.collection === collection);

describe('a modified bundle', () => {
  it.each<[string, () => string, RegExp]>([
    ['it is empty', () => '', /^line 1: a bundle begins with its manifest/],
    ['it is not JSON', () => 'hello\n', /^line 1 is not JSON/],
    [
      'it is JSON of another kind',
      () => '{"a":1}\n',
      /^line 1: a bundle begins with its manifest, which names the format/,
    ],
    ['it is a list', () => '[]\n', /^line 1: a bundle begins with its manifest/],
    ['it is null', () => 'null\n', /^line 1: a bundle begins with its manifest/],
    [
      'it is of an earlier format',
      () => modify(([manifest]) => Object.assign(manifest, { format: 2, version: '0.0.9' })),
      /^line 1: format 2 \(written by version 0\.0\.9\) is not read here; this version reads format 3$/,
    ],
    [
      'it is of a later format',
      () => modify(([manifest]) => Object.assign(manifest, { format: 4 })),
      /^line 1: format 4 /,
    ],
    ['a line is cut off', () => valid.slice(0, -20), /^line \d+ is not JSON/],
    [
      'lines are missing at its end',
      () => `${valid.split('\n').slice(0, 5).join('\n')}\n`,
      /^it has 5 of its \d+ lines: it was truncated or changed$/,
    ],
    ['there are more lines', () => `${valid}${valid.split('\n')[2]}\n`, /lines: it was truncated or changed$/],
    [
      'it has two manifests',
      () => modify((lines) => lines.push({ ...lines[0], lines: lines.length + 1 })),
      /one manifest and one start/,
    ],
    ['it has two starts', () => modify((lines) => lines.push(lines[1])), /one manifest and one start/],
    ['it has no start', () => modify((lines) => lines.splice(1, 1)), /one manifest and one start/],
    [
      'a line is of an unknown kind',
      () => modify((lines) => lines.push({ kind: 'guess' })),
      /^line \d+: \$\.kind must be/,
    ],
    [
      'a line is nested very deeply',
      () => `${valid}${'['.repeat(100_000)}${']'.repeat(100_000)}\n`,
      /^line \d+ is nested deeper than 100 levels$/,
    ],
    [
      'an instant is outside the range of clocks',
      () => modify((lines) => Object.assign(commits(lines)[0], { at: 1e300 })),
      /^line \d+: \$\.at must be/,
    ],
    [
      'the number of earlier calls is too large',
      () => modify(([manifest]) => Object.assign(manifest.lastCalls, { merchant: 1e300 })),
      /^line 1: \$\.lastCalls\.merchant must be/,
    ],
    [
      'a counter is huge',
      () => modify((lines) => Object.assign(commits(lines)[0].state.counters, { payment: 1e300 })),
      /^line \d+: \$\.state\.counters\.payment must be/,
    ],
    [
      'a collection is unknown',
      () => modify((lines) => Object.assign(changeOf(lines, 'payments'), { collection: '__proto__' })),
      /^line \d+: \$\.changes\[\d+\]\.collection must be one of /,
    ],
    [
      'a record is of another shape',
      () => modify((lines) => Object.assign(changeOf(lines, 'payments').record, { amount: '10.00' })),
      /^line \d+: \$\.changes\[\d+\]\.record\.amount must be/,
    ],
    [
      'a record has another id than its change',
      () => modify((lines) => Object.assign(changeOf(lines, 'payments'), { id: 'payment-9' })),
      /^line \d+: \$\.changes\[\d+\]\.record\.id must be "payment-9"; received "payment-1"$/,
    ],
    [
      'an event is about an unknown collection',
      () =>
        modify((lines) =>
          Object.assign(commits(lines).find(({ events }) => events.length > 0).events[0], { collection: 'dreams' }),
        ),
      /^line \d+: an event is about an unknown collection: "dreams"$/,
    ],
    [
      'a call has an invalid id',
      () =>
        modify((lines) =>
          Object.assign(
            lines.find(({ kind }) => kind === 'call'),
            { id: '../../x' },
          ),
        ),
      /^line \d+: \$\.id must be/,
    ],
    [
      'an answer is to a call that never began',
      () => modify((lines) => Object.assign(answerIn(lines), { of: 'request-99' })),
      /^it has an answer to request-99 before that call, or without it$/,
    ],
    [
      'an answer precedes its call',
      () => modify((lines) => lines.splice(2, 0, ...lines.splice(lines.indexOf(answerIn(lines)), 1))),
      /^it has an answer to (?:request|control)-1 before that call, or without it$/,
    ],
    [
      'a call is answered twice',
      () => modify((lines) => lines.push(answerIn(lines))),
      /^it has an answer to .* twice$/,
    ],
    [
      'two calls have the same id',
      () => modify((lines) => lines.push(...lines.filter(({ kind }) => kind === 'call').slice(0, 1))),
      /^it has the call (?:request|control)-1 twice$/,
    ],
    [
      'a change was made by a call that never began',
      () => modify((lines) => Object.assign(commits(lines)[0], { cause: 'request-99' })),
      /^it has a change by request-99 before that call, or without it$/,
    ],
    [
      'a record names an unknown merchant',
      () => modify((lines) => Object.assign(lastChangeOf(lines, 'payments').record, { merchantId: 'M-none' })),
      /^the state that it ends with is broken: \$\.payments\[\d\]\.merchantId/,
    ],
    [
      'a counter is lower than the ids in use',
      () =>
        modify((lines) => {
          for (const { state } of commits(lines)) {
            state.counters.payment = 0;
          }
        }),
      /^the state that it ends with is broken: \$\.payments\[0\]\.id/,
    ],
    [
      'its first state is invalid',
      () => modify((lines) => Object.assign(lines[1].state.state, { scenario: 'no-such' })),
      /^the state that it begins with is broken: \$\.state\.scenario/,
    ],
    [
      'its first state has an additional member',
      () => valid.replace('"state":{"state":', '"state":{"__proto__":{"payments":[]},"state":'),
      /^the state that it begins with is broken: /,
    ],
    [
      'its session name is invalid',
      () => modify(([manifest]) => Object.assign(manifest, { session: '../x' })),
      /^line 1: \$\.session must be/,
    ],
    [
      'the path of a fixture file leads out of the folder',
      () => modify((lines) => lines.splice(1, 0, { kind: 'fixture', file: '../../times.json', content: '{}' })),
      /^a fixture file cannot be called "\.\.\/\.\.\/times\.json"$/,
    ],
  ])('is refused if %s', async (_title, text, words) => {
    const opening = openBundle(text());
    await expect(opening).rejects.toThrow(BundleError);
    await expect(opening).rejects.toThrow(words);
  });

  it('is refused if a fixture is invalid', async () => {
    const file = { kind: 'fixture', file: 'times.json', content: '{"accessTokenLifetime":5}' };
    await expect(openBundle(modify((lines) => lines.splice(1, 0, file)))).rejects.toThrow(
      /times\.json: \$\.accessTokenLifetime/,
    );
  });

  it('does not change the prototype of other objects if a member is named __proto__', async () => {
    const text = valid.replace('"headers":{', '"headers":{"__proto__":"x","constructor":"y",');
    expect(text).not.toBe(valid);
    const openedSandbox = await openBundle(text);
    expect(Reflect.get({}, 'x')).toBeUndefined();
    await openedSandbox.close();
  });

  it('can be shown if its request log names unknown records and operations', async () => {
    const openedSandbox = await openBundle(
      modify((lines) => {
        for (const { call } of lines.filter(({ origin }) => origin === 'merchant')) {
          const unknown = { collection: '__proto__', id: 'x-1' };
          const event = { ...unknown, id: 7, at: 0, type: '?', subjectId: 'x', requestId: null, data: {} };
          Object.assign(call.logged, { records: [unknown], events: [event], channel: 'x', operation: 'x' });
          Object.assign(call, { body: [[null]], headers: JSON.parse('{"__proto__":"x"}') });
        }
      }),
    );
    const paths = ['requests', 'requests/request-1', 'findings', 'history', 'bundle', 'overview', 'har', 'event-log'];
    const answers = await Promise.all(paths.map((path) => fetch(`${openedSandbox.url}/_sandbox/${path}`)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    await openedSandbox.close();
  });

  it('is refused in bounded time if it is large', async () => {
    const line = JSON.stringify(commits(linesOf(valid))[0]);
    const text = `${valid}${`${line}\n`.repeat(5000)}`;
    const began = performance.now();
    await expect(openBundle(text)).rejects.toThrow(BundleError);
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  it('can be forked only at steps with a valid state', async () => {
    // The first commit of the payment is invalid, and the next ones correct it.
    const openedSandbox = await openBundle(
      modify((lines) => Object.assign(changeOf(lines, 'payments').record, { merchantId: 'M-none' })),
    );
    await expect(openedSandbox.client.fork('default', { at: 'request-1', as: 'broken' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('the state at this step is broken: $.payments[0].merchantId'),
    });
    const { items } = await openedSandbox.client.call<{ items: { name: string }[] }>('GET', '/sessions');
    expect(items.map(({ name }) => name)).toEqual(['default']);
    await openedSandbox.client.fork('default', { at: 'control-2', as: 'sound' });
    expect((await openedSandbox.session('sound').payments()).items).toHaveLength(2);
    await openedSandbox.close();
  });
});

it('a bundle of a session called default is opened under that name', async () => {
  const openedSandbox = await openBundle(valid);
  expect((await openedSandbox.client.payments()).items).toHaveLength(2);
  expect((await openedSandbox.client.clock()).mode).toBe('frozen');
  await openedSandbox.close();
});
