import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMembers } from '../../base/members.ts';
import { VERSION } from '../../base/package.ts';
import type { ComparedRecording, Difference, DriftReport } from '../../base/schema/recordings.ts';
import { parseInstant } from '../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { resolveSettings } from '../../config/resolve-settings.ts';
import type { Sender } from '../../domain/webhooks/send.ts';
import type { Observations } from '../patch/observations.ts';
import { AS_RECORDED } from '../patch/parts.ts';
import type { Proposal } from '../patch/propose.ts';
import { Recording } from '../recording.ts';
import { type Compared, Comparison } from './comparison.ts';
import { NoiseFilter, readNoiseRules } from './noise-rules.ts';

/** Of a sandbox that nobody gives another one. */
const USUAL = resolveSettings({});

const NOT_SENT = { status: 200, ms: 0, error: null, response: null } as const;

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
    const compared = await compareRecordings(filter, recording, other, options);
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
  const { fixturesFor } = await import('../../app/read-fixtures.ts');
  const { Observations } = await import('../patch/observations.ts');
  const { applyProposal, propose } = await import('../patch/propose.ts');
  const isNew = options.apply && options.fixtures !== undefined && !existsSync(options.fixtures);
  const { fixtures, ...given } = isNew ? { ...options, fixtures: undefined } : options;
  const { settings, notices } = settingsOf({ ...given, fixtures });
  const known = await fixturesFor({ fixtures, walletNames: {} });
  const observed = new Observations(known);
  const compared = await compareSandbox(filter, recording, { ...given, fixtures, ...settings, observed });
  const { scenario = null, behaviour = null } = settings;
  const evidence = {
    observed,
    differences: compared.differences,
    fixtures: known,
    scenario: scenario ?? USUAL.scenario,
    behaviour: behaviour ?? USUAL.behaviour,
  };
  const { differences, proposal }: Proposal = await propose(evidence, fixtures, async (folder) => {
    const tried = await compareSandbox(filter.again(), recording, {
      ...given,
      fixtures: folder,
      ...triedSettings(folder, settings),
    });
    return tried.differences;
  });
  if (proposal && proposal.files.length > 0 && options.apply && options.fixtures !== undefined) {
    applyProposal(proposal, options.fixtures);
    proposal.writtenTo = options.fixtures;
  }
  const waiting = waitingNotice(differences, evidence.scenario);
  const against = { kind: 'sandbox', fixtures: fixtures ?? null, scenario, behaviour } as const;
  return reportOf(
    { ...compared, differences },
    { ...about, against, notices: [...notices, ...waiting, ...about.notices], proposal },
  );
}

/** As the next comparison is made with what is proposed, if nobody names another scenario or behaviour. */
function triedSettings(folder: string, settings: { scenario?: string; behaviour?: string }) {
  return { ...settings, ...settingsOf({ folder: '', fixtures: folder }).settings };
}

function aboutRecording({ heads, span }: Recording, folder: string): ComparedRecording {
  const upstreams = [...new Set(heads.map(({ upstream }) => upstream))];
  return { kind: 'recording', folder, upstreams, from: span?.from ?? null, to: span?.to ?? null };
}

function noticesOf({ incomplete }: Recording): string[] {
  return incomplete.map((file) => `A line at the end of ${file} was incomplete and left out.`);
}

/** Why payments that settle in the recording do not in the sandbox, where nothing else can be done about it. */
function waitingNotice(differences: readonly Difference[], scenario: string): string[] {
  const isLonger = ({ recorded, sandbox }: Difference) => statesIn(recorded) > statesIn(sandbox);
  const isWaiting = differences.some((each) => each.kind === 'sequence' && each.fixture === null && isLonger(each));
  return isWaiting && scenario === USUAL.scenario
    ? [
        `In the scenario ${USUAL.scenario} payments wait for their payer, whom a comparison does not have; with --scenario auto-approve they settle.`,
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

async function compareSandbox(
  filter: NoiseFilter,
  recording: Recording,
  { fixtures, scenario, behaviour, signal, observed }: DriftOptions & { observed?: Observations },
): Promise<Compared> {
  const { startWith } = await import('../../app/start-with.ts');
  const { playInSandbox } = await import('../player/sandbox-play.ts');
  const given = Object.entries({ fixtures, scenario, behaviour }).filter(([, value]) => value !== undefined);
  let receiver: string | undefined;
  // Merchants in the fixtures may have addresses for notifications, where a shop listens that knows nothing of this.
  const wayFor = (sender: Sender): Pick<Sender, 'send'> => ({
    send: async (delivery, context) =>
      delivery.url === receiver ? sender.send(delivery, context) : { ...NOT_SENT, headers: {} },
  });
  const settings = { merchants: 'open', ...Object.fromEntries(given) } as const;
  const sandbox = await startWith({ additions: { operations: [], wayFor } }, settings);
  const comparison = new Comparison(filter, wordsIn(sandbox.fixtures.paymentStates));
  try {
    const play = await playInSandbox(recording, sandbox, signal);
    receiver = play.receiverUrl;
    try {
      for await (const { recorded, replayed, ...kind } of play.calls()) {
        comparison.call({ recorded, replayed, ...kind });
        observed?.call({ recorded, replayed, ...kind });
      }
      // What comes a little later than it was recorded is to be seen, too.
      const { from, to } = endsOf(recording);
      const longer = Math.ceil(filter.tolerance('delay', to - from));
      await sandbox.client.advance(`PT${longer / 1000}S`);
      await takeNotifications(comparison, recording, observed);
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
  const { CallKinds } = await import('../call-kinds.ts');
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

async function takeNotifications(comparison: Comparison, recording: Recording, observed?: Observations): Promise<void> {
  for await (const { exchange, ...place } of recording.exchanges()) {
    if (exchange.kind === 'notification') {
      comparison.notification('recorded', exchange, place);
      observed?.notification(exchange, place);
    }
  }
}

function endsOf({ span }: Recording) {
  return { from: span ? parseInstant(span.from) : 0, to: span ? parseInstant(span.to) : 0 };
}
