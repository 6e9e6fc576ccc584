import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import type { Playback } from '../histories/playback.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SessionSnapshot } from '../store/store.ts';
import type { ListeningSandbox } from './listening-sandbox.ts';

/** What a sandbox is started with that plays a history. */
export interface Playing {
  /** The session that the history is of. */
  session: string;
  /** What it kept at the begin. */
  start: SessionSnapshot;
  fixtures: Fixtures;
  /** In place of the installation's secret. */
  key: Buffer;
  playback: Playback;
}

/** Starts a sandbox on loopback that plays a history, whatever host its settings name. */
export type StartPlaying = (
  settings: Partial<Settings>,
  playing: Playing,
) => Promise<{ sandbox: ListeningSandbox; sessions: Sessions }>;
