import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { VERSION } from '../base/package.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { SettingsError } from '../config/resolve-settings.ts';
import type { Settings } from '../config/settings.ts';
import { checkState } from '../domain/restored-state/check-state.ts';
import type { Log } from '../http/access-log.ts';
import { openStore } from '../store/embedded/embedded-store.ts';
import { isDatabaseUrl, shownUrl } from '../store/postgres/database.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import type { Store } from '../store/store.ts';

/** Whom the store tells what becomes of it. */
export interface StoreListener {
  /** Changes are kept again: what was due meanwhile could not be recorded. */
  onRecovered(): void;
  /** Another node may have the session by now. */
  onLost(session: string): void;
}

/** Opens what `--data` names. Throws StoreError, or SettingsError where a setting is not for it. */
export async function openStoreFor(
  settings: Readonly<Settings>,
  fixtures: Fixtures,
  log: Log,
  listener: StoreListener,
): Promise<Store> {
  const { data, syncToDisk, withoutSession, nodeLease, maxSessions } = settings;
  const onWarning = (message: string) => log.warn(message);
  if (isDatabaseUrl(data)) {
    if (withoutSession.length > 0) {
      throw new SettingsError(
        '--without-session is for a data file; in a database the session alone is refused as it is',
      );
    }
    return openPostgresStore({
      url: data,
      leaseMilliseconds: nodeLease,
      mostSessions: maxSessions,
      version: VERSION,
      fixtures: digestOf(settings, fixtures),
      onWarning,
      onRecovered: () => listener.onRecovered(),
      onLost: (session) => listener.onLost(session),
    });
  }
  return openStore({
    file: data,
    syncToDisk,
    withoutSessions: withoutSession,
    checkEdited: (session) => checkState(session, fixtures),
    onWarning,
    onRecovered() {
      log.info('changes are kept again');
      listener.onRecovered();
    },
  });
}

/** What all nodes are to have alike, besides their fixtures. */
const COMMON = [
  'scenario',
  'behaviour',
  'seed',
  'ids',
  'now',
  'validation',
  'merchants',
  'publicUrl',
  'controlToken',
  'maxSessions',
  'sessionTtl',
  'nodeLease',
] as const satisfies readonly (keyof Settings)[];

/** Differs where nodes would do different things. */
function digestOf(settings: Readonly<Settings>, fixtures: Fixtures): string {
  const common = COMMON.map((name) => settings[name] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([fixtures, [...fixtures.scenarios], [...fixtures.behaviours], common]))
    .digest('hex');
}

/** Where the data is, as people and programs may see it. */
export function shownData(data: string): string {
  if (data === ':memory:') {
    return data;
  }
  return isDatabaseUrl(data) ? shownUrl(data) : resolve(data);
}
