import { resolveSettings, takeSettings } from '../config/resolve-settings.ts';
import type { Settings } from '../config/settings.ts';
import type { Sandbox } from './listening-sandbox.ts';
import { type Options, open } from './open.ts';

/**
 * Starts a sandbox in this process, as startSandbox does, with what others do not have, such as what examines a shop by it: its console
 * shows that.
 */
export async function startWith(options: Options, settings: Partial<Settings>): Promise<Sandbox> {
  const given = takeSettings(settings);
  const complete = Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, ...given });
  const { sandbox } = await open(complete, options);
  // A test that forgets to close it must still be able to end.
  sandbox.unref();
  return sandbox;
}
