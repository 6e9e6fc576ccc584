import { createHash, createHmac } from 'node:crypto';
import { VERSION } from '../../base/package.ts';
import type { StoreEngine } from '../../server/app/store-engine.ts';
import type { Fixtures } from '../../server/config/fixtures.ts';
import { SettingsError } from '../../server/config/resolve-settings.ts';
import type { Settings } from '../../server/config/settings.ts';
import { isDatabaseUrl, withoutPassword } from '../store/database.ts';
import { openPostgresStore } from '../store/postgres-store.ts';
import { createClusterFront } from './cluster-front.ts';

/** A PostgreSQL database that several nodes share. */
export const POSTGRES_ENGINE: StoreEngine = {
  forms: 'postgres://…',
  accepts: isDatabaseUrl,
  withoutSecrets: withoutPassword,
  async open({ settings, fixtures, log, listener }) {
    const { data, withoutSession, nodeLease, maxSessions } = settings;
    if (withoutSession.length > 0) {
      throw new SettingsError(
        '--without-session is only for a data file; with a database, an unreadable session does not affect the others',
      );
    }
    const store = await openPostgresStore({
      url: data,
      leaseMs: nodeLease,
      maxSessions,
      version: VERSION,
      fixtures: digestOf(settings, fixtures),
      onWarning: (message) => log.warn(message),
      onRecovered: () => listener.onRecovered(),
      onLost: (session) => listener.onLost(session),
    });
    return {
      store,
      key: Buffer.from(store.key),
      controlToken: createHmac('sha256', store.key).update('control token').digest('base64url'),
      createFront: (parts) => createClusterFront(store, parts),
    };
  },
};

/** Settings that must be equal on all nodes, as their fixtures must, because sessions move between nodes. */
const COMMON_SETTINGS = [
  'scenario',
  'behaviour',
  'seed',
  'ids',
  'now',
  'validation',
  'contentType',
  'merchants',
  'publicUrl',
  'controlToken',
  'maxSessions',
  'sessionTtl',
  'nodeLease',
] as const satisfies readonly (keyof Settings)[];

/** A digest of the fixtures and the common settings. */
function digestOf(settings: Readonly<Settings>, fixtures: Fixtures): string {
  const values = COMMON_SETTINGS.map((name) => settings[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([fixtures, [...fixtures.scenarios], [...fixtures.behaviours], values]))
    .digest('hex');
}
