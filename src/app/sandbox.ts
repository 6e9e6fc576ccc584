import { resolveSettings, takeSettings } from '../config/resolve-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Sandbox } from './listening-sandbox.ts';
import { open } from './open.ts';

export type { Sandbox } from './listening-sandbox.ts';

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError or the error of listening.
 * Left out, data is `:memory:`, the port a free one and the log quiet; the rest takes the flag table's defaults. An unknown
 * setting, or a value of another type, is refused.
 */
export async function startSandbox(settings: Partial<Settings> = {}): Promise<Sandbox> {
  const given = takeSettings(settings);
  const sandbox = await start(
    Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, ...given }),
  );
  // A test that forgets to close it must still be able to end.
  sandbox.unref();
  return sandbox;
}

/** Starts a sandbox with settings that are complete. */
export async function start(settings: Readonly<Settings>): Promise<Sandbox> {
  const { sandbox } = await open(settings);
  return sandbox;
}
