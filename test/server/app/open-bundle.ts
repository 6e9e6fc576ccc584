import type { Sandbox } from '../../../src/sandbox.ts';
import { readOpenedBundle } from '../../../src/server/app/opened-bundle.ts';
import { resolveSettings } from '../../../src/server/config/resolve-settings.ts';
import { parseBundle } from '../../../src/server/histories/bundle.ts';
import { start } from '../../../src/start-with.ts';

/** Starts a separate sandbox with the session of a bundle, as `open` does. */
export async function openBundle(text: string): Promise<Sandbox> {
  const bundle = await readOpenedBundle(text);
  const settings = { ...bundle.settings, port: 0, data: ':memory:', quiet: true };
  return start(Object.freeze({ ...resolveSettings({}), ...settings }), { bundle });
}

/** Starts a separate sandbox with the session of a bundle, and returns a client of the session as well. */
export async function openSession(text: string) {
  const sandbox = await openBundle(text);
  const { manifest } = await parseBundle(text);
  return { sandbox, session: sandbox.session(manifest.session) };
}
