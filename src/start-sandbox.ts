import type { Sandbox } from './sandbox.ts';
import type { GivenSettings } from './server/config/settings.ts';
import { startWith } from './start-with.ts';

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError or the error of listening.
 * Omitted, data is `:memory:`, the port a free one and the log quiet; the rest takes the flag table's defaults. An unknown
 * setting, or a value of another type, is refused.
 */
export function startSandbox(settings: GivenSettings = {}): Promise<Sandbox> {
  return startWith({}, settings);
}
