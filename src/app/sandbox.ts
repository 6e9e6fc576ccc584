import { createHmac } from 'node:crypto';
import { nanoid } from 'nanoid';
import { Refusal } from '../base/refusal.ts';
import { didYouMean } from '../base/text/nearest.ts';
import { every } from '../base/timers.ts';
import { SandboxClient } from '../client/client.ts';
import { type Cluster, clusterOf } from '../cluster/cluster.ts';
import type { FixtureFiles } from '../config/fixture-files.ts';
import { FixtureError, type Fixtures, loadFixtures } from '../config/fixtures.ts';
import { resolveSettings, SettingsError, takeSettings } from '../config/resolve-settings.ts';
import type { Settings } from '../config/settings.ts';
import { checkFlows } from '../domain/channels/channels.ts';
import { deliveryJob } from '../domain/webhooks/delivery-job.ts';
import { keepDeliveries } from '../domain/webhooks/outbox.ts';
import { Sender } from '../domain/webhooks/send.ts';
import { isLoopback } from '../entry-points/control-api/guard.ts';
import { checkAliases } from '../entry-points/merchant-api/check-aliases.ts';
import { createLog, type Log } from '../http/access-log.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import { type Listening, listen } from '../http/server.ts';
import { type Tls, tlsFor } from '../http/tls/tls.ts';
import { addressesOf } from '../sessions/addresses.ts';
import { LogSpace } from '../sessions/log-space.ts';
import type { SessionHooks } from '../sessions/session-parts.ts';
import { Sessions } from '../sessions/sessions.ts';
import { installationKey } from '../store/installation-key.ts';
import { isShared, type Store } from '../store/store.ts';
import { type AppParts, appOf } from './entry-points.ts';
import { reloadFixtures, whatIsGone } from './fixture-reload.ts';
import { jobTable } from './jobs.ts';
import { Load } from './load.ts';
import { openStoreFor, type StoreListener } from './open-store.ts';

/** A sandbox that is listening. */
export interface Sandbox {
  /** Base address, e.g. http://127.0.0.1:4100. */
  url: string;
  /** The same over HTTPS, e.g. https://127.0.0.1:4443; undefined without `httpsPort`. */
  httpsUrl: string | undefined;
  /** The certificate, as PEM, of the CA that clients must trust for HTTPS; undefined without HTTPS, and with `tlsCert`. */
  caCertificate: string | undefined;
  /** Where that certificate stands, for programs that are told by a path, as by NODE_EXTRA_CA_CERTS. */
  caFile: string | undefined;
  /** What control calls must show; undefined on loopback, where they need nothing. */
  controlToken: string | undefined;
  settings: Readonly<Settings>;
  fixtures: Fixtures;
  /** The control API of the session `default`. */
  client: SandboxClient;
  /** The control API of a named session, which is made on first use; point an integration under test to its `baseUrl`. */
  session(name: string): SandboxClient;
  /** Base address of a named session, which is made on first use. */
  sessionUrl(name: string): string;
  /** Lets the process end although the sandbox is still listening. */
  unref(): void;
  /** Finishes the requests under way, writes everything to disk, and releases the port and the file. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError or the error of listening.
 * Left out, data is `:memory:`, the port a free one and the log quiet; the rest takes the flag table's defaults. An unknown
 * setting, or a value of another type, is refused.
 */
export async function startSandbox(settings: Partial<Settings> = {}): Promise<Sandbox> {
  const given = takeSettings(settings);
  const sandbox = await start(
    Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, ...given }),
  );
  // A test that forgets to close it must still be able to end.
  sandbox.unref();
  return sandbox;
}

/** Starts a sandbox with settings that are complete. */
export async function start(settings: Readonly<Settings>): Promise<Sandbox> {
  const log = createLog(settings);
  const sender = senderFor(settings);
  const fixtures = await readFixtures(settings);
  const tls = await tlsFor(settings, (message) => log.warn(message));
  const listener = { onRecovered: () => {}, onLost: (_session: string) => {} };
  const store = await openStoreFor(settings, fixtures, log, listener);
  try {
    return await serve({ settings, sender, fixtures, tls, store, log, listener });
  } catch (error) {
    await store.close();
    await log.close();
    throw error;
  }
}

/** What sends the notifications. Throws SettingsError where they would go to an address that must not be called. */
function senderFor({ host, allowWebhookHost, webhookUrl }: Readonly<Settings>): Sender {
  const sender = new Sender({ isExposed: !isLoopback(host), allowedHosts: allowWebhookHost });
  try {
    if (webhookUrl !== undefined) {
      sender.check(webhookUrl);
    }
  } catch (error) {
    throw error instanceof Refusal ? new SettingsError(`--webhook-url: ${error.message}`) : error;
  }
  return sender;
}

const check = (files: FixtureFiles) => [...checkAliases(files), ...checkFlows(files)];

/** The fixtures that the settings ask for. Rejects with FixtureError. */
async function readFixtures(settings: Readonly<Settings>): Promise<Fixtures> {
  const { fixtures: folder, walletNames } = settings;
  const fixtures = await loadFixtures(folder, { walletNames, check });
  for (const kind of ['scenario', 'behaviour'] as const) {
    const name = settings[kind];
    const known = [...fixtures[`${kind}s`].keys()].sort();
    if (!known.includes(name)) {
      const near = didYouMean(name, known);
      throw new FixtureError(`--${kind}`, `there is no ${kind} ${name}${near}; there are ${known.join(', ')}`);
    }
  }
  return fixtures;
}

interface Parts {
  settings: Readonly<Settings>;
  sender: Sender;
  fixtures: Fixtures;
  tls: Tls | undefined;
  store: Store;
  log: Log;
  /** What the store tells; filled in here. */
  listener: StoreListener;
}

const MEBIBYTE = 1024 * 1024;

async function serve({ settings, sender, fixtures: loaded, tls, store, log, listener }: Parts): Promise<Sandbox> {
  let publicUrl = settings.publicUrl ?? '';
  let fixtures = loaded;
  const current = () => fixtures;
  const onError = (error: unknown) => log.error('the sandbox failed', error);
  const { seed, ids, scenario, behaviour, now, maxSessions: limit } = settings;
  const metrics = new Metrics();
  const shared = { settings, log, metrics, sender, load: new Load(), lifecycle: { isStopping: false } };
  const hooks = hooksOf(shared);
  const requestLogSpace = new LogSpace(settings.requestLogSize * MEBIBYTE);
  const key = isShared(store) ? Buffer.from(store.key) : installationKey(settings.data);
  const sessions = new Sessions(
    { store, fixtures: current, publicUrl: () => publicUrl, requestLogSpace, installationKey: key, hooks },
    { seed, ids, scenario, behaviour, now, limit },
  );
  const controlToken = isLoopback(settings.host) ? undefined : (settings.controlToken ?? newControlToken(store));
  const addressesFor = (sessionName: string) => addressesOf(publicUrl, sessionName);
  const authority = { caCertificate: tls?.authority?.certificate, caFile: tls?.authority?.file };
  const parts = { ...shared, ...authority, sessions, store, fixtures: current, addressesFor, onError, controlToken };
  const app = appOf(parts);
  const cluster = isShared(store) ? clusterOf(store, sessions, app, { settings, log, onError }) : undefined;
  if (!cluster) {
    await sessions.load();
    await warnOfGone(sessions, fixtures, log);
  }
  const server = await listen(cluster?.listener ?? app, { host: settings.host, port: settings.port, secure: tls });
  const { url, httpsUrl } = server;
  publicUrl ||= url;
  listener.onRecovered = () => void sessions.resume().catch(onError);
  listener.onLost = (session) => sessions.evict(session);
  try {
    await sessions.resume();
    await cluster?.start(url);
  } catch (error) {
    await server.stop();
    throw error;
  }
  const stopExpiring = expireUnused(sessions, settings.sessionTtl, onError);
  const takeFixtures = (changed: Fixtures) => {
    fixtures = changed;
  };
  const read = () => readFixtures(settings);
  const stopReloading = await reloadFixtures(settings.fixtures, read, sessions, log, takeFixtures);
  return {
    url,
    httpsUrl,
    ...authority,
    controlToken,
    settings,
    fixtures,
    client: new SandboxClient({ url, controlToken }),
    session: (name) => new SandboxClient({ url, session: cluster ? name : sessions.open(name).name, controlToken }),
    sessionUrl: (name) => `${url}/s/${encodeURIComponent(name)}`,
    unref: () => server.unref(),
    close: () => closeAll({ ...shared, server, cluster, sessions, store, stopReloading, stopExpiring }),
  };
}

interface Running extends Pick<AppParts, 'lifecycle' | 'sender' | 'metrics' | 'log' | 'sessions' | 'store'> {
  server: Listening;
  cluster: Cluster | undefined;
  stopReloading(): Promise<void>;
  stopExpiring(): void;
}

/** From the outside in: what still comes is answered, or sent to another node, as long as that can be. */
async function closeAll({ lifecycle, server, cluster, sessions, stopReloading, stopExpiring, ...others }: Running) {
  lifecycle.isStopping = true;
  await stopReloading();
  stopExpiring();
  if (cluster) {
    // First, so that no connection is cut that was made and not yet seen: those who try another node then lose nothing.
    server.stopListening();
    await cluster.stop();
  }
  const stopped = server.stop();
  await sessions.stop();
  await stopped;
  others.sender.close();
  cluster?.close();
  others.metrics.close();
  await others.store.close();
  await others.log.close();
}

async function warnOfGone(sessions: Sessions, fixtures: Fixtures, log: Log): Promise<void> {
  for (const words of await whatIsGone(sessions, fixtures)) {
    log.warn(`${words}; choose another one`);
  }
}

/** Nodes that share a store share it: a call may be answered by any of them. */
function newControlToken(store: Store): string {
  return isShared(store) ? createHmac('sha256', store.key).update('control token').digest('base64url') : nanoid();
}

/** How often it is looked for sessions that nobody uses any more, in milliseconds. */
const EXPIRY_MS = 1000;

/** Drops sessions that were not called for so long. Returns how to stop that. */
function expireUnused(sessions: Sessions, milliseconds: number | undefined, onError: (error: unknown) => void) {
  return milliseconds === undefined
    ? () => {}
    : every(EXPIRY_MS, () => void sessions.expire(milliseconds).catch(onError));
}

/** What sessions leave to the layers above them. */
function hooksOf({
  settings,
  log,
  metrics,
  sender,
  load,
}: Pick<AppParts, 'settings' | 'log' | 'metrics' | 'sender' | 'load'>): SessionHooks {
  return {
    onEvents: (transaction, events) => keepDeliveries(transaction, events, settings.webhookUrl),
    jobs: jobTable(deliveryJob(sender, () => load.isHigh)),
    onPublished: (sessionName, events) => {
      metrics.events(events);
      for (const event of events) {
        log.event(sessionName, event);
      }
    },
    onJobFailed: (kind, recordId, error) =>
      error instanceof Refusal
        ? log.warn(`${kind} ${recordId}: ${error.message}`)
        : log.error(`${kind} ${recordId} failed`, error),
    onError: (error) => log.error('the sandbox failed', error),
  };
}
