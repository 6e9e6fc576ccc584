import { rmSync } from 'node:fs';
import { isLoopback, isWildcardAddress, LOOPBACK, machineAddresses } from '../../base/addresses.ts';
import { messageOf } from '../../base/errors.ts';
import { wholeNumber } from '../../base/flag-values.ts';
import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';
import { hostOf, parseUrl, portOf } from '../../base/text/url.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import { type Command, type Options, type ResultStream, UsageError } from '../../command/command.ts';
import { isRunByNpx, waitForEnd } from '../../command/shutdown.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { RecordingWriter } from '../recording-writer.ts';

/** Differs from the sandbox's port, so that both can run. */
const DEFAULT_PORT = '4180';
const NOTIFICATIONS_PATH = '/_recorder/notifications';
/** Milliseconds that active calls may take after writing has failed. */
const LAST_CALLS_AFTER_FAILURE_MS = 30_000;

export const RECORD_COMMAND: Command = {
  name: 'record',
  parameters: [],
  options: [
    { flags: '--upstream <url>', help: 'base address of the service to record, such as its test environment' },
    { flags: '--out <folder>', help: 'folder to write the recording to' },
    { flags: '--port <number>', help: `port to listen on; 0 for any free port (default: ${DEFAULT_PORT})` },
    { flags: '--host <address>', help: `address to listen on (default: ${LOOPBACK})` },
    { flags: '--webhook <url>', help: 'address of your receiver, to pass notifications on to (default: answer 200)' },
    { flags: '--mask <names>', help: 'further members to mask, separated by commas' },
  ],
  help: 'record the calls and notifications between your program and a service, with secrets masked',
  details: () => 'It runs until you stop it. `drift` compares the recording with a sandbox.',
  needsNoSandbox: true,
  run: async (_client, _parameters, options) => record(options),
};

async function* record(options: Options): ResultStream {
  const upstream = parseAddress(options, 'upstream');
  const { out: folder } = options;
  if (!upstream || typeof folder !== 'string') {
    throw new UsageError('record needs --upstream <url>, the service to record, and --out <folder>');
  }
  if (upstream.search !== '') {
    throw new UsageError('--upstream must be a base address, without a query');
  }
  const stopRequested = waitForEnd({ withParent: isRunByNpx(process.env) });
  const { recorder, writer, url } = await startRecorder(upstream, folder, options);
  const ready = { url, notificationUrl: `${url}${NOTIFICATIONS_PATH}`, file: writer.file, pid: process.pid };
  yield { data: { ...ready, msg: 'ready' }, text: introductionOf(ready, upstream) };
  const failure = await Promise.race([stopRequested, recorder.failure]);
  await (failure ? recorder.close(LAST_CALLS_AFTER_FAILURE_MS) : recorder.close());
  if (failure) {
    throw failure;
  }
  const { calls, notifications } = recorder.counts;
  const text = `${plural(calls, 'call')} and ${plural(notifications, 'notification')} recorded in ${writer.file}`;
  yield { data: { calls, notifications, file: writer.file }, text: printable(text) };
}

async function startRecorder(
  upstream: URL,
  folder: string,
  options: Options,
): Promise<{ recorder: Recorder; writer: RecordingWriter; url: string }> {
  const { Recorder } = await import('../recorder/recorder.ts');
  const { Masks } = await import('../masks.ts');
  const { RecordingError } = await import('../recording.ts');
  const { RecordingWriter } = await import('../recording-writer.ts');
  const { mask, host } = options;
  const names = typeof mask === 'string' ? mask.split(',').map((name) => name.trim()) : [];
  const masks = new Masks(names.filter((name) => name !== ''));
  const [webhook, port] = [parseAddress(options, 'webhook'), parsePort(String(options['port'] ?? DEFAULT_PORT))];
  for (const [name, url] of Object.entries({ upstream, webhook })) {
    // Otherwise the recorder would forward each request to itself without end.
    if (url && isOwnAddress(url, String(host ?? LOOPBACK), port)) {
      throw new UsageError(`--${name} is the address of the recorder itself: choose another --port`);
    }
  }
  const head = { upstream: upstream.href, startedAt: formatUtc(machineNow()), masked: [...masks.names] };
  const writer = await RecordingWriter.create(folder, head).catch((error: unknown) => {
    throw error instanceof RecordingError ? new UsageError(error.message) : error;
  });
  const recorder = new Recorder({ upstream, webhook, host: String(host ?? LOOPBACK), port, masks, writer });
  try {
    return { recorder, writer, url: await recorder.listen() };
  } catch (error) {
    await writer.close();
    rmSync(writer.file);
    throw new UsageError(`cannot listen on --host and --port: ${messageOf(error)}`);
  }
}

function isOwnAddress(url: URL, host: string, port: number): boolean {
  const name = hostOf(url);
  const isOwnHost = isWildcardAddress(host)
    ? isLoopback(name) || machineAddresses(host).some(({ address }) => address === name)
    : name === host || (name === 'localhost' && isLoopback(host));
  return isOwnHost && port === portOf(url);
}

function parseAddress(options: Options, name: string): URL | undefined {
  const { [name]: option } = options;
  if (typeof option !== 'string') {
    return undefined;
  }
  const url = parseUrl(option);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--${name} must be an http or https address`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`--${name} must have no user name and no password: the recorder adds nothing to requests`);
  }
  return url;
}

function parsePort(text: string): number {
  try {
    return wholeNumber(0, 65_535).fromText(text);
  } catch (error) {
    throw new UsageError(`--port ${messageOf(error)}, not ${JSON.stringify(text)}`);
  }
}

function introductionOf(
  { url, notificationUrl, file }: { url: string; notificationUrl: string; file: string },
  upstream: URL,
): string {
  const rows = [
    ['base address', url],
    ['notifications', notificationUrl],
    ['recording', file],
  ];
  return [
    printable(`Recording ${upstream.href}. Use these addresses in your program, and press Ctrl-C to stop:`),
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(14)} ${printable(value)}`),
    '',
  ].join('\n');
}
