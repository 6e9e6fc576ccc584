import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variableOf } from '../../src/base/variables.ts';
import { FLAGS } from '../../src/server/config/settings.ts';
import { runCommand } from '../run-command.ts';
import { startProgram } from '../running.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
const startArgs = ['start', '--port', '0', '--data', ':memory:'];

it('the program prints addresses, credentials, the location of the data, and a request that can be pasted', async () => {
  const running = await startProgram(...startArgs);
  const banner = running.output();
  expect(banner).toContain('merchantId M-1000   merchantApiKey test-api-key-1000   merchantKey test-merchant-key-1000');
  expect(banner).toContain('in memory');
  expect(banner).toMatch(/^ +validation +strict; scenario payer-decides; seed sandbox$/m);
  const [, url = '', body = ''] = /curl (\S+) -H 'Content-Type: application\/json' -d '(.+)'/.exec(banner) ?? [];
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(answer.status).toBe(200);
  expect(await running.end('SIGTERM')).toBe(0);
});

it.each([
  ['an unknown flag', ['start', '--colour', 'red'], {}, '--colour'],
  ['an unknown command', ['begin'], {}, 'begin'],
  [
    'a port that is not a number',
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
  ['an impossible day', ['start', '--now', '2026-02-30T00:00:00Z'], {}, '--now must be an RFC 3339 instant'],
  ['fixtures that are not there', ['start', '--fixtures', '/nowhere'], {}, '/nowhere: there is no such folder'],
  [
    'wallet names without a channel',
    ['start', '--wallet-names', 'NameA'],
    {},
    '--wallet-names must be channel=name pairs separated by commas, such as qr-wallet=NameA,mobile-money=NameB, not "NameA"',
  ],
  [
    'wallet names of an unknown channel',
    [...startArgs, '--wallet-names', 'cash=NameA'],
    {},
    '--wallet-names: there is no channel cash; known channels are qr-wallet',
  ],
  [
    'a wallet name that is taken',
    [...startArgs, '--wallet-names', 'qr-wallet=NameA,mobile-money=namea'],
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
  [
    'a webhook URL with another scheme',
    ['start'],
    { SANDBOX_WEBHOOK_URL: 'ftp://x' },
    'SANDBOX_WEBHOOK_URL must be an http',
  ],
  [
    'a webhook URL without a host',
    ['start', '--webhook-url', 'http://'],
    {},
    '--webhook-url must be an http or https address',
  ],
  [
    'data that no store engine handles',
    ['start', '--data', 'mysql://ann:hush@db/x'],
    {},
    '--data must be a file, :memory: or postgres://…, not "mysql://***@db/x"',
  ],
  [
    'a webhook URL that may not be called',
    [...startArgs, '--webhook-url', 'http://169.254.169.254/'],
    {},
    '--webhook-url: "http://169.254.169.254/" cannot be notified: 169.254.169.254 is a link-local or metadata address',
  ],
])('the exit code is 2 with one line for %s', async (_title, args, environment, words) => {
  const { code, stderr } = await runCommand(args, environment as unknown as Record<string, string>);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(words);
});

it.each([
  ['http://ann:hush@127.0.0.1:1/x', '"http://***@127.0.0.1:1/x"'],
  ['ftp://hush:@127.0.0.1/', '"ftp://***@127.0.0.1/"'],
  ['http://ann:hu/hush@b', '"http://***@b"'],
  ['ann:hush@127.0.0.1', '"***@127.0.0.1"'],
])('the credentials in an address such as %s are never printed', async (address, shown) => {
  const file = join(newFolder(), 'config.json');
  writeFileSync(file, JSON.stringify({ 'webhook-url': address, port: 'x' }));
  const all = await Promise.all([
    runCommand([...startArgs, '--webhook-url', address, '--public-url', address]),
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

it('the exit code is 2 for a fixture that breaks its schema, and the file and JSON path are named', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'scenarios'));
  writeFileSync(join(folder, 'fees.json'), JSON.stringify({ fees: [{ channel: 'qr-wallet', feesMarkUp: 'two' }] }));
  const { code, stderr } = await runCommand([...startArgs, '--fixtures', folder]);
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain(join(folder, 'fees.json'));
  expect(stderr).toContain('$.fees[0].feesMarkUp');
});

it('the state file exists when the program reports that it is ready', async () => {
  const file = join(newFolder(), 'state.json');
  const running = await startProgram('start', '--port', '0', '--data', file);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 6 });
  await running.end('SIGTERM');
});

it.each(['help', 'help drift', 'help help'])('the exit code is 0 after %s', async (words) => {
  expect(await runCommand(words.split(' '))).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage:') });
});

it('the help names every flag with its variable, and the page of settings names every flag', async () => {
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
    expect(page).toContain(`(default: ${fallback})`);
  }
});
