import type { Settings } from '../../server/index.ts';
import { startWith } from '../../start-with.ts';
import { CallKinds } from '../call-kinds.ts';
import { playRecording } from '../player/play.ts';
import { RecordedReceiver } from '../player/recorded-receiver.ts';
import type { Recording } from '../recording.ts';
import { Comparison, type ComparisonResult } from './comparison.ts';
import { fixturesFor } from './fixtures-for.ts';
import type { NoiseFilter } from './noise-filter.ts';

/** Settings of the sandbox that a recording is compared with. */
export interface ComparisonOptions {
  /** Folder of fixtures. */
  fixtures?: string | undefined;
  scenario?: string | undefined;
  behaviour?: string | undefined;
  validation?: Settings['validation'] | undefined;
  contentType?: Settings['contentType'];
}

/** Plays a recording in a new sandbox, and compares the two. Throws FixtureError, SettingsError, and the errors of `playRecording`. */
export async function compareWithSandbox(
  noise: NoiseFilter,
  recording: Recording,
  { fixtures, scenario, behaviour, validation, contentType }: ComparisonOptions,
  signal: AbortSignal | undefined,
): Promise<ComparisonResult> {
  const options = { fixtures, scenario, behaviour, validation, contentType };
  const setOptions = Object.entries(options).filter(([, value]) => value !== undefined);
  const receiver = new RecordedReceiver(recording.notifications);
  const settings = { merchants: 'open', ...Object.fromEntries(setOptions) } as const;
  const sandbox = await startWith({ additions: { operations: [], wrapSender: () => receiver } }, settings);
  try {
    const { from = 0, to = 0 } = recording.span ?? {};
    // The sandbox is observed for longer, so that an event that is late within the tolerance is not missing.
    const extraMs = Math.ceil(noise.toleranceMs(to - from));
    const playedRecording = await playRecording(recording, sandbox.client, { extraMs, signal });
    const kinds = new CallKinds(sandbox.fixtures);
    const comparison = new Comparison(noise, { recorded: to, sandbox: to + extraMs });
    for (const { recorded, played } of playedRecording.calls) {
      comparison.compareCall({ recorded, played, ...kinds.classify(recorded.exchange) });
    }
    for (const { exchange, ...location } of recording.notifications) {
      comparison.addNotification('recorded', exchange, location);
    }
    for (const notification of playedRecording.notifications) {
      comparison.addNotification('sandbox', notification);
    }
    const { differences, ...compared } = comparison.finish();
    return { ...compared, differences: differences.map((each) => ({ ...each, fixtures: fixturesFor(each) })) };
  } finally {
    await sandbox.close();
  }
}
