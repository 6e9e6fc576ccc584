import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMembers } from '../../base/members.ts';
import { VERSION } from '../../base/package.ts';
import type { ComparedRecording, DriftReport } from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { Recording } from '../recording.ts';
import { type Compared, Comparison } from './comparison.ts';
import { NoiseFilter, readNoiseRules } from './noise-rules.ts';

/** A fixture of this name says what a recording showed; a sandbox that is compared uses it without being asked. */
const AS_RECORDED = 'as-recorded';

/** What a recording is compared with: a sandbox of its own, or another recording. */
export interface DriftOptions {
  folder: string;
  /** Folder of the other recording. */
  other?: string | undefined;
  /** Folder of fixtures. */
  fixtures?: string | undefined;
  scenario?: string | undefined;
  behaviour?: string | undefined;
  noiseFile?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Compares a recording. Throws RecordingError, PlayError, FixtureError, and the signal's reason. */
export async function drift(options: DriftOptions): Promise<DriftReport> {
  const filter = new NoiseFilter(await readNoiseRules(options.folder, options.noiseFile));
  const recording = await Recording.open(options.folder);
  const about = { version: VERSION, recording: aboutRecording(recording, options.folder) };
  if (options.other !== undefined) {
    const other = await Recording.open(options.other);
    const compared = await compareRecordings(filter, recording, other, options);
    return reportOf(compared, { ...about, against: aboutRecording(other, options.other), notices: [] });
  }
  const { settings, notices } = settingsOf(options);
  const compared = await compareSandbox(filter, recording, { ...options, ...settings });
  const { fixtures = null } = options;
  const { scenario = null, behaviour = null } = settings;
  return reportOf(compared, { ...about, against: { kind: 'sandbox', fixtures, scenario, behaviour }, notices });
}

function aboutRecording({ heads, span }: Recording, folder: string): ComparedRecording {
  const upstreams = [...new Set(heads.map(({ upstream }) => upstream))];
  return { kind: 'recording', folder, upstreams, from: span?.from ?? null, to: span?.to ?? null };
}

function reportOf(
  { compared, differences, ...rest }: Compared,
  about: Pick<DriftReport, 'version' | 'recording' | 'against' | 'notices'>,
): DriftReport {
  const isCompared = compared.exchanges + compared.notifications > 0;
  const verdict = differences.length > 0 ? 'different' : isCompared ? 'same' : 'nothing-compared';
  return { verdict, ...about, compared, differences, ...rest };
}

/** The scenario and behaviour of the sandbox. */
function settingsOf({ fixtures, ...given }: DriftOptions) {
  const settings: { scenario?: string; behaviour?: string } = {};
  const notices: string[] = [];
  for (const kind of ['scenario', 'behaviour'] as const) {
    const named = given[kind];
    const file = fixtures === undefined ? undefined : join(fixtures, `${kind}s`, `${AS_RECORDED}.json`);
    if (named !== undefined) {
      settings[kind] = named;
    } else if (file !== undefined && existsSync(file)) {
      settings[kind] = AS_RECORDED;
      notices.push(`The sandbox used the ${kind} ${AS_RECORDED} from ${file}; name another one with --${kind}.`);
    }
  }
  return { settings, notices };
}

async function compareSandbox(
  filter: NoiseFilter,
  recording: Recording,
  { fixtures, scenario, behaviour, signal }: DriftOptions,
): Promise<Compared> {
  const { fixturesFor } = await import('../../app/read-fixtures.ts');
  const { startSandbox } = await import('../../app/sandbox.ts');
  const { playInSandbox } = await import('../player/sandbox-play.ts');
  const given = Object.entries({ fixtures, scenario, behaviour }).filter(([, value]) => value !== undefined);
  const { paymentStates } = await fixturesFor({ fixtures, walletNames: {} });
  const comparison = new Comparison(filter, wordsIn(paymentStates));
  const sandbox = await startSandbox({ merchants: 'open', ...Object.fromEntries(given) });
  try {
    const play = await playInSandbox(recording, sandbox.client, signal);
    try {
      for await (const { recorded, replayed, ...kind } of play.calls()) {
        comparison.call({ recorded, replayed, ...kind });
      }
      // What comes a little later than it was recorded is to be seen, too.
      const { from, to } = endsOf(recording);
      const longer = Math.ceil(filter.tolerance('delay', to - from));
      await sandbox.client.advance(`PT${longer / 1000}S`);
      await takeNotifications(comparison, recording);
      for await (const notification of play.notifications()) {
        comparison.notification('sandbox', notification);
      }
      return comparison.end({ recorded: to, sandbox: to + longer });
    } finally {
      await play.close();
    }
  } finally {
    await sandbox.close();
  }
}

async function compareRecordings(
  filter: NoiseFilter,
  recording: Recording,
  other: Recording,
  { fixtures, signal }: DriftOptions,
): Promise<Compared> {
  const { fixturesFor } = await import('../../app/read-fixtures.ts');
  const { CallKinds } = await import('./call-kind.ts');
  const { pairCalls } = await import('./pair-calls.ts');
  const comparison = new Comparison(filter);
  const kinds = new CallKinds(await fixturesFor({ fixtures, walletNames: {} }));
  for await (const { recorded, other: replayed } of pairCalls(recording, other)) {
    signal?.throwIfAborted();
    if (recorded && replayed) {
      comparison.call({ recorded, replayed, ...kinds.of(recorded.exchange) });
    } else if (recorded) {
      const { exchange, ...place } = recorded;
      comparison.skip('calls that the other recording does not have', { ...place, at: exchange.at });
    } else {
      comparison.skip('calls that only the other recording has', null);
    }
  }
  await takeNotifications(comparison, recording);
  for await (const { exchange } of other.exchanges()) {
    if (exchange.kind === 'notification') {
      comparison.notification('sandbox', exchange);
    }
  }
  return comparison.end({ recorded: endsOf(recording).to, sandbox: endsOf(other).to });
}

function wordsIn(states: Fixtures['paymentStates']): string[] {
  return Object.values(states).flatMap((state) => (isMembers(state) ? String(state['word']) : []));
}

async function takeNotifications(comparison: Comparison, recording: Recording): Promise<void> {
  for await (const { exchange, ...place } of recording.exchanges()) {
    if (exchange.kind === 'notification') {
      comparison.notification('recorded', exchange, place);
    }
  }
}

function endsOf({ span }: Recording) {
  return { from: span ? parseInstant(span.from) : 0, to: span ? parseInstant(span.to) : 0 };
}
