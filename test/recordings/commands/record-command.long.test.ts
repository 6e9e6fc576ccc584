import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtProgram } from '../../../scripts/build/built-program.mjs';
import { machineNow } from '../../../src/base/timers.ts';
import { NOT_REACHABLE } from '../../../src/recordings/recording.ts';
import { authorityIn, signFor } from '../../../src/server/http/tls/authority.ts';
import { runCommand } from '../../run-command.ts';
import { addressOf, startProgram } from '../../running.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

/** A service, or a receiver of notifications; `received` contains its requests. */
async function serve(answer: RequestListener, tls?: { key: string; cert: string }) {
  const received: { request: IncomingMessage; body: string }[] = [];
  const listener: RequestListener = async (request, response) => {
    received.push({ request, body: await text(request) });
    answer(request, response);
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanups.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, received };
}

/** One JSON object per line. */
const parseLines = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The exchanges of a recording, without the lines that mark its beginning and end. */
const exchangesIn = (file: string) =>
  parseLines(readFileSync(file, 'utf8')).filter(({ kind }) => kind !== 'recording' && kind !== 'end');

/** Starts `record --json` through a shell. `limit`: a shell command that is run first and limits the size of files. */
function spawnRecord(args: string[], { limit = 'true', environment = {} } = {}): ChildProcess {
  const command = [process.execPath, builtProgram(), 'record', '--json', '--port', '0', ...args];
  const child = spawn('sh', ['-c', `${limit}; exec "$@"`, 'sh', ...command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  return child;
}

test('the recorder prints its address as JSON, and after Ctrl-C the number of recorded exchanges', async () => {
  const service = await serve((_, response) => response.end('{"a":1}'));
  const out = join(temporaryFolder(), 'new', 'folder');
  const upstream = `http://127.0.0.1:${service.port}/base`;
  const running = await startProgram('record', '--json', '--port', '0', '--upstream', upstream, '--out', out);
  const { url, notificationUrl, file } = parseLines(running.output())[0];
  // Enough calls on one connection to make Node.js warn if listeners were not removed.
  const targets = Array.from({ length: 30 }, (_, count) => `/${count}`);
  for (const target of targets) {
    expect(await (await fetch(url + target)).json()).toEqual({ a: 1 });
  }
  const answer = await fetch(notificationUrl, { method: 'POST', body: '{"status":"Paid"}' });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(await running.end('SIGINT')).toBe(0);
  expect(parseLines(running.output())).toEqual([
    { url, notificationUrl: `${url}/_recorder/notifications`, file, pid: running.child.pid, msg: 'ready' },
    { calls: targets.length, notifications: 1, file },
  ]);
  expect(readdirSync(out).map((name) => join(out, name))).toEqual([file]);
  expect(parseLines(readFileSync(file, 'utf8'))).toMatchObject([
    { kind: 'recording', upstream },
    ...targets.map((target) => ({ kind: 'call', target, answer: { status: 200, body: { json: { a: 1 } } } })),
    { kind: 'notification', body: { json: { status: 'Paid' } } },
    { kind: 'end' },
  ]);
  expect(service.received.map(({ request }) => request.url)).toEqual(targets.map((target) => `/base${target}`));
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('the recorder writes its last line at %s', async (signal) => {
  const service = await serve((_, response) => response.end('{"a":1}'));
  const args = ['--json', '--port', '0', '--upstream', `http://127.0.0.1:${service.port}`, '--out', temporaryFolder()];
  const running = await startProgram('record', ...args);
  const { url, file } = parseLines(running.output())[0];
  await fetch(`${url}/a`);
  expect(await running.end(signal)).toBe(0);
  expect(parseLines(running.output())[1]).toEqual({ calls: 1, notifications: 0, file });
  expect(parseLines(readFileSync(file, 'utf8')).at(-1)).toMatchObject({ kind: 'end' });
});

test('the recorder forwards notifications to --webhook, and returns its answers', async () => {
  const receiver = await serve((_, response) => response.writeHead(503, { 'X-Why': 'busy' }).end('later'));
  const webhook = `http://127.0.0.1:${receiver.port}/hook`;
  const out = temporaryFolder();
  const args = ['record', '--json', '--port', '0', '--upstream', 'http://127.0.0.1:1', '--out', out];
  const running = await startProgram(...args, '--webhook', webhook);
  const { notificationUrl, file } = parseLines(running.output())[0];
  const answer = await fetch(`${notificationUrl}?of=1`, { method: 'PUT', body: '{"status":"Paid"}' });
  expect([answer.status, answer.headers.get('x-why'), await answer.text()]).toEqual([503, 'busy', 'later']);
  expect(await running.end('SIGTERM')).toBe(0);
  const [{ request, body } = { request: undefined, body: '' }] = receiver.received;
  expect([request?.method, request?.url, body]).toEqual(['PUT', '/hook?of=1', '{"status":"Paid"}']);
  expect(exchangesIn(file)).toMatchObject([{ kind: 'notification', method: 'PUT', answer: { status: 503 } }]);
  expect(parseLines(running.output())[1]).toMatchObject({ calls: 0, notifications: 1 });
});

test('the recorder accepts an HTTPS service only if its CA is in NODE_EXTRA_CA_CERTS', async () => {
  const folder = temporaryFolder();
  const now = machineNow();
  const { key, certificate: cert } = await signFor(await authorityIn(join(folder, 'ca'), now), ['localhost'], now);
  const service = await serve((_, response) => response.end('{"a":1}'), { key, cert });
  const upstream = `https://localhost:${service.port}`;
  const statusWith = async (environment: Record<string, string>) => {
    const child = spawnRecord(['--upstream', upstream, '--out', temporaryFolder()], { environment });
    let output = '';
    const url = await addressOf(child, (chunk) => {
      output += chunk;
    });
    const answer = await fetch(`${url}/a`);
    const [status, body] = [answer.status, await answer.text()];
    child.kill('SIGINT');
    await once(child, 'close');
    return { status, body, recorded: exchangesIn(parseLines(output)[0].file) };
  };
  expect(await statusWith({ NODE_EXTRA_CA_CERTS: join(folder, 'ca', 'ca.pem') })).toMatchObject({
    status: 200,
    body: '{"a":1}',
    recorded: [{ target: '/a', answer: { status: 200, body: { json: { a: 1 } } }, error: null }],
  });
  const reason = expect.stringMatching(/https:\/\/localhost:\d+ cannot be reached: .*certificate/);
  expect(await statusWith({ NODE_EXTRA_CA_CERTS: '' })).toMatchObject({
    status: 502,
    body: reason,
    recorded: [{ target: '/a', answer: null, error: NOT_REACHABLE }],
  });
});

test('the recorder exits with 1 and reports a full disk, once the call is answered', async () => {
  const service = await serve((_, response) => response.end('x'.repeat(100_000)));
  const child = spawnRecord(['--upstream', `http://127.0.0.1:${service.port}`, '--out', temporaryFolder()], {
    limit: 'ulimit -f 8',
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const closed = once(child, 'close');
  const url = await addressOf(child);
  expect((await (await fetch(url)).text()).length).toBe(100_000);
  expect((await closed)[0]).toBe(1);
  expect(JSON.parse(stderr)).toEqual({
    detail: expect.stringMatching(/\S+\.jsonl cannot be written: EFBIG: file too large, write$/),
  });
});

test.each([
  [[], 'record needs --upstream <url>, the service to record, and --out <folder>'],
  [['--out', '<out>'], 'record needs --upstream <url>'],
  [['--upstream', 'http://127.0.0.1:1'], 'and --out <folder>'],
  [['--upstream', 'ftp://127.0.0.1', '--out', '<out>'], '--upstream must be an http or https address'],
  [['--upstream', '127.0.0.1:80', '--out', '<out>'], '--upstream must be an http or https address'],
  [['--upstream', 'http://127.0.0.1:1/?a=1', '--out', '<out>'], '--upstream must be a base address, without a query'],
  [['--upstream', 'http://u:p@127.0.0.1:1', '--out', '<out>'], '--upstream must have no user name and no password'],
  [
    ['--upstream', 'http://127.0.0.1:1', '--out', '<out>', '--webhook', 'hook'],
    '--webhook must be an http or https address',
  ],
  [['--upstream', 'http://127.0.0.1:1', '--out', '<out>', '--port', '70000'], '--port'],
  [['--upstream', 'http://localhost:4180/x', '--out', '<out>'], '--upstream is the address of the recorder itself'],
  [
    ['--upstream', 'http://[::1]', '--out', '<out>', '--host', '::', '--port', '80'],
    '--upstream is the address of the recorder itself',
  ],
  [
    [
      '--upstream',
      'http://127.0.0.1:1',
      '--out',
      '<out>',
      '--webhook',
      'http://127.0.0.1:4180/_recorder/notifications',
    ],
    '--webhook is the address of the recorder itself',
  ],
])('%s is wrong usage, and writes nothing', async (args, message) => {
  const out = join(temporaryFolder(), 'out');
  const { code, stdout, stderr } = await runCommand(['record', ...args.map((arg) => arg.replace('<out>', out))]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  expect(existsSync(out)).toBe(false);
});

describe('the recorder', () => {
  const args = (out: string, ...flags: string[]) => [
    ...['record', '--upstream', 'http://127.0.0.1:1', '--out', out, '--port', '0'],
    ...flags,
  ];

  test('exits with 2 and without a recording if the port is taken', async () => {
    const { port } = await serve((_, response) => response.end());
    const out = join(temporaryFolder(), 'out');
    expect(await runCommand(args(out, '--port', String(port)))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/cannot listen on --host and --port: the port is in use/),
    });
    expect(readdirSync(out)).toEqual([]);
  });

  test('exits with 1 when it is stopped, if its file was deleted', async () => {
    const out = join(temporaryFolder(), 'out');
    const child = spawnRecord(['--upstream', 'http://127.0.0.1:1', '--out', out]);
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const closed = once(child, 'close');
    await addressOf(child);
    rmSync(out, { recursive: true });
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(1);
    expect(JSON.parse(stderr).detail).toMatch(/\.jsonl was deleted while it was written/);
  });

  test('exits with 2 if the folder cannot be written to, or is a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o500 });
    const mayWriteAnywhere = process.getuid?.() === 0;
    // A folder cannot be created in /proc.
    for (const out of ['/proc/nope', ...(mayWriteAnywhere ? [] : [closed])]) {
      expect(await runCommand(args(out))).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^merchant-sandbox: \S+\.jsonl cannot be written: (?:there is no such file or folder|permission denied)\n$/,
        ),
      });
    }
    for (const out of [join(folder, 'file'), join(folder, 'file', 'below')]) {
      expect(await runCommand(args(out))).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^merchant-sandbox: \S+\/file is not a folder/),
      });
    }
  });
});
