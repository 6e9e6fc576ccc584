import { SandboxClient } from './client/client.ts';
import { POSTGRES_ENGINE } from './postgres/nodes/postgres-engine.ts';
import type { Sandbox } from './sandbox.ts';
import { type OptionalParts, openSandbox } from './server/app/open-sandbox.ts';
import type { OpenedBundle } from './server/app/opened-bundle.ts';
import { parseSettings, resolveSettings } from './server/config/resolve-settings.ts';
import type { GivenSettings, Settings } from './server/config/settings.ts';
import type { Examiner } from './server/control-api/examiner.ts';

/** Options that startSandbox does not offer. */
export interface StartOptions {
  /** A session that is restored from a file. */
  bundle?: OpenedBundle | undefined;
  examiner?: Examiner | undefined;
  additions?: OptionalParts | undefined;
}

/** Like startSandbox, with further options. */
export async function startWith(options: StartOptions, settings: GivenSettings): Promise<Sandbox> {
  const given = parseSettings(settings);
  const complete = Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, ...given });
  const sandbox = await start(complete, options);
  // A test that forgets to close the sandbox must still be able to end.
  sandbox.unref();
  return sandbox;
}

export async function start(settings: Readonly<Settings>, options: StartOptions = {}): Promise<Sandbox> {
  const { sandbox } = await openSandbox(settings, { ...options, engines: [POSTGRES_ENGINE] });
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
