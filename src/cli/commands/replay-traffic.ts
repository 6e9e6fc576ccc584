import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { isMembers } from '../../base/members.ts';
import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';
import { hostOf, parseUrl } from '../../base/text/url.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import { isLoopback } from '../../http/addresses.ts';
import type { GivenValues } from '../../recordings/player/given-values.ts';
import type { PlayedCall } from '../../recordings/player/play.ts';
import type { CountedStatuses, OtherStatus } from '../../recordings/player/status-counts.ts';
import { type Command, type Options, type Shown, UsageError } from './command.ts';
import { askedToStop, textOf } from './examination.ts';
import { tableOf } from './show.ts';

export const REPLAY_TRAFFIC_COMMAND: Command = {
  name: 'replay-traffic',
  parameters: ['<folder>'],
  options: [
    {
      flags: '--target <url>',
      help: 'where to send the calls: a sandbox, one of its sessions, or another environment',
    },
    { flags: '--speed <factor>', help: 'how many times as fast as recorded; 0 waits for answers only (default: 1)' },
    { flags: '--values <file>', help: 'JSON file with values for masked members, by name' },
    { flags: '-o, --out <folder>', help: 'record the answers in this folder' },
    { flags: '--yes', help: 'allow a target on another machine' },
  ],
  help: 'send the calls of a recording to a sandbox or another environment, and compare the statuses',
  details: () =>
    [
      'Ids and tokens in later calls are replaced by those that the target gave.',
      '',
      'Exit codes: 0 the same statuses, 1 a status differs, 2 nothing was sent, not all was, or the target is not reachable.',
    ].join('\n'),
  needsNoSandbox: true,
  endsUnknown: true,
  run: (_client, [folder = ''], options) => replayTraffic(folder, options),
};

async function replayTraffic(folder: string, options: Options): Promise<Shown> {
  const target = targetOf(textOf(options['target']), options['yes'] === true);
  const speed = speedOf(textOf(options['speed']));
  const values = valuesIn(textOf(options['values']));
  const { Recording } = await import('../../recordings/recording.ts');
  const { playCalls } = await import('../../recordings/player/play.ts');
  const { PacedTarget } = await import('../../recordings/player/paced-target.ts');
  const { maskedIn, withValues } = await import('../../recordings/player/given-values.ts');
  const { StatusCounts } = await import('../../recordings/player/status-counts.ts');
  const recording = await Recording.open(folder);
  const output = await outputTo(textOf(options['out']), folder, target);
  const stop = new AbortController();
  void askedToStop().then(() => stop.abort());
  const { signal } = stop;
  const tally = new StatusCounts();
  const masked = new Set<string>();
  const played = playCalls(recording, new PacedTarget(target, { speed, signal }), {
    prepare(call) {
      const sent = withValues(call, values);
      for (const name of maskedIn(sent)) {
        masked.add(name);
      }
      return sent;
    },
    signal,
  });
  try {
    for await (const each of played) {
      tally.add(each);
      await output?.write(each);
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  } finally {
    await output?.close();
  }
  return shownOf(tally.result, { target, masked: [...masked], isStopped: signal.aborted });
}

/** Real money may be moved by what is sent. */
function targetOf(given: string | undefined, isAllowed: boolean): string {
  if (given === undefined) {
    throw new UsageError('replay-traffic needs --target <url>, such as http://127.0.0.1:4100');
  }
  const url = parseUrl(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--target takes an http or https address, not ${JSON.stringify(given)}`);
  }
  if (url.search !== '' || url.username !== '' || url.password !== '') {
    throw new UsageError('--target must be a base address, without a query, a user or a password');
  }
  if (!isAllowed && !isLoopback(hostOf(url))) {
    throw new UsageError(
      `${url.host} is another machine, and the recorded calls would make payments and payouts there; if that is what you want, repeat with --yes`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

function speedOf(given = '1'): number {
  const speed = Number(given);
  if (given.trim() === '' || !(speed >= 0 && speed < Number.POSITIVE_INFINITY)) {
    throw new UsageError(`--speed takes a number such as 2, or 0, not ${JSON.stringify(given)}`);
  }
  return speed;
}

function valuesIn(file: string | undefined): GivenValues {
  if (file === undefined) {
    return {};
  }
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
  }
  const isValue = (value: unknown) => ['string', 'number'].includes(typeof value);
  if (!isMembers(values) || !Object.values(values).every(isValue)) {
    throw new UsageError(`${file} must be a JSON object of texts and numbers, such as {"merchantKey": "…"}`);
  }
  return values as GivenValues;
}

/** What keeps the answers, masked. */
async function outputTo(out: string | undefined, folder: string, upstream: string) {
  if (out === undefined) {
    return undefined;
  }
  if (resolve(out) === resolve(folder)) {
    throw new UsageError(`${out} is the recording itself: name another folder for --out`);
  }
  const { RecordingWriter } = await import('../../recordings/recording-writer.ts');
  const { Masks } = await import('../../recordings/masks.ts');
  const masks = new Masks();
  const startedAt = formatUtc(machineNow());
  const writer = await RecordingWriter.create(out, { upstream, startedAt, masked: [...masks.names] });
  return {
    write: ({ replayed }: PlayedCall) => writer.write(masks.inExchange(replayed)),
    close: () => writer.close(),
  };
}

function shownOf(
  comparison: CountedStatuses,
  { target, masked, isStopped }: { target: string; masked: string[]; isStopped: boolean },
): Shown {
  const { calls, different, failed, unsent, answers, first, firstUnsent } = comparison;
  const sent = `${plural(calls, 'call')} sent to ${target}${isStopped ? ', then stopped' : ''}`;
  const results = [`${plural(different, 'status', 'statuses')} different`, `${failed} without a whole answer`];
  const lines = [
    `${sent}: ${results.join(', ')}`,
    ...(calls === 0 ? [] : tableOf(answers, ['recorded', 'same', 'different']).text.split('\n')),
    ...first.map(lineOf),
    ...(different > first.length ? [`and ${different - first.length} more`] : []),
    ...firstUnsent.map((each) => `${placeOf(each)}: ${each.error}`),
    ...(unsent > firstUnsent.length ? [`and ${unsent - firstUnsent.length} more not sent`] : []),
    ...(masked.length === 0 ? [] : [`sent as they are masked: ${masked.join(', ')}; give their values with --values`]),
  ];
  return {
    data: { target, ...comparison, masked, isStopped },
    text: lines.map(printable).join('\n'),
    isFailure: different > 0,
    isUnknown: calls === 0 || isStopped || unsent > 0,
  };
}

function placeOf({ id, method, target, file, line }: OtherStatus): string {
  return `${id} ${method} ${target} (${file}:${line})`;
}

function lineOf(status: OtherStatus): string {
  const { recorded, now, error } = status;
  const was = recorded ?? 'no answer';
  return `${placeOf(status)}: ${was} recorded, ${now ?? `no answer: ${error}`} now`;
}
