import { resolveSettings, takeSettings } from '../config/resolve-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Examiner } from '../entry-points/control-api/examiner.ts';
import type { Sandbox } from './listening-sandbox.ts';
import { type Options, open } from './open.ts';

export type { Sandbox } from './listening-sandbox.ts';

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError or the error of listening.
 * Left out, data is `:memory:`, the port a free one and the log quiet; the rest takes the flag table's defaults. An unknown
 * setting, or a value of another type, is refused.
 */
export function startSandbox(settings: Partial<Settings> = {}): Promise<Sandbox> {
  return startWith({}, settings);
}

/** The same, with what others do not have, such as what examines a shop by it: its console shows that. */
export async function startWith(options: Options, settings: Partial<Settings>): Promise<Sandbox> {
  const given = takeSettings(settings);
  const complete = Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, ...given });
  const { sandbox } = await open(complete, options);
  // A test that forgets to close it must still be able to end.
  sandbox.unref();
  return sandbox;
}

/** Starts a sandbox with settings that are complete, and with what examines a shop by it, if anything does. */
export async function start(settings: Readonly<Settings>, examiner?: Examiner): Promise<Sandbox> {
  const { sandbox } = await open(settings, { examiner });
  return sandbox;
}
