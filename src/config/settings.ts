import { readFileSync } from 'node:fs';
import { didYouMean } from '../text/nearest.ts';
import {
  baseAddress,
  certificateHosts,
  hostNames,
  instant,
  ofTheCommand,
  oneOf,
  text,
  type ValueKind,
  walletNames,
  webhookAddress,
  whole,
  wrongGiven,
  wrongValue,
  yesOrNo,
} from './flag-values.ts';
import { variableOf } from './variables.ts';

/** Settings that cannot be used; the message has a line for each, which names the flag or setting. */
export class SettingsError extends Error {
  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SettingsError';
  }
}

/** Everything a sandbox can be told at its start. Frozen once it is resolved. */
export interface Settings {
  port: number;
  host: string;
  /** Where the same is served over HTTPS; undefined for nowhere. */
  httpsPort: number | undefined;
  /** PEM file of an own certificate, in place of one that the machine's CA signs; with `tlsKey`. */
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  /** Where the CA of this machine is kept; undefined for the user's data folder. */
  tlsFolder: string | undefined;
  /** Further host names and addresses that the sandbox is reached by over HTTPS. */
  tlsHost: readonly string[];
  data: string;
  fixtures: string | undefined;
  /** Further wallet names by channel, such as the provider's real ones. */
  walletNames: Readonly<Record<string, readonly string[]>> | undefined;
  scenario: string;
  seed: string;
  /** The instant that new sessions' clocks stand frozen at; undefined for the real clock. */
  now: number | undefined;
  validation: 'strict' | 'lenient';
  merchants: 'open' | 'closed';
  publicUrl: string | undefined;
  maxSessions: number;
  /** Mebibytes for the request logs of all sessions together. */
  requestLogSize: number;
  controlToken: string | undefined;
  webhookUrl: string | undefined;
  /** Hosts that may be notified although the sandbox listens beyond loopback and they do not. */
  allowWebhookHost: readonly string[];
  checkAnswers: boolean;
  syncToDisk: boolean;
  logLevel: LogLevel;
  logFormat: 'text' | 'json';
  quiet: boolean;
  /** Of the command alone: standard output has the address and nothing else. */
  printUrl: boolean;
  /** Of the command alone: it closes when the process that started it is gone. */
  exitWithParent: boolean;
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One row of the flag table: the setting, how it is written, what it means. */
interface Flag<Name extends keyof Settings = keyof Settings> extends ValueKind<Settings[Name]> {
  name: Name;
  flag: string;
  /** What stands behind the flag; a flag without is on when it is there. */
  value?: string;
  fallback: Settings[Name];
  help: string;
}

function flag<Name extends keyof Settings>(row: Flag<Name>): Flag {
  return row as unknown as Flag;
}

/** THE FLAG TABLE. The command line, its help, the SANDBOX_… variables and the README's table are made from it. */
export const FLAGS: readonly Flag[] = [
  flag({
    name: 'port',
    flag: 'port',
    value: 'number',
    fallback: 4100,
    help: 'port to listen on; 0 takes a free one',
    ...whole(0, 65_535),
  }),
  flag({
    name: 'host',
    flag: 'host',
    value: 'address',
    fallback: '127.0.0.1',
    help: 'address to listen on',
    ...text,
  }),
  flag({
    name: 'data',
    flag: 'data',
    value: 'file',
    fallback: './sandbox-data/state.json',
    help: 'the state file; :memory: keeps nothing',
    ...text,
  }),
  flag({
    name: 'fixtures',
    flag: 'fixtures',
    value: 'folder',
    fallback: undefined,
    help: 'your own fixtures, laid over the shipped ones',
    ...text,
  }),
  flag({
    name: 'walletNames',
    flag: 'wallet-names',
    value: 'channel=name,…',
    fallback: undefined,
    help: 'further names that walletName may have, by channel id',
    ...walletNames,
  }),
  flag({
    name: 'scenario',
    flag: 'scenario',
    value: 'name',
    fallback: 'payer-decides',
    help: 'what happens in new sessions',
    ...text,
  }),
  flag({
    name: 'seed',
    flag: 'seed',
    value: 'text',
    fallback: 'sandbox',
    help: 'ids and chance of new sessions are drawn from it',
    ...text,
  }),
  flag({
    name: 'now',
    flag: 'now',
    value: 'timestamp',
    fallback: undefined,
    help: 'freeze the clock of new sessions at this RFC 3339 instant; UTC without an offset',
    ...instant,
  }),
  flag({
    name: 'validation',
    flag: 'validation',
    value: 'strict|lenient',
    fallback: 'strict',
    help: 'the interface to the letter, or what the real service is known to take',
    ...oneOf('strict', 'lenient'),
  }),
  flag({
    name: 'merchants',
    flag: 'merchants',
    value: 'open|closed',
    fallback: 'open',
    help: 'whether an unknown merchantId registers itself with the credentials it first shows',
    ...oneOf('open', 'closed'),
  }),
  flag({
    name: 'publicUrl',
    flag: 'public-url',
    value: 'address',
    fallback: undefined,
    help: 'base of the addresses in answers, where it is not http://host:port',
    ...baseAddress('http://192.0.2.1:4100'),
  }),
  flag({
    name: 'httpsPort',
    flag: 'https-port',
    value: 'number',
    fallback: undefined,
    help: 'port to serve HTTPS on as well; 0 takes a free one',
    ...whole(0, 65_535),
  }),
  flag({
    name: 'tlsCert',
    flag: 'tls-cert',
    value: 'file',
    fallback: undefined,
    help: "your own certificate for HTTPS, as PEM, in place of the machine's CA; goes with --tls-key",
    ...text,
  }),
  flag({
    name: 'tlsKey',
    flag: 'tls-key',
    value: 'file',
    fallback: undefined,
    help: "your own certificate's private key, as PEM, not encrypted",
    ...text,
  }),
  flag({
    name: 'tlsFolder',
    flag: 'tls-folder',
    value: 'folder',
    fallback: undefined,
    help: "where the machine's CA is kept; left out, the user's data folder",
    ...text,
  }),
  flag({
    name: 'tlsHost',
    flag: 'tls-host',
    value: 'hosts',
    fallback: [],
    help: 'further host names and addresses, by comma, that the sandbox is reached by over HTTPS',
    ...certificateHosts,
  }),
  flag({
    name: 'maxSessions',
    flag: 'max-sessions',
    value: 'number',
    fallback: 10_000,
    help: 'how many sessions there may be',
    ...whole(1, 1_000_000),
  }),
  flag({
    name: 'requestLogSize',
    flag: 'request-log-size',
    value: 'MB',
    fallback: 64,
    help: 'memory for the request logs of all sessions; the oldest calls go first',
    ...whole(1, 65_536),
  }),
  flag({
    name: 'controlToken',
    flag: 'control-token',
    value: 'text',
    fallback: undefined,
    help: 'what control calls must show when --host is not loopback; left out, one is made and printed',
    ...text,
  }),
  flag({
    name: 'webhookUrl',
    flag: 'webhook-url',
    value: 'address',
    fallback: undefined,
    help: "where every session's notifications go",
    ...webhookAddress,
  }),
  flag({
    name: 'allowWebhookHost',
    flag: 'allow-webhook-host',
    value: 'hosts',
    fallback: [],
    help: 'private hosts, by comma, that may be notified when --host is not loopback',
    ...hostNames,
  }),
  flag({
    name: 'checkAnswers',
    flag: 'check-answers',
    fallback: false,
    help: 'check every answer against its schema before it leaves',
    ...yesOrNo,
  }),
  flag({
    name: 'syncToDisk',
    flag: 'sync-to-disk',
    fallback: false,
    help: 'wait for the disk itself on every write: survives a power cut',
    ...yesOrNo,
  }),
  flag({
    name: 'logLevel',
    flag: 'log-level',
    value: LOG_LEVELS.join('|'),
    fallback: 'info',
    help: 'the least that is logged',
    ...oneOf(...LOG_LEVELS),
  }),
  flag({
    name: 'logFormat',
    flag: 'log-format',
    value: 'text|json',
    fallback: 'text',
    help: 'for people or for programs',
    ...oneOf('text', 'json'),
  }),
  flag({
    name: 'quiet',
    flag: 'quiet',
    fallback: false,
    help: 'print no banner and log no calls or events, only what goes wrong in the sandbox itself',
    ...yesOrNo,
  }),
  flag({
    name: 'printUrl',
    flag: 'print-url',
    fallback: false,
    help: 'print the address alone on standard output when ready; banner and log go to standard error',
    ...ofTheCommand(yesOrNo),
  }),
  flag({
    name: 'exitWithParent',
    flag: 'exit-with-parent',
    fallback: false,
    help: 'close within a second or two when the process that started this one is gone',
    ...ofTheCommand(yesOrNo),
  }),
];

/**
 * Settings from, in order of weight, flags, environment, a config file (`--config`, JSON with the flags' names) and the
 * table's defaults. Throws SettingsError naming all that is wrong.
 */
export function resolveSettings(
  flags: Readonly<Record<string, string | boolean | undefined>>,
  environment: Readonly<Record<string, string | undefined>> = {},
): Readonly<Settings> {
  const configFile = flags['config'] ?? environment[variableOf('config')];
  const config = typeof configFile === 'string' ? readConfig(configFile) : {};
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const problems = unknownIn(config).map((words) => `--config ${configFile} ${words}`);
  for (const { name, flag: flagName, fallback, read } of FLAGS) {
    const sources = [
      [`--${flagName}`, flags[flagName]],
      [variableOf(flagName), environment[variableOf(flagName)]],
      [`${configFile}: ${flagName}`, config[flagName]],
    ] as const;
    const [source, value] = sources.find(([, each]) => each !== undefined) ?? [];
    try {
      settings[name] = value === undefined ? fallback : read(String(value));
    } catch (error) {
      problems.push(wrongValue(source, value, error));
    }
  }
  if (problems.length > 0) {
    throw new SettingsError(...problems);
  }
  return Object.freeze(settings as unknown as Settings);
}

/**
 * Settings as a program gives them, by their names in camel case; one that is undefined is left out. Throws SettingsError
 * naming every one that there is not, or that has a wrong value.
 */
export function takeSettings(given: unknown): Partial<Settings> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new SettingsError(`settings are an object such as { port: 4100 }, not ${JSON.stringify(given)}`);
  }
  const names = FLAGS.map(({ name }) => name);
  const settings: Partial<Record<keyof Settings, unknown>> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    const row = FLAGS.find((each) => each.name === name);
    if (!row) {
      const near = didYouMean(name, names);
      problems.push(`there is no setting ${name}${near === '' ? `; there are ${names.join(', ')}` : near}`);
    } else if (value !== undefined) {
      try {
        settings[row.name] = row.take(value);
      } catch (error) {
        problems.push(wrongGiven(name, value, error));
      }
    }
  }
  if (problems.length > 0) {
    throw new SettingsError(...problems);
  }
  return settings as Partial<Settings>;
}

function readConfig(file: string): Record<string, unknown> {
  let config: unknown;
  try {
    config = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(`--config ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new SettingsError(`--config ${file} must hold a JSON object`);
  }
  return config as Record<string, unknown>;
}

/** What a config file has that no flag has, in words. */
function unknownIn(config: Readonly<Record<string, unknown>>): string[] {
  const known = FLAGS.map((row) => row.flag);
  const unknown = Object.keys(config).filter((key) => key !== '$schema' && !known.includes(key));
  return unknown.map((key) => `has ${key}, which is no flag${didYouMean(key, known)}; there are ${known.join(', ')}`);
}
