import type { RequestListener } from 'node:http';
import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import type { Log } from '../http/access-log.ts';
import type { CallHandler } from '../http/router.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Store } from '../store/store.ts';

export interface StoreListener {
  /** Changes can be stored again. Jobs that became due before could not be recorded, so they must be run again. */
  onRecovered(): void;
  /** The session must not be used in this process until it is claimed again. */
  onLost(session: string): void;
}

export interface EngineParts {
  settings: Readonly<Settings>;
  fixtures: Fixtures;
  log: Log;
  listener: StoreListener;
}

/** A kind of store that `--data` can name. */
export interface StoreEngine {
  /** Forms of `--data` that it handles, in words. */
  readonly forms: string;
  /** Whether it handles this value of `--data`. */
  accepts(data: string): boolean;
  /** `--data` without secrets: the full path of a file, or an address without its password. */
  withoutSecrets(data: string): string;
  /** Opens the store. Throws StoreError, or SettingsError if a setting is not for this engine. */
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
  serve: CallHandler;
  onError(error: unknown): void;
}

export interface OpenedStore {
  store: Store;
  /** The secret of the installation, which no answer contains. */
  key: Buffer;
  /** The control token of every sandbox that opens this store; undefined if each sandbox generates its own. */
  controlToken?: string;
  /** Absent if every session of the store is in this process. */
  createFront?(parts: FrontParts): Front;
}
