import type { Databases } from '../postgres/servers/databases.ts';
import { type Sandbox, startSandbox as start } from '../sandbox.ts';

let databases: Databases | undefined;

/** Makes all sandboxes that are started afterwards store their data in PostgreSQL. */
export function keepInPostgres(engine: Databases): void {
  databases = engine;
}

/** Starts a sandbox on the engine under test. With PostgreSQL, each data file is replaced with a database. */
export async function startSandbox(settings: Parameters<typeof start>[0] = {}): Promise<Sandbox> {
  const engine = databases;
  if (!engine) {
    return start(settings);
  }
  const key = settings.data ?? Symbol('new data');
  const data = await engine.open(key);
  try {
    const sandbox = await start({ ...settings, data });
    return { ...sandbox, close: () => sandbox.close().finally(() => engine.release(key)) };
  } catch (error) {
    engine.release(key);
    throw error;
  }
}
