import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { capFindings, describeFindings } from '../../base/refusal.ts';
import { mapInTurns } from '../../base/run-in-turns.ts';
import type { Instant } from '../../base/time.ts';
import type { FixtureFile } from '../config/fixture-files.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import { checkState } from '../domain/restored-state/check-state.ts';
import { pauseDeliveries } from '../domain/webhooks/queue.ts';
import { type Bundle, BundleError, parseBundle } from '../histories/bundle.ts';
import { toLoggedCall } from '../histories/logged-call.ts';
import { type CallFacts, type CommitEntry, momentAfter, type RecordedCommit } from '../sessions/history-entry.ts';
import type { LoggedRequest } from '../sessions/request-log.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { changesOf } from '../sessions/snapshot.ts';
import { MemoryReads } from '../store/memory/reads.ts';
import { Tables } from '../store/memory/tables.ts';
import type { SessionSnapshot } from '../store/store.ts';
import { endpointsIn } from './histories.ts';
import { loadFixturesFor } from './read-fixtures.ts';

/** A bundle that was read, with the settings and fixtures that its session had. */
export interface OpenedBundle {
  bundle: Bundle;
  settings: Partial<Settings>;
  fixtures: Fixtures;
}

/** Throws BundleError or FixtureError. */
export async function readOpenedBundle(text: string): Promise<OpenedBundle> {
  const bundle = await parseBundle(text);
  const { walletNames, ...others } = bundle.manifest.settings;
  const settings = { ...others, walletNames: walletNames ?? undefined };
  return { bundle, settings, fixtures: await loadBundledFixtures(bundle.fixtures, settings.walletNames) };
}

/**
 * Restores the session of a bundle as it was after its last step, with its calls and events. Its clock is frozen at that step, and nobody
 * is notified. Throws BundleError if the state is invalid.
 */
export async function restoreBundle({ bundle, fixtures }: OpenedBundle, sessions: Sessions): Promise<void> {
  const { manifest, start, startedAt, entries } = bundle;
  await assertValidState(start, fixtures, 'the state that it begins with');
  const replay = new ReplayedSession(start);
  const replayedEntries = await mapInTurns(entries, (entry) =>
    entry.kind === 'commit' ? replay.commit(entry) : entry,
  );
  const beginning = { state: start.state, at: startedAt, calls: manifest.lastCalls };
  const { state, at, calls: lastCalls } = momentAfter(beginning, entries);
  const frozen = { ...replay.snapshot, state: { ...state, clock: { mode: 'frozen' as const, now: at } } };
  await assertValidState(frozen, fixtures, 'the state that it ends with');
  const snapshot = pauseDeliveries(frozen, await endpointsIn(frozen, fixtures, undefined));
  const allEntries = [...replayedEntries, replay.commit(createPauseCommit(frozen, snapshot, at))];
  const history = { beginning, cutBecause: manifest.cutBecause, isForeign: true, entries: allEntries };
  const session = await sessions.createWithState(manifest.session, snapshot, lastCalls, history);
  session.events.clear();
  session.events.publish(entries.flatMap((entry) => (entry.kind === 'commit' ? entry.events : [])));
  const calls = entries.flatMap((entry) => (entry.kind === 'call' && entry.origin === 'merchant' ? [entry] : []));
  for (const call of calls.map((entry) => entry.describe()).filter(isLogged)) {
    session.requests.add(toLoggedCall({ ...call, session: session.name }));
  }
}

/** The commit that pauses the deliveries. Without it, the history could not be undone from the session's records. */
function createPauseCommit(before: SessionSnapshot, after: SessionSnapshot, at: Instant): CommitEntry {
  const recordsBefore = new Set(changesOf(before).map(({ record }) => record));
  const changes = changesOf(after).filter(({ record }) => !recordsBefore.has(record));
  return { kind: 'commit', cause: null, at, state: after.state, changes, events: [] };
}

/** Applies a bundle's commits one by one, because the undo of a commit needs the records before it. */
class ReplayedSession {
  readonly #tables = new Tables();
  readonly #reads = new MemoryReads(this.#tables);

  constructor(start: SessionSnapshot) {
    this.#tables.load('', start);
  }

  get snapshot(): SessionSnapshot | undefined {
    return this.#tables.snapshotOf('');
  }

  commit(entry: CommitEntry): RecordedCommit {
    const undo = this.#reads.undoOf('', entry.changes);
    this.#tables.apply({ ...entry, session: '' });
    return { ...entry, undo };
  }
}

async function assertValidState(state: object, fixtures: Fixtures, subject: string): Promise<void> {
  const findings = await checkState(state, fixtures);
  if (findings.length > 0) {
    throw new BundleError(`${subject} is broken: ${describeFindings(capFindings(findings))}`);
  }
}

/** Whether the call had ended, because only such calls are in the request log. */
function isLogged(facts: CallFacts): facts is LoggedRequest {
  return facts.records !== undefined;
}

/** The shipped fixtures with these files merged over them. Throws FixtureError, or BundleError for an invalid path. */
async function loadBundledFixtures(
  files: readonly FixtureFile[],
  walletNames: Settings['walletNames'],
): Promise<Fixtures> {
  if (files.length === 0) {
    return loadFixturesFor({ fixtures: undefined, walletNames });
  }
  const folder = mkdtempSync(join(tmpdir(), 'merchant-sandbox-fixtures-'));
  try {
    for (const { file, content } of files) {
      if (!/^(?:(?:scenarios|behaviours)\/)?[^./\\:\0][^/\\:\0]*\.json$/.test(file)) {
        throw new BundleError(`a fixture file cannot be called ${JSON.stringify(file)}`);
      }
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    return await loadFixturesFor({ fixtures: folder, walletNames });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
