import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { machineNow } from '../../base/timers.ts';
import type { FixtureFile } from '../config/fixture-files.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import { type Bundle, BundleError } from '../histories/bundle.ts';
import { Playback } from '../histories/playback.ts';
import { playEntries, type Stop } from '../histories/player.ts';
import type { HistoryEntry } from '../sessions/history-entry.ts';
import type { Session } from '../sessions/session.ts';
import type { ListeningSandbox } from './listening-sandbox.ts';
import type { StartPlaying } from './playing.ts';
import { fixturesFor } from './read-fixtures.ts';

/** A history that was played, in a sandbox that still listens. */
export interface Played {
  sandbox: ListeningSandbox;
  session: Session;
  playback: Playback;
  /** What happened this time. */
  entries: readonly HistoryEntry[];
  /** The step that did not come. */
  stop: Stop | undefined;
  close(): Promise<void>;
}

/** Plays a history in a sandbox of its own. Throws BundleError where it cannot be played. */
export async function play(
  { manifest, start, entries }: Bundle,
  { fixtures, key }: { fixtures: Fixtures; key: Buffer },
  startPlaying: StartPlaying,
): Promise<Played> {
  const { session: name, base, settings, lastCalls } = manifest;
  const first = entries[0];
  const call = entries.find((entry) => entry.kind === 'call');
  const machine = call?.machineAt ?? machineNow();
  const { clock } = start.state;
  const instant = clock.mode === 'frozen' ? clock.now : (clock.at ?? first?.at ?? machine + clock.offset);
  const standing = clock.mode === 'frozen' ? clock : { ...clock, at: Math.min(instant, first?.at ?? instant) };
  const playback = new Playback(lastCalls, { instant, machine });
  const { webhookUrl, walletNames, ...others } = settings;
  const { sandbox, sessions } = await startPlaying(
    {
      ...others,
      webhookUrl: webhookUrl ?? undefined,
      walletNames: walletNames ?? undefined,
      publicUrl: base,
      historySize: 65_536,
    },
    { session: name, start: { ...start, state: { ...start.state, clock: standing } }, fixtures, key, playback },
  );
  const close = () => {
    playback.end({ isClosed: true });
    return sandbox.close();
  };
  try {
    const session = () => {
      const found = sessions.find(name);
      if (!found) {
        throw new BundleError(`session ${name} is gone after it was played`);
      }
      return found;
    };
    const stop = await playEntries(entries, { session, playback, url: sandbox.url });
    const played = session();
    return { sandbox, session: played, playback, entries: played.history.recorded?.entries ?? [], stop, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The shipped fixtures with these files laid over them, as they would be in a folder. Throws FixtureError. */
export async function fixturesFrom(
  files: readonly FixtureFile[],
  walletNames: Settings['walletNames'],
): Promise<Fixtures> {
  if (files.length === 0) {
    return fixturesFor({ fixtures: undefined, walletNames });
  }
  const folder = mkdtempSync(join(tmpdir(), 'merchant-sandbox-fixtures-'));
  try {
    for (const { file, content } of files) {
      if (!/^(?:(?:scenarios|behaviours)\/)?[\w][\w.-]*\.json$/.test(file)) {
        throw new BundleError(`a fixture file cannot be called ${JSON.stringify(file)}`);
      }
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    return await fixturesFor({ fixtures: folder, walletNames });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
