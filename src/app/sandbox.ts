import type { Settings } from '../config/settings.ts';
import type { Examiner } from '../entry-points/control-api/examiner.ts';
import type { Sandbox } from './listening-sandbox.ts';
import { open } from './open.ts';
import { startWith } from './start-with.ts';

export type { Sandbox } from './listening-sandbox.ts';

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError or the error of listening.
 * Left out, data is `:memory:`, the port a free one and the log quiet; the rest takes the flag table's defaults. An unknown
 * setting, or a value of another type, is refused.
 */
export function startSandbox(settings: Partial<Settings> = {}): Promise<Sandbox> {
  return startWith({}, settings);
}

/** Starts a sandbox with settings that are complete, and with what examines a shop by it, if anything does. */
export async function start(settings: Readonly<Settings>, examiner?: Examiner): Promise<Sandbox> {
  const { sandbox } = await open(settings, { examiner });
  return sandbox;
}
