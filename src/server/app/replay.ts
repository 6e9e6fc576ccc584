import type { Difference } from '../../base/compare-histories.ts';
import { inWords } from '../../base/refusal.ts';
import type { HistoryStep } from '../../base/schema/control.ts';
import { runSteps } from '../../base/steps.ts';
import { checkState } from '../domain/restored-state/check-state.ts';
import { BundleError, type Manifest, readBundle } from '../histories/bundle.ts';
import { firstDifference } from '../histories/differences.ts';
import { entriesUntil, stepsOf } from '../histories/steps.ts';
import { PLAYED_KEY } from '../sessions/history.ts';
import { startPlaying } from './open.ts';
import { fixturesFrom, type Played, play } from './play.ts';

/** What came of playing a bundle. */
export interface Replayed {
  manifest: Manifest;
  /** What can be seen of it from outside. */
  steps: readonly HistoryStep[];
  difference: Difference | undefined;
  /** The sandbox that it was played in, which listens until it is closed. */
  played: Played;
}

/**
 * Plays a bundle, to a step where one is named, and compares what was answered and sent to the byte. Throws BundleError or
 * FixtureError where it cannot be played.
 */
export async function replay(text: string, until?: string): Promise<Replayed> {
  const bundle = await readBundle(text);
  const entries = until === undefined ? bundle.entries : entriesUntil(bundle.entries, until);
  if (!entries) {
    throw new BundleError(`there is no step ${JSON.stringify(until)}`);
  }
  const { manifest } = bundle;
  const { settings } = manifest;
  const fixtures = await fixturesFrom(bundle.fixtures, settings.walletNames ?? undefined);
  const findings = await checkState(bundle.start, fixtures);
  if (findings.length > 0) {
    throw new BundleError(`the state that it begins with is broken: ${inWords(findings)}`);
  }
  const played = await play({ ...bundle, entries }, { fixtures, key: PLAYED_KEY }, startPlaying);
  const difference = runSteps(firstDifference(entries, played.entries, played.stop));
  return { manifest, steps: runSteps(stepsOf(entries)), difference, played };
}

/** Time goes on in the sandbox that a history was played in, and what comes is done at once. */
export function goOn({ session, playback }: Played): void {
  playback.end({ isClosed: false });
  session.clock.endPlaying();
}
