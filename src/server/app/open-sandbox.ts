import { nanoid } from 'nanoid';
import { isLoopback } from '../../base/addresses.ts';
import { wrongValueMessage } from '../../base/flag-values.ts';
import { Refusal } from '../../base/refusal.ts';
import { runEvery } from '../../base/timers.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { SettingsError } from '../config/resolve-settings.ts';
import type { Settings } from '../config/settings.ts';
import { stampOf } from '../config/watch-fixtures.ts';
import type { ControlOperation } from '../control-api/control-operation.ts';
import type { Examiner } from '../control-api/examiner.ts';
import { Sender } from '../domain/webhooks/sender.ts';
import { CoverageRecorder } from '../findings/coverage/coverage-recorder.ts';
import { createLog, type Log } from '../http/access-log.ts';
import { applicationOf } from '../http/application.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import { type ListeningServer, listen } from '../http/server.ts';
import { type Tls, tlsFor } from '../http/tls/tls.ts';
import { addressesOf } from '../sessions/session-addresses.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { CallLoad } from './call-load.ts';
import { closeAll } from './close.ts';
import { EMBEDDED_ENGINE } from './embedded-engine.ts';
import { createApp } from './entry-points.ts';
import { describeMissingNames, type FixtureFolder, reloadFixtures } from './fixture-reload.ts';
import { Histories } from './histories.ts';
import type { ListeningSandbox } from './listening-sandbox.ts';
import { type OpenedBundle, restoreBundle } from './opened-bundle.ts';
import { readFixtures } from './read-fixtures.ts';
import { createSessions } from './sandbox-sessions.ts';
import type { Front, OpenedStore, StoreEngine, StoreListener } from './store-engine.ts';

/** Parts that only some sandboxes have. */
export interface OptionalParts {
  operations: readonly ControlOperation[];
  /** Returns the sender for notifications, which may wrap the given one. */
  wrapSender(sender: Sender): Pick<Sender, 'send'>;
}

export interface OpenOptions {
  /** A session to restore from a file. */
  bundle?: OpenedBundle | undefined;
  examiner?: Examiner | undefined;
  additions?: OptionalParts | undefined;
  /** Store engines besides the embedded one. */
  engines?: readonly StoreEngine[] | undefined;
}

/** Opens a sandbox with these settings, to which no defaults are added. */
export async function openSandbox(
  settings: Readonly<Settings>,
  { bundle, examiner, additions, engines = [] }: OpenOptions = {},
): Promise<{ sandbox: ListeningSandbox; sessions: Sessions }> {
  const engine = findEngine(settings, [EMBEDDED_ENGINE, ...engines]);
  const log = createLog(settings);
  const sender = createSender(settings);
  const { fixtures: folder } = settings;
  const watched = folder === undefined ? undefined : { folder, stamp: await stampOf(folder) };
  const fixtures = bundle?.fixtures ?? (await readFixtures(settings));
  const tls = await tlsFor(settings, (message) => log.warn(message));
  const listener = { onRecovered: () => {}, onLost: (_session: string) => {} };
  const openedStore = await engine.open({ settings, fixtures, log, listener });
  const parts = {
    settings,
    sender,
    fixtures,
    watched,
    tls,
    engine,
    openedStore,
    log,
    listener,
    bundle,
    examiner,
    additions,
  };
  try {
    return await serve(parts);
  } catch (error) {
    await openedStore.store.close();
    await log.close();
    throw error;
  }
}

function findEngine({ data }: Readonly<Settings>, engines: readonly StoreEngine[]): StoreEngine {
  const engine = engines.find((each) => each.accepts(data));
  if (!engine) {
    const forms = engines.map((each) => each.forms).join(' or ');
    throw new SettingsError(wrongValueMessage('--data', data, `must be ${forms}`));
  }
  return engine;
}

/** The sender of notifications. Throws SettingsError if `--webhook-url` is an address that must not be called. */
function createSender({ host, allowWebhookHost, webhookUrl }: Readonly<Settings>): Sender {
  const sender = new Sender({ isExposed: !isLoopback(host), allowedHosts: allowWebhookHost });
  try {
    if (webhookUrl !== undefined) {
      sender.checkEndpoint(webhookUrl);
    }
  } catch (error) {
    throw error instanceof Refusal ? new SettingsError(`--webhook-url: ${error.message}`) : error;
  }
  return sender;
}

interface ServeParts {
  settings: Readonly<Settings>;
  sender: Sender;
  fixtures: Fixtures;
  watched: FixtureFolder | undefined;
  tls: Tls | undefined;
  engine: StoreEngine;
  openedStore: OpenedStore;
  log: Log;
  /** Its functions are replaced once the sessions exist. */
  listener: StoreListener;
  bundle: OpenedBundle | undefined;
  examiner: Examiner | undefined;
  additions: OptionalParts | undefined;
}

async function serve({ fixtures: loadedFixtures, ...options }: ServeParts) {
  const { settings, watched, tls, engine, openedStore, log, listener, bundle, sender, ...others } = options;
  const { store, key } = openedStore;
  const { host } = settings;
  let publicUrl = settings.publicUrl ?? '';
  let fixtures = loadedFixtures;
  const currentFixtures = () => fixtures;
  const onError = (error: unknown) => log.error('the sandbox failed', error);
  const recorders = { metrics: new Metrics(), coverage: new CoverageRecorder(currentFixtures, onError) };
  const transport = others.additions?.wrapSender(sender) ?? sender;
  const lifecycle = { isStopping: false };
  const shared = { settings, log, ...recorders, sender, transport, load: new CallLoad(), lifecycle };
  const sessions = createSessions({ ...shared, store, key, fixtures: currentFixtures, publicUrl: () => publicUrl });
  const controlToken = isLoopback(host) ? undefined : (settings.controlToken ?? openedStore.controlToken ?? nanoid());
  const addressesFor = (sessionName: string) => addressesOf(publicUrl, sessionName);
  const ca = { caCertificate: tls?.authority?.certificate, caFile: tls?.authority?.file };
  const histories = new Histories({ settings, fixtures: currentFixtures, sessions });
  const parts = {
    ...shared,
    ...ca,
    sessions,
    store,
    fixtures: currentFixtures,
    addressesFor,
    histories,
    onError,
    controlToken,
    examiner: others.examiner,
    operations: others.additions?.operations ?? [],
  };
  const app = createApp(parts);
  const front = openedStore.createFront?.({ settings, sessions, log, serve: app, onError });
  if (!front) {
    await sessions.load();
    await warnOfMissingNames(sessions, fixtures, log);
  }
  const requestListener = front?.listener ?? app;
  const server = await listen(requestListener, { host, port: settings.port, secure: tls });
  publicUrl ||= server.url;
  listener.onRecovered = () => void sessions.resume().catch(onError);
  listener.onLost = (session) => sessions.evict(session);
  await resumeSessions(server, sessions, front, bundle);
  const stopExpiring = expireUnused(sessions, settings.sessionTtl, onError);
  const useFixtures = (newFixtures: Fixtures) => {
    fixtures = newFixtures;
    sessions.restartHistories('the fixtures were changed');
  };
  const stopReloading = watched ? reloadFixtures(watched, settings, sessions, log, useFixtures) : async () => {};
  const sandbox: ListeningSandbox = {
    app: applicationOf(requestListener, app),
    url: server.url,
    httpsUrl: server.httpsUrl,
    ...ca,
    controlToken,
    settings,
    fixtures,
    shownData: engine.withoutSecrets(settings.data),
    // With a front, the session may be on another node; its first call creates it.
    openSession: front ? () => {} : (name) => void sessions.open(name),
    sessionUrl: (name) => `${server.url}/s/${encodeURIComponent(name)}`,
    unref: () => server.unref(),
    close: () => closeAll({ ...shared, server, front, sessions, store, stopReloading, stopExpiring }),
  };
  return { sandbox, sessions };
}

/** Runs due jobs, restores the bundle and starts the front, all of which need the address of the sandbox. */
async function resumeSessions(
  server: ListeningServer,
  sessions: Sessions,
  front: Front | undefined,
  bundle: OpenedBundle | undefined,
): Promise<void> {
  try {
    await sessions.resume();
    if (bundle) {
      await restoreBundle(bundle, sessions);
    }
    await front?.start(server.url);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function warnOfMissingNames(sessions: Sessions, fixtures: Fixtures, log: Log): Promise<void> {
  for (const sentence of await describeMissingNames(sessions, fixtures)) {
    log.warn(`${sentence}; choose another one`);
  }
}

const EXPIRY_INTERVAL_MS = 1000;

/** Periodically deletes sessions that have had no call for `milliseconds`. Returns a function that stops this. */
function expireUnused(sessions: Sessions, milliseconds: number | undefined, onError: (error: unknown) => void) {
  return milliseconds === undefined
    ? () => {}
    : runEvery(EXPIRY_INTERVAL_MS, () => void sessions.expire(milliseconds).catch(onError));
}
