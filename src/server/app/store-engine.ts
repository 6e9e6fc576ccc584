import type { RequestListener } from 'node:http';
import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../http/access-log.ts';
import type { Serve } from '../http/router.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Store } from '../store/store.ts';

/** What a store reports to the sandbox that opened it. */
export interface StoreListener {
  /** Changes are kept again: what was due before could not be recorded. */
  onRecovered(): void;
  /** The session may not be used here any more until it is claimed again. */
  onLost(session: string): void;
}

/** What an engine opens a store with. */
export interface EngineParts {
  settings: Readonly<Settings>;
  fixtures: Fixtures;
  log: Log;
  listener: StoreListener;
}

/** A kind of store that `--data` can name. */
export interface StoreEngine {
  readonly name: 'file' | 'postgres';
  /** Whether this `--data` is for it. */
  accepts(data: string): boolean;
  /** `--data` as people and programs may see it: a file by its whole path, an address without its password. */
  shown(data: string): string;
  /** Opens the store. Throws StoreError, or SettingsError where a setting is not for this engine. */
  open(parts: EngineParts): Promise<OpenedStore>;
}

/** Receives the calls of a sandbox that does not answer every call itself. */
export interface Front {
  listener: RequestListener;
  /** Begins its work, once the sandbox listens at an address of this machine. */
  start(url: string): Promise<void>;
  /** Finishes its work. Calls that still arrive are answered. */
  stop(): Promise<void>;
  /** Releases its connections. */
  close(): void;
}

export interface FrontParts {
  settings: Readonly<Settings>;
  sessions: Sessions;
  log: Log;
  serve: Serve;
  onError(error: unknown): void;
}

export interface OpenedStore {
  store: Store;
  /** The secret of the installation, which never leaves the process. */
  key: Buffer;
  /** The control token of every sandbox that opens this store; undefined where each draws its own. */
  controlToken?: string;
  /** Absent where every session of the store is here. */
  frontOf?(parts: FrontParts): Front;
}
