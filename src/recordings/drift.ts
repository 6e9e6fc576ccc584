import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fixturesFor } from '../app/read-fixtures.ts';
import { VERSION } from '../base/package.ts';
import type { ComparedRecording, Difference, DriftReport } from '../base/schema/recordings.ts';
import { formatUtc } from '../base/time.ts';
import { resolveSettings } from '../config/resolve-settings.ts';
import { compareWithRecording } from './drift/against-recording.ts';
import { compareWithSandbox, type SandboxOptions } from './drift/against-sandbox.ts';
import type { Compared } from './drift/comparison.ts';
import { NoiseFilter, readNoiseRules } from './drift/noise-rules.ts';
import { Observations } from './patch/observations.ts';
import { AS_RECORDED } from './patch/parts.ts';
import { applyProposal, propose } from './patch/propose.ts';
import { Recording } from './recording.ts';

/** Of a sandbox that nobody gives another one. */
const USUAL = resolveSettings({});

/** What a recording is compared with: a sandbox of its own, or another recording. */
export interface DriftOptions extends SandboxOptions {
  folder: string;
  /** Folder of the other recording. */
  other?: string | undefined;
  noiseFile?: string | undefined;
  /** Whether the proposed fixtures are written into the folder of fixtures. */
  apply?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Compares a recording. Throws RecordingError, PlayError, FixtureError, and the signal's reason. */
export async function drift(options: DriftOptions): Promise<DriftReport> {
  const filter = new NoiseFilter(await readNoiseRules(options.folder, options.noiseFile));
  const recording = await Recording.open(options.folder);
  const about = {
    version: VERSION,
    recording: aboutRecording(recording, options.folder),
    notices: noticesOf(recording),
  };
  if (options.other !== undefined) {
    const other = await Recording.open(options.other);
    const fixtures = await fixturesFor({ fixtures: options.fixtures, walletNames: {} });
    const compared = await compareWithRecording(filter, recording, other, { fixtures, signal: options.signal });
    const notices = [...about.notices, ...noticesOf(other)];
    return reportOf(compared, { ...about, against: aboutRecording(other, options.other), notices, proposal: null });
  }
  return driftOfSandbox(filter, recording, options, about);
}

async function driftOfSandbox(
  filter: NoiseFilter,
  recording: Recording,
  options: DriftOptions,
  about: Pick<DriftReport, 'version' | 'recording' | 'notices'>,
): Promise<DriftReport> {
  const isNew = options.apply && options.fixtures !== undefined && !existsSync(options.fixtures);
  const { fixtures, ...given } = isNew ? { ...options, fixtures: undefined } : options;
  const { settings, notices } = settingsOf({ ...given, fixtures });
  const known = await fixturesFor({ fixtures, walletNames: {} });
  const observed = new Observations(known);
  const { signal } = options;
  const compared = await compareWithSandbox(
    filter,
    recording,
    { fixtures, ...settings },
    { signal, observer: observed },
  );
  const { scenario = USUAL.scenario, behaviour = USUAL.behaviour } = settings;
  const evidence = { observed, differences: compared.differences, fixtures: known, scenario, behaviour };
  const { differences, proposal } = await propose(evidence, fixtures, async (folder) => {
    const adopted = { fixtures: folder, ...triedSettings(folder, settings) };
    const tried = await compareWithSandbox(filter.again(), recording, adopted, { signal });
    return tried.differences;
  });
  if (proposal && proposal.files.length > 0 && options.apply && options.fixtures !== undefined) {
    applyProposal(proposal, options.fixtures);
    proposal.writtenTo = options.fixtures;
  }
  const isUnwritten = options.apply && !proposal?.writtenTo && differences.length > 0;
  const unwritten = isUnwritten ? [`Nothing was written to ${options.fixtures}: no fixture adopts a difference.`] : [];
  const against = { kind: 'sandbox', fixtures: fixtures ?? null, scenario, behaviour } as const;
  return reportOf(
    { ...compared, differences },
    {
      ...about,
      against,
      notices: [...notices, ...unwritten, ...waitingNotice(differences, scenario), ...about.notices],
      proposal,
    },
  );
}

/** As the next comparison is made with what is proposed, if nobody names another scenario or behaviour. */
function triedSettings(folder: string, settings: { scenario?: string; behaviour?: string }) {
  return { ...settings, ...settingsOf({ folder: '', fixtures: folder }).settings };
}

function aboutRecording({ heads, span }: Recording, folder: string): ComparedRecording {
  const upstreams = [...new Set(heads.map(({ upstream }) => upstream))];
  return {
    kind: 'recording',
    folder,
    upstreams,
    from: span ? formatUtc(span.from) : null,
    to: span ? formatUtc(span.to) : null,
  };
}

function noticesOf({ incomplete }: Recording): string[] {
  return incomplete.map((file) => `A line at the end of ${file} was incomplete and left out.`);
}

/** Why payments that settle in the recording do not in the sandbox, where nothing else can be done about it. */
function waitingNotice(differences: readonly Difference[], scenario: string): string[] {
  const isLonger = ({ recorded, sandbox }: Difference) =>
    statesIn(recorded) > statesIn(sandbox) || statesIn(sandbox) === 1;
  const isWaiting = differences.some((each) => each.kind === 'sequence' && each.fixture === null && isLonger(each));
  return isWaiting && [USUAL.scenario, AS_RECORDED].includes(scenario)
    ? [
        `In the scenario ${scenario} payments wait for their payer, whom a comparison does not have; with --scenario auto-approve they settle.`,
      ]
    : [];
}

function statesIn({ values: [states] }: Difference['recorded']): number {
  return Array.isArray(states) ? states.length : 0;
}

function reportOf(
  { compared, differences, ...rest }: Compared,
  about: Pick<DriftReport, 'version' | 'recording' | 'against' | 'notices' | 'proposal'>,
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
