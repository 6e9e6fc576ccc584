import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runProgram, startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
const startArgs = ['start', '--port', '0', '--data', ':memory:'];

it('the program prints that the clock is frozen, and its time', async () => {
  const running = await startProgram(...startArgs, '--now', '2026-03-01T12:00:00+02:00');
  expect(running.output()).toMatch(/; clock frozen at 2026-03-01T10:00:00\.000Z$/m);
  await running.end('SIGTERM');
});

it('the built program reports the position at which a body is not JSON', async () => {
  const running = await startProgram(...startArgs);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${running.url}/auth/authenticate/merchant`, {
    method: 'POST',
    headers,
    body: '{"a":1,}',
  });
  expect(await answer.text()).toContain('at line 1, column 8, expected a field name in double quotes');
  await running.end('SIGTERM');
});

it('the exit code is 2 if the data file cannot grow, and the error asks for room', async () => {
  const file = join(newFolder(), 'state.json');
  const command = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, 'dist/cli.js', 'start', '--port', '0'];
  await expect(promisify(execFile)('sh', [...command, '--data', file])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^merchant-sandbox: \S+state\.json cannot be used \(EFBIG: [^)]+\); make room there, then start the sandbox again\n$/,
    ),
  });
});

it.each(['/proc/none/x.json', '/dev/full', '/proc/x.json', '/dev/null/x.json'])(
  'the exit code is 2, with one line, for --data %s, where nothing can be stored',
  async (path) => {
    const { code, stderr } = await runProgram(['start', '--port', '0', '--data', path]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(`${path} cannot be used`);
  },
);

it('the exit code is 2, with one line, if --data is a folder, a pipe, or below a file', async () => {
  const folder = newFolder();
  await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
  writeFileSync(join(folder, 'note'), '');
  for (const path of [folder, join(folder, 'pipe'), join(folder, 'note', 'state.json')]) {
    const { code, stderr } = await runProgram(['start', '--port', '0', '--data', path]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(`${path} cannot be used`);
  }
});

it('--now without an offset is read as UTC, in any time zone of the machine', async () => {
  const { TZ: zone } = process.env;
  process.env['TZ'] = 'Asia/Tokyo';
  const running = await startProgram(...startArgs, '--now', '2026-03-01T10:00:00');
  process.env['TZ'] = zone ?? 'UTC';
  const clock = await (await fetch(`${running.url}/_sandbox/clock`)).json();
  expect(clock).toMatchObject({ mode: 'frozen', now: '2026-03-01T10:00:00.000Z' });
  await running.end('SIGTERM');
});

it('the names in --wallet-names are accepted exactly as spelled', async () => {
  const running = await startProgram(...startArgs, '--wallet-names', 'qr-wallet=Name A,qr-wallet=NameB');
  const curl = /-d '(.+)'/.exec(running.output())?.[1] ?? '';
  for (const [walletName, status] of [
    ['Name A', 200],
    ['NameB', 200],
    ['WALLET_QR', 200],
    ['name a', 400],
  ] as const) {
    const answer = await fetch(`${running.url}/sandbox/init/authenticate/merchant/wallet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...JSON.parse(curl), walletName }),
    });
    expect([walletName, answer.status]).toEqual([walletName, status]);
  }
  await running.end('SIGTERM');
});

it('the exit code is 2 if the port is taken', async () => {
  const running = await startProgram(...startArgs);
  const { port } = new URL(running.url);
  const { code, stderr } = await runProgram(['start', '--port', port, '--data', ':memory:']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('choose another port with --port')]);
  await running.end('SIGTERM');
});

it('the printed addresses work on this machine, and one logs a browser in', async () => {
  const running = await startProgram(...startArgs, '--host', '0.0.0.0', '--control-token', 'a-token');
  const banner = running.output();
  expect(banner).not.toContain('0.0.0.0');
  const login = /http:\/\/127\.0\.0\.1:\d+\/_sandbox\/docs\?token=a-token/.exec(banner)?.[0] ?? '';
  expect((await fetch(login, { redirect: 'manual' })).status).toBe(303);
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  for (const { family, address } of addresses.filter(({ internal }) => !internal)) {
    expect([address, banner.includes(address)]).toEqual([address, family === 'IPv4']);
  }
  await running.end('SIGTERM');
  const behind = await startProgram(...startArgs, '--public-url', 'https://pay.example/base');
  expect(behind.output()).toMatch(/merchant API +https:\/\/pay\.example\/base\n +also at +http:\/\/127\.0\.0\.1:/);
  expect(behind.output()).toContain('https://pay.example/base/_sandbox/docs');
  await behind.end('SIGTERM');
});

it('nothing is printed with --quiet, not even for a refused call', async () => {
  const file = join(newFolder(), 'state.json');
  const first = await startProgram('start', '--port', '0', '--data', file);
  const { port } = new URL(first.url);
  await first.end('SIGTERM');
  const quiet = spawn(process.execPath, ['dist/cli.js', 'start', '--port', port, '--data', ':memory:', '--quiet']);
  let output = '';
  for (const stream of [quiet.stdout, quiet.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  expect((await runProgram(['wait', '--url', first.url])).code).toBe(0);
  expect((await fetch(`${first.url}/nothing`)).status).toBe(404);
  quiet.kill('SIGTERM');
  await once(quiet, 'close');
  expect(output).toBe('');
});

it('a flag overrides the config file', async () => {
  const file = join(newFolder(), 'config.json');
  writeFileSync(file, JSON.stringify({ seed: 'from-file', validation: 'lenient', 'max-sessions': 7 }));
  const running = await startProgram(...startArgs, '--config', file, '--seed', 'from-flag');
  expect(running.output()).toContain('lenient; scenario payer-decides; seed from-flag');
  await running.end('SIGTERM');
});

it('each request is logged as one line of text or JSON, without secrets', async () => {
  const body = JSON.stringify({
    merchantId: 'M-1000',
    merchantApiKey: 'test-api-key-1000',
    merchantKey: 'a-wrong-secret',
  });
  const ask = (url: string) =>
    fetch(`${url}/auth/authenticate/merchant`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  const linesOf = (text: string) => text.split('\n').filter((line) => line.includes('getAccessToken'));

  const readable = await startProgram(...startArgs);
  await ask(readable.url);
  await readable.end('SIGTERM');
  expect(linesOf(readable.output())).toEqual([
    expect.stringMatching(
      /WARN: POST \/auth\/authenticate\/merchant getAccessToken 401 \d+ms request-1: wrong merchantKey for M-1000/,
    ),
  ]);

  const json = await startProgram(...startArgs, '--log-format', 'json');
  await ask(json.url);
  await json.end('SIGTERM');
  const [line = '{}'] = linesOf(json.output());
  expect(JSON.parse(line)).toMatchObject({
    method: 'POST',
    path: '/auth/authenticate/merchant',
    operation: 'getAccessToken',
    status: 401,
    ms: expect.any(Number),
    request: 'request-1',
  });
  expect(readable.output() + json.output()).not.toContain('a-wrong-secret');
});

it('clients in other languages get the same answers', async () => {
  const running = await startProgram(...startArgs);
  const url = `${running.url}/param/paymentIntervals`;
  const clients: [string, string[]][] = [
    ['node', ['-e', `fetch('${url}').then((answer) => answer.text()).then((text) => process.stdout.write(text))`]],
    ['curl', ['-s', url]],
    ['python3', ['-c', `import urllib.request as u,sys; sys.stdout.write(u.urlopen('${url}').read().decode())`]],
  ];
  const answers: string[] = [];
  for (const [program, args] of clients) {
    // Not every machine has every client; Node's own is always there.
    const answer = await promisify(execFile)(program, args).catch((error) =>
      error.code === 'ENOENT' ? undefined : Promise.reject(error),
    );
    answers.push(...(answer ? [answer.stdout] : []));
  }
  expect(answers.length).toBeGreaterThanOrEqual(1);
  expect(new Set(answers).size).toBe(1);
  expect(JSON.parse(answers[0] ?? '')).toHaveLength(5);
  await running.end('SIGTERM');
});
