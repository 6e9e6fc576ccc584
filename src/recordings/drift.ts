import { VERSION } from '../base/package.ts';
import type { ComparedRecording, Difference, DriftReport } from '../base/schema/generated/recordings.ts';
import { formatUtc } from '../base/time.ts';
import { resolveSettings } from '../server/index.ts';
import { type ComparisonOptions, compareWithSandbox } from './drift/compare-with-sandbox.ts';
import type { ComparisonResult } from './drift/comparison.ts';
import { NoiseFilter, readNoiseRules } from './drift/noise-filter.ts';
import { type Recording, readRecording } from './recording.ts';

const DEFAULTS = resolveSettings({});

export interface DriftOptions extends ComparisonOptions {
  folder: string;
  noiseFile?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Compares a recording with the sandbox. Throws RecordingError, and the errors of `compareWithSandbox`. */
export async function drift({
  folder,
  noiseFile,
  scenario = DEFAULTS.scenario,
  behaviour = DEFAULTS.behaviour,
  signal,
  ...others
}: DriftOptions): Promise<DriftReport> {
  const noise = new NoiseFilter(await readNoiseRules(folder, noiseFile));
  const recording = await readRecording(folder);
  const comparison = await compareWithSandbox(noise, recording, { ...others, scenario, behaviour }, signal);
  return reportOf(comparison, {
    recording: summaryOf(recording, folder),
    against: { fixtures: others.fixtures ?? null, scenario, behaviour },
    notices: [...waitingNotice(comparison.differences, scenario), ...noticesOf(recording)],
  });
}

function summaryOf({ heads, span }: Recording, folder: string): ComparedRecording {
  const upstreams = [...new Set(heads.map(({ upstream }) => upstream))];
  return {
    folder,
    upstreams,
    from: span ? formatUtc(span.from) : null,
    to: span ? formatUtc(span.to) : null,
  };
}

function noticesOf({ incomplete }: Recording): string[] {
  return incomplete.map((file) => `An incomplete line at the end of ${file} was ignored.`);
}

/** In the default scenario, a hint if a sequence differs and the sandbox's is shorter or has one state: a payment may be waiting for a payer. */
function waitingNotice(differences: readonly Difference[], scenario: string): string[] {
  const isWaiting = differences.some(
    ({ kind, recorded, sandbox }) =>
      kind === 'sequence' && (countStates(recorded) > countStates(sandbox) || countStates(sandbox) === 1),
  );
  return isWaiting && scenario === DEFAULTS.scenario
    ? [
        `In the scenario ${scenario}, payments wait for a payer, and a comparison has none; with --scenario auto-approve, they are decided.`,
      ]
    : [];
}

function countStates({ values: [states] }: Difference['recorded']): number {
  return Array.isArray(states) ? states.length : 0;
}

function reportOf(
  { compared: counts, differences, ...rest }: ComparisonResult,
  facts: Pick<DriftReport, 'recording' | 'against' | 'notices'>,
): DriftReport {
  const isCompared = counts.exchanges + counts.notifications > 0;
  const verdict = differences.length > 0 ? 'different' : isCompared ? 'same' : 'nothing-compared';
  return { verdict, version: VERSION, ...facts, compared: counts, differences, ...rest };
}
