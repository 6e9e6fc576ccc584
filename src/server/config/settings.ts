import { CATCH_URL } from '../../base/catch.ts';
import {
  baseAddress,
  certificateHosts,
  commandOnly,
  duration,
  findingIds,
  headerValue,
  hostNames,
  instant,
  nodeAddress,
  oneOf,
  sessionNames,
  text,
  type ValueKind,
  walletNames,
  webhookAddress,
  wholeNumber,
  yesOrNo,
} from '../../base/flag-values.ts';
import { kebab } from '../../base/variables.ts';

/** All settings of a sandbox. Frozen once they are resolved. */
export interface Settings {
  port: number;
  host: string;
  /** The port for HTTPS; undefined for none. */
  httpsPort: number | undefined;
  /** PEM file of the user's own certificate, instead of one that the machine's CA signs. Requires `tlsKey`. */
  tlsCert: string | undefined;
  tlsKey: string | undefined;
  /** Folder of this machine's CA; undefined for the user's data folder. */
  tlsFolder: string | undefined;
  /** Additional host names and addresses in the HTTPS certificate. */
  tlsHost: readonly string[];
  data: string;
  /** Sessions that are dropped at the start if they cannot be read; their data is moved to files. */
  withoutSession: readonly string[];
  fixtures: string | undefined;
  /** Additional wallet names by channel, such as the provider's real ones. */
  walletNames: Readonly<Record<string, readonly string[]>> | undefined;
  scenario: string;
  /** Name of the provider's behaviour in new sessions. */
  behaviour: string;
  seed: string;
  /** Whether ids of payments repeat in each session and after each reset. */
  ids: 'repeat' | 'differ';
  /** The instant at which the clocks of new sessions are frozen; undefined for the real clock. */
  now: number | undefined;
  validation: 'strict' | 'lenient';
  /** The media type of the merchant API's answers; undefined for the default of `validation`. */
  contentType: 'interface' | 'negotiated' | undefined;
  merchants: 'open' | 'closed';
  publicUrl: string | undefined;
  maxSessions: number;
  /** Milliseconds without a call after which a session other than `default` is deleted; undefined for never. */
  sessionTtl: number | undefined;
  /** The address at which the other nodes of the database reach this one. */
  nodeUrl: string | undefined;
  /** Milliseconds without a renewal after which other nodes take over a node's sessions. */
  nodeLease: number;
  /** Milliseconds without a call after which a session in a database is removed from memory. */
  sessionIdle: number;
  /** Mebibytes for the request logs of all sessions together. */
  requestLogSize: number;
  /** Mebibytes for the histories of all sessions together; 0 for no histories. */
  historySize: number;
  controlToken: string | undefined;
  webhookUrl: string | undefined;
  /** Private hosts that may be notified although the sandbox listens beyond loopback. */
  allowWebhookHost: readonly string[];
  /** Ids of findings about the integration that are not reported. */
  ignoreFindings: readonly string[];
  checkAnswers: boolean;
  syncToDisk: boolean;
  logLevel: LogLevel;
  logFormat: 'text' | 'json';
  quiet: boolean;
  /** Command only: standard output contains only the address. */
  printUrl: boolean;
  /** Command only: it stops when its parent process has ended. */
  exitWithParent: boolean;
  /** Command only: the adapter of a shop that the console can examine. */
  examine: string | undefined;
  /** Command only: the command that starts that shop; undefined if it already runs. */
  examineCommand: string | undefined;
}

type TimeSetting = 'now' | 'sessionTtl' | 'nodeLease' | 'sessionIdle';

/** Settings that a program passes. Instants and durations are milliseconds, or texts as on the command line. */
export type GivenSettings = { [Name in keyof Settings]?: Settings[Name] | (Name extends TimeSetting ? string : never) };

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface Row<Name extends keyof Settings> extends ValueKind<Settings[Name]> {
  name: Name;
  /** Placeholder of the value in the help. A flag without one is a switch. */
  value?: string;
  fallback?: Settings[Name];
  /** The fallback as it is written, if that differs. */
  fallbackText?: string;
  help: string;
}

export interface SettingFlag extends Row<keyof Settings> {
  /** The flag without its dashes: public-url for publicUrl. */
  flag: string;
}

function flag<Name extends keyof Settings>(row: Row<Name>): SettingFlag {
  return { ...row, flag: kebab(row.name) };
}

/** THE FLAG TABLE. The command line, its help, the SANDBOX_… variables and the table of docs/settings.md are made from it. */
export const FLAGS: readonly SettingFlag[] = [
  flag({
    name: 'port',
    value: 'number',
    fallback: 4100,
    help: 'port to listen on; 0 for any free port',
    ...wholeNumber(0, 65_535),
  }),
  flag({
    name: 'host',
    value: 'address',
    fallback: '127.0.0.1',
    help: 'address to listen on',
    ...text,
  }),
  flag({
    name: 'data',
    value: 'file',
    fallback: './sandbox-data/state.json',
    help: 'the state file; :memory: to store nothing; postgres://… for a database that several sandboxes share',
    ...text,
  }),
  flag({
    name: 'withoutSession',
    value: 'names',
    fallback: [],
    help: 'unreadable sessions to omit, separated by commas; their data is moved to files next to the data',
    ...sessionNames,
  }),
  flag({
    name: 'fixtures',
    value: 'folder',
    help: 'folder of your own fixtures, merged over the shipped ones',
    ...text,
  }),
  flag({
    name: 'walletNames',
    value: 'channel=name,…',
    help: 'additional values of walletName, by channel id: qr-wallet=NameA,mobile-money=NameB',
    ...walletNames,
  }),
  flag({
    name: 'scenario',
    value: 'name',
    fallback: 'payer-decides',
    help: 'scenario of new sessions',
    ...text,
  }),
  flag({
    name: 'behaviour',
    value: 'name',
    fallback: 'standard',
    help: 'behaviour of the provider in new sessions',
    ...text,
  }),
  flag({
    name: 'seed',
    value: 'text',
    fallback: 'sandbox',
    help: 'seed of ids and random values in new sessions',
    ...text,
  }),
  flag({
    name: 'ids',
    value: 'repeat|differ',
    fallback: 'repeat',
    help: 'whether payments get the same ids in each new session and after each reset, or different ones',
    ...oneOf('repeat', 'differ'),
  }),
  flag({
    name: 'now',
    value: 'timestamp',
    help: 'freeze the clock of new sessions at this RFC 3339 instant (UTC if it has no offset)',
    ...instant,
  }),
  flag({
    name: 'validation',
    value: 'strict|lenient',
    fallback: 'strict',
    help: 'whether to accept only what the interface documents, or also what the real service is known to accept',
    ...oneOf('strict', 'lenient'),
  }),
  flag({
    name: 'contentType',
    value: 'interface|negotiated',
    help: 'whether answers are always text/plain, as in the interface, or application/json if Accept prefers that (default interface, or negotiated with lenient validation)',
    ...oneOf('interface', 'negotiated'),
  }),
  flag({
    name: 'merchants',
    value: 'open|closed',
    fallback: 'open',
    help: 'whether an unknown merchantId is registered with the first credentials it sends',
    ...oneOf('open', 'closed'),
  }),
  flag({
    name: 'publicUrl',
    value: 'address',
    help: 'base address in responses, if it is not http://host:port',
    ...baseAddress('http://192.0.2.1:4100'),
  }),
  flag({
    name: 'httpsPort',
    value: 'number',
    help: 'port for HTTPS, in addition to HTTP; 0 for any free port',
    ...wholeNumber(0, 65_535),
  }),
  flag({
    name: 'tlsCert',
    value: 'file',
    help: "certificate for HTTPS (PEM), instead of one from the machine's CA; needs --tls-key",
    ...text,
  }),
  flag({
    name: 'tlsKey',
    value: 'file',
    help: 'private key of that certificate (PEM, not encrypted)',
    ...text,
  }),
  flag({
    name: 'tlsFolder',
    value: 'folder',
    help: "folder of the machine's CA (default: the user's data folder)",
    ...text,
  }),
  flag({
    name: 'tlsHost',
    value: 'hosts',
    fallback: [],
    help: 'additional host names and addresses of the HTTPS certificate, separated by commas',
    ...certificateHosts,
  }),
  flag({
    name: 'maxSessions',
    value: 'number',
    fallback: 10_000,
    help: 'maximum number of sessions',
    ...wholeNumber(1, 1_000_000),
  }),
  flag({
    name: 'sessionTtl',
    value: 'duration',
    help: 'delete a session after this long without requests, such as P7D; the default session is kept',
    ...duration,
  }),
  flag({
    name: 'nodeUrl',
    value: 'address',
    help: 'with a database: address at which other sandboxes reach this one, by plain HTTP (default: that of --host, or its host name)',
    ...nodeAddress,
  }),
  flag({
    name: 'nodeLease',
    value: 'duration',
    fallback: 5000,
    fallbackText: 'PT5S',
    help: 'with a database: how long until another sandbox takes over the sessions of one that died',
    ...duration,
  }),
  flag({
    name: 'sessionIdle',
    value: 'duration',
    fallback: 600_000,
    fallbackText: 'PT10M',
    help: 'with a database: unload a session from memory after this long without requests',
    ...duration,
  }),
  flag({
    name: 'requestLogSize',
    value: 'MB',
    fallback: 64,
    help: 'memory for the request logs of all sessions; if it is full, the longest idle session loses its oldest requests',
    ...wholeNumber(1, 65_536),
  }),
  flag({
    name: 'historySize',
    value: 'MB',
    fallback: 32,
    help: 'memory for the histories of all sessions, for forks and bundles; the oldest steps are dropped first; 0 for no histories',
    ...wholeNumber(0, 65_536),
  }),
  flag({
    name: 'controlToken',
    value: 'text',
    help: 'token that the control API requires when --host is not loopback (default: a random one, which is printed)',
    ...headerValue,
  }),
  flag({
    name: 'webhookUrl',
    value: 'address',
    help: `webhook endpoint of every session; ${CATCH_URL} catches notifications in the sandbox itself`,
    ...webhookAddress,
  }),
  flag({
    name: 'allowWebhookHost',
    value: 'hosts',
    fallback: [],
    help: 'private hosts that may receive notifications when --host is not loopback, separated by commas',
    ...hostNames,
  }),
  flag({
    name: 'ignoreFindings',
    value: 'ids',
    fallback: [],
    help: 'findings about the integration to omit, separated by commas, such as SBX-W07,SBX-W11',
    ...findingIds,
  }),
  flag({
    name: 'checkAnswers',
    fallback: false,
    help: 'check every response against its schema before it is sent',
    ...yesOrNo,
  }),
  flag({
    name: 'syncToDisk',
    fallback: false,
    help: 'flush every write to the disk, to survive a power cut',
    ...yesOrNo,
  }),
  flag({
    name: 'logLevel',
    value: LOG_LEVELS.join('|'),
    fallback: 'info',
    help: 'lowest level to log',
    ...oneOf(...LOG_LEVELS),
  }),
  flag({
    name: 'logFormat',
    value: 'text|json',
    fallback: 'text',
    help: 'format of the log: text for people, JSON for programs',
    ...oneOf('text', 'json'),
  }),
  flag({
    name: 'quiet',
    fallback: false,
    help: "print no banner; log only the sandbox's warnings and errors",
    ...yesOrNo,
  }),
  flag({
    name: 'printUrl',
    fallback: false,
    help: 'print only the address on standard output when ready; the banner and the log go to standard error',
    ...commandOnly(yesOrNo),
  }),
  flag({
    name: 'exitWithParent',
    fallback: false,
    help: 'stop when the parent process has ended',
    ...commandOnly(yesOrNo),
  }),
  flag({
    name: 'examine',
    value: 'adapter',
    help: 'adapter of a shop that the console can examine, such as ./examine.mjs (see examine --init)',
    ...commandOnly(text),
  }),
  flag({
    name: 'examineCommand',
    value: 'command',
    help: 'command that starts that shop for each examination, such as "npm start"; needs --examine',
    ...commandOnly(text),
  }),
];
