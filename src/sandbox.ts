import type { ListeningSandbox } from './app/listening-sandbox.ts';
import { type Additions, open } from './app/open.ts';
import { SandboxClient } from './client/client.ts';
import { POSTGRES_ENGINE } from './cluster/postgres-engine.ts';
import { resolveSettings, takeSettings } from './config/resolve-settings.ts';
import type { GivenSettings, Settings } from './config/settings.ts';
import type { Examiner } from './entry-points/control-api/examiner.ts';

/** A sandbox that is listening, with clients for its control API. */
export interface Sandbox extends Omit<ListeningSandbox, 'openSession'> {
  /** The control API of the session `default`. */
  client: SandboxClient;
  /** The control API of a named session, which is made on first use; point an integration under test to its `baseUrl`. */
  session(name: string): SandboxClient;
}

export interface StartOptions {
  examiner?: Examiner | undefined;
  additions?: Additions | undefined;
}

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError or the error of listening.
 * Omitted, data is `:memory:`, the port a free one and the log quiet; the rest takes the flag table's defaults. An unknown
 * setting, or a value of another type, is refused.
 */
export function startSandbox(settings: GivenSettings = {}): Promise<Sandbox> {
  return startWith({}, settings);
}

/** Starts a sandbox as startSandbox does, with parts that others do not have, such as an examiner for its console. */
export async function startWith(options: StartOptions, settings: GivenSettings): Promise<Sandbox> {
  const given = takeSettings(settings);
  const complete = Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, ...given });
  const sandbox = await start(complete, options);
  // A test that forgets to close it must still be able to end.
  sandbox.unref();
  return sandbox;
}

/** Starts a sandbox with complete settings. */
export async function start(settings: Readonly<Settings>, options: StartOptions = {}): Promise<Sandbox> {
  const { sandbox } = await open(settings, { ...options, engines: [POSTGRES_ENGINE] });
  const { openSession, ...listening } = sandbox;
  const { url, controlToken } = listening;
  return {
    ...listening,
    client: new SandboxClient({ url, controlToken }),
    session(name) {
      openSession(name);
      return new SandboxClient({ url, session: name, controlToken });
    },
  };
}
