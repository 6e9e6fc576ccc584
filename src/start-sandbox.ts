import type { Sandbox } from './sandbox.ts';
import type { GivenSettings } from './server/config/settings.ts';
import { startWith } from './start-with.ts';

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError, or the system's error if it cannot listen.
 * By default, it stores data in memory, listens on a free port and logs only its own warnings and errors; other defaults are those of
 * the flags.
 */
export function startSandbox(settings: GivenSettings = {}): Promise<Sandbox> {
  return startWith({}, settings);
}
