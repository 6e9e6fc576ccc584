import { redactSentence } from '../../base/masking/redact.ts';
import { VERSION } from '../../base/package.ts';
import { capFindings, describeFindings, Refusal } from '../../base/refusal.ts';
import { runInTurns } from '../../base/run-in-turns.ts';
import type { HistoryView } from '../../base/schema/generated/control.ts';
import { readFixtureFiles } from '../config/fixture-files.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import { checkState } from '../domain/restored-state/check-state.ts';
import { endpointsOf, type KnownEndpoint } from '../domain/webhooks/endpoints.ts';
import { pauseDeliveries } from '../domain/webhooks/queue.ts';
import { BUNDLE_FORMAT, serializeBundle } from '../histories/bundle.ts';
import { countUntil, START, stateAt } from '../histories/state-at.ts';
import { stepsOf } from '../histories/steps.ts';
import type { RecordedHistory } from '../sessions/history.ts';
import type { HistoryEntry } from '../sessions/history-entry.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SessionSnapshot } from '../store/store.ts';

interface HistoriesParts {
  settings: Readonly<Settings>;
  fixtures: () => Fixtures;
  sessions: Sessions;
}

/** Creates bundles and forks from the histories of sessions. */
export class Histories {
  readonly #parts: HistoriesParts;

  constructor(parts: HistoriesParts) {
    this.#parts = parts;
  }

  /** The history as a file, secrets masked. Throws `conflict` if there is no history. */
  async bundleOf(session: Session): Promise<string> {
    const { settings } = this.#parts;
    const { history, snapshot } = await readDurableHistory(session);
    const { beginning, cutBecause, entries } = history;
    const { snapshot: start } = await runInTurns(stateAt(history, snapshot, 0));
    const { validation, contentType, merchants, walletNames } = settings;
    const manifest = {
      kind: 'manifest' as const,
      format: BUNDLE_FORMAT,
      version: VERSION,
      session: session.name,
      settings: {
        validation,
        ...(contentType && { contentType }),
        merchants,
        walletNames: walletNames
          ? Object.fromEntries(Object.entries(walletNames).map(([channel, names]) => [channel, [...names]]))
          : null,
      },
      lastCalls: beginning.calls,
      // Masked, because it may contain the name of a session, which may contain a secret.
      cutBecause: cutBecause === null ? null : redactSentence(cutBecause),
    } as const;
    const customFixtures = settings.fixtures === undefined ? [] : readFixtureFiles(settings.fixtures);
    return runInTurns(serializeBundle({ manifest, fixtures: customFixtures, start, startedAt: beginning.at, entries }));
  }

  /**
   * Creates a session with the state of another one after a step (default: the last), with its endpoints paused. Throws
   * `unknown-record` if there is no such step, `conflict` if the session cannot be forked or the name is taken.
   */
  async fork(session: Session, at: string | undefined, as: string): Promise<Session> {
    const { sessions, settings } = this.#parts;
    const { history, snapshot: currentSnapshot } = await readDurableHistory(session);
    const count = countEntries(session, history, at);
    const moment = await runInTurns(stateAt(history, currentSnapshot, count));
    const { state, ...lists } = moment.snapshot;
    const now = at === undefined ? session.clock.now() : moment.at;
    const forkedFrom = { session: session.name, at: at ?? lastStepOf(history.entries) };
    const frozen = { ...lists, state: { ...state, clock: { mode: 'frozen' as const, now }, forkedFrom } };
    const snapshot = pauseDeliveries(frozen, await endpointsIn(frozen, session.fixtures, settings.webhookUrl));
    const findings = history.isForeign ? await checkState(snapshot, this.#parts.fixtures()) : [];
    if (findings.length > 0) {
      throw new Refusal('conflict', `the state at this step is broken: ${describeFindings(capFindings(findings))}`);
    }
    return sessions.createWithState(as, snapshot, moment.calls);
  }

  /**
   * The steps of a history for a comparison, secrets masked; with `after`, only those after that step. Throws
   * `unknown-record` if there is no such step, and `conflict` if there is no history.
   */
  async historyOf(session: Session, after: string | undefined): Promise<HistoryView> {
    const { history } = await readDurableHistory(session);
    const skippedCount = after === undefined ? 0 : countEntries(session, history, after);
    return {
      session: session.name,
      forkedFrom: session.state.forkedFrom ?? null,
      cutBecause: history.cutBecause,
      steps: await runInTurns(stepsOf(history.entries.slice(skippedCount), session.name)),
    };
  }
}

/** The endpoints of a session with this data, including those of fixtures and settings. */
export function endpointsIn(
  { state, endpoints = [] }: SessionSnapshot,
  fixtures: Fixtures,
  webhookUrl: string | undefined,
): Promise<KnownEndpoint[]> {
  return endpointsOf({ seed: state.seed, fixtures, all: async () => endpoints }, webhookUrl);
}

/** The history and the present state of a session, once both are durable. Throws `conflict` if there is no history. */
function readDurableHistory(session: Session): Promise<{ history: RecordedHistory; snapshot: SessionSnapshot }> {
  return session.read(async () => {
    const { history, snapshot } = await session.snapshotWithHistory();
    if (!history) {
      throw new Refusal(
        'conflict',
        `nothing is recorded of session ${session.name}: no histories are kept (--history-size 0)`,
      );
    }
    return { history, snapshot };
  });
}

const MAX_NAMED_CALLS = 10;

/** Number of entries up to a step (default: the last). Throws `unknown-record` if there is no such step. */
function countEntries({ name }: Session, { entries, cutBecause }: RecordedHistory, at: string | undefined): number {
  const count = at === undefined ? entries.length : countUntil(entries, at);
  if (count !== undefined) {
    return count;
  }
  const calls = entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.of] : []));
  const listed = [...new Set(calls)].slice(-MAX_NAMED_CALLS).join(', ') || 'none';
  const limit = cutBecause === null ? '' : `; it begins later than the session, because ${cutBecause}`;
  throw new Refusal(
    'unknown-record',
    `the history of session ${name} has no step ${JSON.stringify(at)}; its last answered calls are: ${listed}${limit}`,
  );
}

function lastStepOf(entries: readonly HistoryEntry[]): string {
  const last = entries.findLast((entry) => entry.kind === 'answer');
  return last?.kind === 'answer' ? last.of : START;
}
