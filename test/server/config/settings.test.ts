import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variableOf } from '../../../src/base/variables.ts';
import { type Settings, SettingsError, startSandbox } from '../../../src/index.ts';
import { resolveSettings } from '../../../src/server/config/resolve-settings.ts';
import { FLAGS } from '../../../src/server/config/settings.ts';
import { temporaryFolders } from '../../temporary-folder.ts';

const temporaryFolder = temporaryFolders();

async function problemsOf(settings: object): Promise<string[]> {
  const error = await startSandbox(settings as Partial<Settings>).then(
    (sandbox) => sandbox.close().then(() => new Error('it started')),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(SettingsError);
  return error.message.split('\n');
}

it('every unknown setting is reported, with a suggestion', async () => {
  const [first, second, third, ...others] = await problemsOf({ webhookURL: 'x', 'public-url': 'x', constructor: 1 });
  expect([first, second, others]).toEqual([
    'unknown setting webhookURL, did you mean webhookUrl?',
    'unknown setting public-url, did you mean publicUrl?',
    [],
  ]);
  expect(third).toMatch(/^unknown setting constructor; known settings are port, host, data, /);
});

it('all invalid values are reported at once', async () => {
  expect(
    await problemsOf({
      port: '80',
      host: 1,
      maxSessions: 0.5,
      nodeLease: '5 s',
      sessionIdle: 50,
      validation: 'loose',
      quiet: 'yes',
      now: 'tomorrow',
      walletNames: { 'qr-wallet': 'NameA' },
      allowWebhookHost: 'localhost',
      tlsHost: ['https://a.example'],
      httpsPort: '443',
      publicUrl: 'http://user:secret@localhost',
      controlToken: 5,
      scenario: { password: 'p' },
    }),
  ).toEqual([
    'port must be a whole number from 0 to 65535, not the string "80"',
    'host must be a string, not number 1',
    'maxSessions must be a whole number from 1 to 1000000, not number 0.5',
    'nodeLease must be a duration of a tenth of a second or more, such as 5s, PT5S or P7D, not the string "5 s"',
    'sessionIdle must be a whole number from 100 to 9007199254740991, not number 50',
    'validation must be one of strict, lenient, not the string "loose"',
    'quiet must be true or false, not the string "yes"',
    'now must be an RFC 3339 instant from 1970 to 6999 such as 2026-03-01T10:00:00Z or 2026-03-01T12:00:00+02:00 (UTC without an offset), not the string "tomorrow"',
    `walletNames must be lists of names by channel, such as { 'qr-wallet': ['NameA'] }, not {"qr-wallet":"NameA"}`,
    `allowWebhookHost must be a list of host names, such as ['localhost'], not the string "localhost"`,
    'tlsHost must be only host names and addresses, such as api.provider.example,192.0.2.1, not ["https://a.example"]',
    'httpsPort must be a whole number from 0 to 65535, not the string "443"',
    'publicUrl must be an http or https address such as http://192.0.2.1:4100, not the string "http://***@localhost"',
    'controlToken must be a string, not a number (not repeated here)',
    'scenario must be a string, not an object',
  ]);
});

it.each([[null], [[]], ['port']])('%p is refused as settings', async (settings) => {
  expect(await problemsOf(settings as unknown as object)).toEqual([
    `settings are an object such as { port: 4100 }, not ${JSON.stringify(settings)}`,
  ]);
});

it.each(['', ' ', '\n', null])('a setting with the value %j counts as unset', async (empty) => {
  const names = FLAGS.filter(({ name }) => !['port', 'data', 'quiet'].includes(name)).map(({ name }) => name);
  const emptySettings = Object.fromEntries(names.map((name) => [name, empty]));
  const [sandbox, plain] = await Promise.all([startSandbox(emptySettings), startSandbox()]);
  expect(sandbox.settings).toEqual(plain.settings);
  await Promise.all([sandbox.close(), plain.close()]);
});

describe('an empty value', () => {
  const empty = Object.fromEntries(FLAGS.map(({ flag }) => [flag, '']));
  const defaults = resolveSettings({});

  it.each(['', ' ', '\t'])('of a flag or variable, such as %j, counts as unset, for every setting', (value) => {
    const flags = Object.fromEntries(['config', ...Object.keys(empty)].map((flag) => [flag, value]));
    const variables = Object.fromEntries(Object.keys(flags).map((flag) => [variableOf(flag), value]));
    expect(resolveSettings(flags)).toEqual(defaults);
    expect(resolveSettings({}, variables)).toEqual(defaults);
  });

  it.each(['', null])('of the config file, such as %j, counts as unset, for every setting', (value) => {
    const config = join(temporaryFolder(), 'config.json');
    writeFileSync(config, JSON.stringify(Object.fromEntries(Object.keys(empty).map((flag) => [flag, value]))));
    expect(resolveSettings({ config })).toEqual(defaults);
  });

  it('of one source does not override the next source', () => {
    const config = join(temporaryFolder(), 'config.json');
    writeFileSync(config, JSON.stringify({ seed: 'from-file' }));
    expect(resolveSettings({ seed: '', config }, { SANDBOX_SEED: ' ' }).seed).toBe('from-file');
    expect(resolveSettings({ seed: '' }, { SANDBOX_SEED: 'from-variable' }).seed).toBe('from-variable');
  });
});

it('a config file may have a byte order mark and CRLF, and is reported with line and suggestion if it is not JSON', () => {
  const config = join(temporaryFolder(), 'config.json');
  writeFileSync(config, '\uFEFF{\r\n  "seed": "from-file"\r\n}\r\n');
  expect(resolveSettings({ config }).seed).toBe('from-file');
  writeFileSync(config, '{\r\n  "seed": "from-file",\r\n}');
  expect(() => resolveSettings({ config })).toThrow(
    `--config ${config} is not JSON: at line 3, column 1, expected a field name in double quotes; remove the comma before it`,
  );
  writeFileSync(config, Buffer.from('\uFEFF{}', 'utf16le'));
  expect(() => resolveSettings({ config })).toThrow(
    `--config ${config} cannot be read: it is UTF-16 text; save it as UTF-8`,
  );
});

it.each([
  ['control-token', false, 'must be a string or a number, not false'],
  ['control-token', { from: 'x' }, 'must be a string or a number, not {"from":"x"}'],
  ['quiet', 1, 'must be one of true, false, not 1'],
  ['quiet', {}, 'must be true or false, not {}'],
])('a value of a wrong type in the config file is refused: %s: %j', (flag, value, words) => {
  const config = join(temporaryFolder(), 'config.json');
  writeFileSync(config, JSON.stringify({ [flag]: value }));
  expect(() => resolveSettings({ config })).toThrow(`${config}: ${flag} ${words}`);
});

it('a control token loses a final newline, and must be valid in a header', async () => {
  expect(resolveSettings({}, { SANDBOX_CONTROL_TOKEN: 'a-token\n' }).controlToken).toBe('a-token');
  expect(await problemsOf({ controlToken: 'a\nb' })).toEqual([
    expect.stringContaining('must be a text of visible ASCII characters'),
  ]);
});

it('an undefined setting counts as omitted', async () => {
  const sandbox = await startSandbox({ port: undefined, now: undefined } as unknown as Partial<Settings>);
  expect(sandbox.settings).toMatchObject({ port: 0, now: undefined, data: ':memory:', quiet: true });
  await sandbox.close();
});

it('settings are accepted as typed values, and a base address loses its final slash', async () => {
  const settings = {
    port: 0,
    host: '127.0.0.1',
    data: ':memory:',
    withoutSession: ['shop'],
    walletNames: { 'qr-wallet': ['NameA'] },
    scenario: 'auto-approve',
    behaviour: 'status-lags',
    seed: 'a',
    ids: 'differ',
    now: Date.parse('2026-03-01T10:00:00Z'),
    validation: 'lenient',
    merchants: 'closed',
    httpsPort: 0,
    tlsFolder: temporaryFolder(),
    tlsHost: ['api.provider.example', '192.0.2.1'],
    maxSessions: 5,
    sessionTtl: 604_800_000,
    nodeUrl: 'http://10.0.0.5:4100',
    nodeLease: 2000,
    sessionIdle: 60_000,
    requestLogSize: 1,
    historySize: 0,
    controlToken: 'a-token',
    webhookUrl: 'http://127.0.0.1:9/webhook',
    allowWebhookHost: ['localhost'],
    checkAnswers: true,
    ignoreFindings: ['SBX-W07'],
    syncToDisk: false,
    logLevel: 'error',
    logFormat: 'json',
    quiet: true,
  } as const;
  const sandbox = await startSandbox({ ...settings, publicUrl: 'http://payments.example/' });
  await sandbox.close();
  const omitted = { fixtures: undefined, tlsCert: undefined, tlsKey: undefined };
  const commandOnly = { printUrl: false, exitWithParent: false };
  expect(sandbox.settings).toEqual({ ...settings, publicUrl: 'http://payments.example', ...omitted, ...commandOnly });
});

it('instants and durations are also accepted as texts, as on the command line', async () => {
  const sandbox = await startSandbox({
    now: '2026-03-01T12:00:00+02:00',
    sessionTtl: 'P7D',
    nodeLease: 'PT2S',
    sessionIdle: 'PT1M',
  });
  await sandbox.close();
  expect(sandbox.settings).toMatchObject({
    now: Date.parse('2026-03-01T10:00:00Z'),
    sessionTtl: 604_800_000,
    nodeLease: 2000,
    sessionIdle: 60_000,
  });
});

it('settings that only the command uses are refused', async () => {
  await expect(startSandbox({ printUrl: true, exitWithParent: true })).rejects.toThrow(
    'printUrl must be undefined (only the command accepts it), not boolean true\nexitWithParent must be undefined (only the command accepts it), not boolean true',
  );
});

it.each([
  'https://10.0.0.5:4100',
  'http://10.0.0.5:4100/below',
  'http://10.0.0.5?a=b',
  'http://u:p@10.0.0.5',
  '10.0.0.5:4100',
])('%s is refused as the address of a node, because other nodes could not call it', async (nodeUrl) => {
  expect(await problemsOf({ nodeUrl })).toEqual([
    expect.stringMatching(
      /^nodeUrl must be a plain http address such as http:\/\/10\.0\.0\.5:4100, since nodes call each other without TLS, not the string/,
    ),
  ]);
});

it('the address of a node may contain a host name, an IPv4 or an IPv6 address', async () => {
  for (const nodeUrl of ['http://node-1:4100', 'http://10.0.0.5:4100', 'http://[fd00::5]:4100']) {
    const sandbox = await startSandbox({ nodeUrl: `${nodeUrl}/` });
    await sandbox.close();
    expect(sandbox.settings.nodeUrl).toBe(nodeUrl);
  }
});
