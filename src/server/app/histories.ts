import { type Difference, sidesOf } from '../../base/compare-histories.ts';
import { VERSION } from '../../base/package.ts';
import { Refusal } from '../../base/refusal.ts';
import { runInTurns } from '../../base/run-in-turns.ts';
import type { HistoryView } from '../../base/schema/control.ts';
import { FixtureError } from '../config/fixture-error.ts';
import { filesIn } from '../config/fixture-files.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import { endpointsOf } from '../domain/webhooks/endpoints.ts';
import { pausedDeliveries } from '../domain/webhooks/queue.ts';
import { BUNDLE_FORMAT, type Bundle, BundleError, writeBundle } from '../histories/bundle.ts';
import { comparableSteps } from '../histories/comparable-steps.ts';
import { firstDifference } from '../histories/differences.ts';
import { entriesUntil, START } from '../histories/steps.ts';
import { signedAnew, withoutSecrets } from '../histories/without-secrets.ts';
import type { Addresses } from '../sessions/addresses.ts';
import { PLAYED_KEY } from '../sessions/history.ts';
import type { HistoryEntry, RecordedHistory } from '../sessions/history-entry.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { changesOf } from '../sessions/snapshot.ts';
import { fixturesFrom, type Played, play } from './play.ts';
import type { StartPlaying } from './playing.ts';
import type { StoreEngine } from './store-engine.ts';

interface HistoriesParts {
  settings: Readonly<Settings>;
  fixtures: () => Fixtures;
  addressesFor(sessionName: string): Addresses;
  sessions: Sessions;
  key: Buffer;
  startPlaying: StartPlaying;
  engine: StoreEngine;
}

/** Makes bundles of sessions' histories, and sessions of their beginnings. */
export class Histories {
  readonly #parts: HistoriesParts;

  constructor(parts: HistoriesParts) {
    this.#parts = parts;
  }

  /** The history as a file, without secrets. It is played once, to say whether it plays the same. Throws `conflict` if there is none. */
  async bundleOf(session: Session): Promise<string> {
    const { startPlaying, settings } = this.#parts;
    const recorded = recordedOf(session);
    const clean = await runInTurns(withoutSecrets(this.#bundle(session, recorded), recorded.standIns));
    const played = await playable(session, async () => {
      const fixtures = await fixturesFrom(clean.fixtures, settings.walletNames);
      return play(clean, { fixtures, key: PLAYED_KEY }, startPlaying);
    });
    await played.close();
    const signed = { ...clean, entries: await runInTurns(signedAnew(clean.entries, played.entries)) };
    const difference = await runInTurns(firstDifference(signed.entries, played.entries, played.stop));
    const manifest = { ...clean.manifest, difference: difference ? inWords(difference) : null };
    return runInTurns(writeBundle({ ...signed, manifest }));
  }

  /**
   * Makes a session that is as another was after a step, the last one where none is named, with its endpoints paused. Throws `unknown-record` where there was no
   * such step, and `conflict` where there is no history, or it cannot be played.
   */
  async fork(session: Session, at: string | undefined, as: string): Promise<Session> {
    const { sessions, settings, fixtures, key, startPlaying } = this.#parts;
    const bundle = this.#bundle(session, recordedOf(session));
    const entries = at === undefined ? bundle.entries : knownUntil(bundle, at);
    const played = await playable(session, () =>
      play({ ...bundle, entries }, { fixtures: fixtures(), key }, startPlaying),
    );
    try {
      const difference = await runInTurns(firstDifference(entries, played.entries, played.stop));
      if (difference) {
        throw new Refusal(
          'conflict',
          `session ${session.name} cannot be forked there, since its history does not play the same: ${inWords(difference)}`,
        );
      }
      const endpoints = await endpointsOf(played.session, settings.webhookUrl);
      const snapshot = pausedDeliveries(await played.session.snapshot(), endpoints);
      const clock = { mode: 'frozen' as const, now: played.session.clock.now() };
      const forkedFrom = { session: session.name, at: at ?? lastStepOf(entries) };
      const { history } = played.session;
      const state = { ...snapshot.state, clock, forkedFrom };
      return await sessions.createWith(as, state, changesOf(snapshot), history.calls);
    } finally {
      await played.close();
    }
  }

  /**
   * The steps of a history as they can be compared with another's, without secrets; after one of them where one is named. Throws
   * `unknown-record` where there was no such step, and `conflict` where there is no history.
   */
  async historyOf(session: Session, after: string | undefined): Promise<HistoryView> {
    const recorded = recordedOf(session);
    const bundle = this.#bundle(session, recorded);
    const { forkedFrom = null } = session.state;
    const { entries } = await runInTurns(withoutSecrets(bundle, recorded.standIns));
    const before = after === undefined ? 0 : knownUntil(bundle, after).length;
    return {
      session: session.name,
      forkedFrom,
      cutBecause: recorded.cutBecause,
      steps: await runInTurns(comparableSteps(entries.slice(before), session.name)),
    };
  }

  #bundle({ name }: Session, { start, lastCalls, cutBecause, entries }: RecordedHistory): Bundle {
    const { settings, addressesFor } = this.#parts;
    const { data, fixtures, host, allowWebhookHost, validation, contentType, merchants, webhookUrl, walletNames } =
      settings;
    return {
      manifest: {
        kind: 'manifest',
        format: BUNDLE_FORMAT,
        version: VERSION,
        node: process.versions.node,
        store: data === ':memory:' ? 'memory' : this.#parts.engine.name,
        session: name,
        base: addressesFor('default').base,
        settings: {
          host,
          allowWebhookHost: [...allowWebhookHost],
          validation,
          ...(contentType && { contentType }),
          merchants,
          webhookUrl: webhookUrl ?? null,
          walletNames: walletNames
            ? Object.fromEntries(Object.entries(walletNames).map(([channel, names]) => [channel, [...names]]))
            : null,
        },
        lastCalls,
        cutBecause,
        difference: null,
      },
      fixtures: fixtures === undefined ? [] : filesIn(fixtures),
      start,
      entries,
    };
  }
}

/** A difference in a line. */
function inWords(difference: Difference): string {
  const { step, part } = difference;
  const { was, is } = sidesOf(difference, 200);
  return `${step}, ${part}: was ${was}, is ${is}`.replaceAll('\n', ' ');
}

function recordedOf({ name, history }: Session): RecordedHistory {
  const { recorded } = history;
  if (!recorded) {
    throw new Refusal('conflict', `nothing is recorded of session ${name}: ${history.whyNot}`);
  }
  return recorded;
}

const MOST_NAMED = 10;

/** The entries up to a step. Throws `unknown-record` if there is no such step. */
function knownUntil({ manifest: { session, cutBecause }, entries }: Bundle, at: string): readonly HistoryEntry[] {
  const until = entriesUntil(entries, at);
  if (until) {
    return until;
  }
  const calls = entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.of] : []));
  const shown = [...new Set(calls)].slice(-MOST_NAMED).join(', ') || 'none';
  const begin = cutBecause === null ? '' : `; it begins later than the session, since ${cutBecause}`;
  throw new Refusal(
    'unknown-record',
    `the history of session ${session} has no step ${JSON.stringify(at)}; its last answered calls are: ${shown}${begin}`,
  );
}

/** Throws `conflict` where it cannot be played. */
async function playable({ name }: Session, start: () => Promise<Played>): Promise<Played> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof BundleError || error instanceof FixtureError) {
      throw new Refusal('conflict', `the history of session ${name} cannot be played: ${error.message}`);
    }
    throw error;
  }
}

function lastStepOf(entries: readonly HistoryEntry[]): string {
  const last = entries.findLast((entry) => entry.kind === 'answer');
  return last?.kind === 'answer' ? last.of : START;
}
