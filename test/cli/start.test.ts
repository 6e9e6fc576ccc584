import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variableOf } from '../../src/base/variables.ts';
import { FLAGS } from '../../src/server/config/settings.ts';
import { runCommand } from '../run-command.ts';
import { startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const temporaryFolder = temporaryFolders();
const memory = ['start', '--port', '0', '--data', ':memory:'];

it('prints addresses, credentials, where the data is, and a request that works when pasted', async () => {
  const running = await startProgram(...memory);
  const banner = running.output();
  expect(banner).toContain('merchantId M-1000   merchantApiKey test-api-key-1000   merchantKey test-merchant-key-1000');
  expect(banner).toContain('in memory');
  expect(banner).toMatch(/^ +validation +strict; scenario payer-decides; seed sandbox$/m);
  const [, url = '', body = ''] = /curl (\S+) -H 'Content-Type: application\/json' -d '(.+)'/.exec(banner) ?? [];
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(answer.status).toBe(200);
  expect(await running.end('SIGTERM')).toBe(0);
});

it('prints that the clock is frozen, and its time', async () => {
  const running = await startProgram(...memory, '--now', '2026-03-01T12:00:00+02:00');
  expect(running.output()).toMatch(/; clock frozen at 2026-03-01T10:00:00\.000Z$/m);
  await running.end('SIGTERM');
});

it('reports the place where a body is not JSON, also as a built program', async () => {
  const running = await startProgram(...memory);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${running.url}/auth/authenticate/merchant`, {
    method: 'POST',
    headers,
    body: '{"a":1,}',
  });
  expect(await answer.text()).toContain('at line 1, column 8, expected a field name in double quotes');
  await running.end('SIGTERM');
});

it.each([
  ['an unknown flag', ['start', '--colour', 'red'], {}, '--colour'],
  ['an unknown command', ['begin'], {}, 'begin'],
  [
    'a port that is no number',
    ['start', '--port', 'eighty'],
    {},
    '--port must be a whole number from 0 to 65535, not "eighty"',
  ],
  [
    'an unknown validation',
    ['start', '--validation', 'loose'],
    {},
    '--validation must be one of strict, lenient, not "loose"',
  ],
  ['a time that cannot be read', ['start', '--now', 'noon'], {}, '--now must be an RFC 3339 instant from 1970 to 6999'],
  ['a day that there is not', ['start', '--now', '2026-02-30T00:00:00Z'], {}, '--now must be an RFC 3339 instant'],
  ['fixtures that are not there', ['start', '--fixtures', '/nowhere'], {}, '/nowhere: there is no such folder'],
  [
    'wallet names without a channel',
    ['start', '--wallet-names', 'NameA'],
    {},
    '--wallet-names must be channel=name pairs separated by commas, such as qr-wallet=NameA,mobile-money=NameB, not "NameA"',
  ],
  [
    'wallet names of an unknown channel',
    [...memory, '--wallet-names', 'cash=NameA'],
    {},
    '--wallet-names: there is no channel cash; there are qr-wallet',
  ],
  [
    'a wallet name that is taken',
    [...memory, '--wallet-names', 'qr-wallet=NameA,mobile-money=namea'],
    {},
    '--wallet-names: namea is already a name of qr-wallet',
  ],
  ['a variable that is wrong', ['start'], { SANDBOX_PORT: 'x' }, 'SANDBOX_PORT must be a whole number'],
  ['an unknown scenario', ['start', '--scenario', 'magic'], {}, 'unknown scenario magic; known ones are'],
  [
    'a config file that is not there',
    ['start', '--config', '/nowhere.json'],
    {},
    '--config /nowhere.json cannot be read',
  ],
  [
    'an invalid webhook URL',
    ['start', '--webhook-url', 'foo'],
    {},
    '--webhook-url must be an http or https address of at most 2000 characters, without credentials, such as http://127.0.0.1:3000/webhooks, or sandbox:catch, not "foo"',
  ],
  ['one of another scheme', ['start'], { SANDBOX_WEBHOOK_URL: 'ftp://x' }, 'SANDBOX_WEBHOOK_URL must be an http'],
  ['one without a host', ['start', '--webhook-url', 'http://'], {}, '--webhook-url must be an http or https address'],
  [
    'one that is never called',
    [...memory, '--webhook-url', 'http://169.254.169.254/'],
    {},
    '--webhook-url: "http://169.254.169.254/" cannot be notified: 169.254.169.254 is a link-local or metadata address',
  ],
])('ends with 2 and one clear line for %s', async (_what, args, environment, words) => {
  const { code, stderr } = await runCommand(args, environment as unknown as Record<string, string>);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(words);
});

it.each([
  ['http://ann:hush@127.0.0.1:1/x', '"http://***@127.0.0.1:1/x"'],
  ['ftp://hush:@127.0.0.1/', '"ftp://***@127.0.0.1/"'],
  ['http://ann:hu/hush@b', '"http://***@b"'],
  ['ann:hush@127.0.0.1', '"***@127.0.0.1"'],
])('never prints the credentials in an address such as %s', async (address, shown) => {
  const file = join(temporaryFolder(), 'config.json');
  writeFileSync(file, JSON.stringify({ 'webhook-url': address, port: 'x' }));
  const all = await Promise.all([
    runCommand([...memory, '--webhook-url', address, '--public-url', address]),
    runCommand(['start', '--config', file]),
    runCommand(['payments'], { SANDBOX_URL: address }),
  ]);
  for (const { code, stdout, stderr } of all) {
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(shown);
    expect(stderr).not.toMatch(/ann|hush/);
  }
  expect(all.map(({ stderr }) => stderr.trim().split('\n').length)).toEqual([2, 2, 1]);
});

it('ends with 2 and asks for free space if the disk is full', async () => {
  const file = join(temporaryFolder(), 'state.json');
  const command = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, 'dist/cli.js', 'start', '--port', '0'];
  await expect(promisify(execFile)('sh', [...command, '--data', file])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^merchant-sandbox: \S+state\.json cannot be used \(EFBIG: [^)]+\); make room there, then start the sandbox again\n$/,
    ),
  });
});

it('ends with 2 and names file and JSON path for a fixture that breaks its schema', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'scenarios'));
  writeFileSync(join(folder, 'fees.json'), JSON.stringify({ fees: [{ channel: 'qr-wallet', feesMarkUp: 'two' }] }));
  const { code, stderr } = await runCommand([...memory, '--fixtures', folder]);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(join(folder, 'fees.json'));
  expect(stderr).toContain('$.fees[0].feesMarkUp');
});

it.each(['/proc/none/x.json', '/dev/full', '/proc/x.json', '/dev/null/x.json'])(
  'ends with 2 and one line for --data %s, where nothing can be kept',
  async (path) => {
    const { code, stderr } = await runProgram(['start', '--port', '0', '--data', path]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(`${path} cannot be used`);
  },
);

it('ends with 2 and one line if --data is a folder, a pipe, or below a file', async () => {
  const folder = temporaryFolder();
  await promisify(execFile)('mkfifo', [join(folder, 'pipe')]);
  writeFileSync(join(folder, 'note'), '');
  for (const path of [folder, join(folder, 'pipe'), join(folder, 'note', 'state.json')]) {
    const { code, stderr } = await runProgram(['start', '--port', '0', '--data', path]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(`${path} cannot be used`);
  }
});

it('has its state file when it reports that it is ready', async () => {
  const file = join(temporaryFolder(), 'state.json');
  const running = await startProgram('start', '--port', '0', '--data', file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 6 });
  await running.end('SIGTERM');
});

it('reads --now without an offset as UTC, in any time zone of the machine', async () => {
  const { TZ: zone } = process.env;
  process.env['TZ'] = 'Asia/Tokyo';
  const running = await startProgram(...memory, '--now', '2026-03-01T10:00:00');
  process.env['TZ'] = zone ?? 'UTC';
  const clock = await (await fetch(`${running.url}/_sandbox/clock`)).json();
  expect(clock).toMatchObject({ mode: 'frozen', now: '2026-03-01T10:00:00.000Z' });
  await running.end('SIGTERM');
});

it('accepts the wallet names of --wallet-names as they are spelled', async () => {
  const running = await startProgram(...memory, '--wallet-names', 'qr-wallet=Name A,qr-wallet=NameB');
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

it('ends with 2 when the port is taken', async () => {
  const running = await startProgram(...memory);
  const { port } = new URL(running.url);
  const { code, stderr } = await runProgram(['start', '--port', port, '--data', ':memory:']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('choose another port with --port')]);
  await running.end('SIGTERM');
});

it('prints addresses that work for the reader, and one that lets a browser log in', async () => {
  const running = await startProgram(...memory, '--host', '0.0.0.0', '--control-token', 'a-token');
  const banner = running.output();
  expect(banner).not.toContain('0.0.0.0');
  const login = /http:\/\/127\.0\.0\.1:\d+\/_sandbox\/docs\?token=a-token/.exec(banner)?.[0] ?? '';
  expect((await fetch(login, { redirect: 'manual' })).status).toBe(303);
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  for (const { family, address } of addresses.filter(({ internal }) => !internal)) {
    expect([address, banner.includes(address)]).toEqual([address, family === 'IPv4']);
  }
  await running.end('SIGTERM');
  const behind = await startProgram(...memory, '--public-url', 'https://pay.example/base');
  expect(behind.output()).toMatch(/merchant API +https:\/\/pay\.example\/base\n +also at +http:\/\/127\.0\.0\.1:/);
  expect(behind.output()).toContain('https://pay.example/base/_sandbox/docs');
  await behind.end('SIGTERM');
});

it('logs no calls and events when quiet, with any outcome', async () => {
  const file = join(temporaryFolder(), 'state.json');
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

it('takes settings from flags before the environment before a config file', async () => {
  const file = join(temporaryFolder(), 'config.json');
  writeFileSync(file, JSON.stringify({ seed: 'from-file', validation: 'lenient', 'max-sessions': 7 }));
  const running = await startProgram(...memory, '--config', file, '--seed', 'from-flag');
  expect(running.output()).toContain('lenient; scenario payer-decides; seed from-flag');
  await running.end('SIGTERM');
});

it('logs one line per request: readable, or JSON, or none when quiet, and never a secret', async () => {
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

  const readable = await startProgram(...memory);
  await ask(readable.url);
  await readable.end('SIGTERM');
  expect(linesOf(readable.output())).toEqual([
    expect.stringMatching(
      /WARN: POST \/auth\/authenticate\/merchant getAccessToken 401 \d+ms request-1: wrong merchantKey for M-1000/,
    ),
  ]);

  const json = await startProgram(...memory, '--log-format', 'json');
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

it.each([['help'], ['help', 'drift'], ['help', 'help']])('ends with 0 after %s %s', async (...words) => {
  expect(await runCommand(words)).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
});

it('names every flag with its variable in --help, and in the page of settings', async () => {
  const { code, stdout } = await runCommand(['start', '--help']);
  const page = readFileSync('docs/settings.md', 'utf8');
  expect(code).toBe(0);
  for (const { flag } of FLAGS) {
    expect(stdout).toContain(`--${flag}`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`[${variableOf(flag)}]`);
    expect(page).toContain(`\`--${flag}`);
  }
  expect(stdout).not.toMatch(/\(default\s*\)/);
  for (const fallback of ['PT5S', 'PT10M']) {
    expect(stdout).toContain(`(default ${fallback})`);
    expect(page).toContain(`| ${fallback} |`);
  }
});
