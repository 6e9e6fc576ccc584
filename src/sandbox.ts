import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { nanoid } from 'nanoid';
import { SandboxClient } from './client.ts';
import { isLoopback } from './control/guard.ts';
import { openApiDocument } from './control/openapi.ts';
import { controlDoor, describeControl } from './control/router.ts';
import { doWhatIsDue } from './due.ts';
import { FixtureError, type Fixtures, loadFixtures } from './fixtures.ts';
import { createLog, type Log } from './log.ts';
import { describeOperations } from './merchant-api/describe.ts';
import { merchantApi } from './merchant-api/merchant-api.ts';
import { payerDoor } from './payer/payer-door.ts';
import { afterRealTime } from './session/clock.ts';
import type { LoggedRequest } from './session/request-log.ts';
import { Sessions } from './session/sessions.ts';
import { type Target, targetOf } from './session/target.ts';
import { resolveSettings, type Settings } from './settings.ts';
import { openStore } from './store/lowdb.ts';
import type { Store } from './store/store.ts';
import { VERSION } from './version.ts';

/** A sandbox that is listening. */
export interface Sandbox {
  /** Base address, e.g. http://127.0.0.1:4100. */
  url: string;
  /** What control calls must show; undefined on loopback, where they need nothing. */
  controlToken: string | undefined;
  settings: Readonly<Settings>;
  fixtures: Fixtures;
  /** The control interface of the session `default`. */
  client: SandboxClient;
  /** The control interface of a session of its own; its `baseUrl` is what an integration under test points to. */
  session(name: string): SandboxClient;
  /** Base address of a session of its own; the session is made on first use. */
  sessionUrl(name: string): string;
  /** Lets the process end although the sandbox is still listening. */
  unref(): void;
  /** Finishes the requests that are under way, writes everything down and lets go of port and file. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox in this process. Rejects with SettingsError, FixtureError, StoreError or the error of listening.
 * Left out, data is `:memory:`, the port a free one and the log quiet; the rest takes the flag table's defaults.
 */
export async function startSandbox(settings: Partial<Settings> = {}): Promise<Sandbox> {
  const sandbox = await start(
    Object.freeze({ ...resolveSettings({}), port: 0, data: ':memory:', quiet: true, ...settings }),
  );
  // A test that forgets to close it must still be able to end.
  sandbox.unref();
  return sandbox;
}

/** Starts a sandbox with settings that are complete. */
export async function start(settings: Readonly<Settings>): Promise<Sandbox> {
  const log = createLog({ level: settings.logLevel, format: settings.logFormat, quiet: settings.quiet });
  const fixtures = await loadFixtures(settings.fixtures);
  if (!fixtures.scenarios.has(settings.scenario)) {
    const known = [...fixtures.scenarios.keys()].sort().join(', ');
    throw new FixtureError('--scenario', `there is no scenario ${settings.scenario}; there are ${known}`);
  }
  const { data: file, syncToDisk } = settings;
  const store = await openStore({ file, syncToDisk, onWarning: (message) => log.warn(message) });
  try {
    return await serve({ settings, fixtures, store, log });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Parts {
  settings: Readonly<Settings>;
  fixtures: Fixtures;
  store: Store;
  log: Log;
}

async function serve({ settings, fixtures, store, log }: Parts): Promise<Sandbox> {
  let publicUrl = settings.publicUrl ?? '';
  const current = () => fixtures;
  const onError = (error: unknown) => log.error('the sandbox failed', error);
  const sessions = new Sessions(
    {
      store,
      fixtures: current,
      publicUrl: () => publicUrl,
      hooks: { onEvents: async () => undefined, whenDue: doWhatIsDue, onError },
    },
    { seed: settings.seed, scenario: settings.scenario, now: settings.now, limit: settings.maxSessions },
  );
  const merchant = merchantApi(sessions, {
    fixtures: current,
    lenient: settings.validation === 'lenient',
    openRegistration: settings.merchants === 'open',
    checkAnswers: settings.checkAnswers,
    sendSample: async () => ({}),
    onDone: (entry) => logRequest(log, entry),
    onError,
  });
  const token = isLoopback(settings.host) ? undefined : (settings.controlToken ?? nanoid());
  const hosts = settings.publicUrl === undefined ? [] : [new URL(settings.publicUrl).hostname];
  const control = controlDoor(
    {
      sessions,
      fixtures: current,
      version: VERSION,
      describe: (baseUrl) =>
        openApiDocument([...describeOperations(current()), ...describeControl()], VERSION, baseUrl),
    },
    { token, hosts },
    onError,
  );
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    const target = targetOf(request);
    response.locals['target'] = target;
    request.url = target.url;
    next();
  });
  const payer = payerDoor(sessions, onError);
  app.use('/pay', (request, response) => payer(response.locals['target'] as Target, request, response));
  app.use('/_sandbox', control);
  app.use((request, response) => merchant(response.locals['target'] as Target, request, response));

  const server = createServer(app);
  await sessions.load();
  const url = await listen(server, settings);
  publicUrl ||= url;
  await sessions.resume();
  return {
    url,
    controlToken: token,
    settings,
    fixtures,
    client: new SandboxClient({ url, controlToken: token }),
    session: (name) => new SandboxClient({ url, session: name, controlToken: token }),
    sessionUrl: (name) => `${url}/s/${encodeURIComponent(name)}`,
    unref: () => server.unref(),
    async close() {
      const stopped = stop(server);
      await sessions.close();
      await stopped;
      await store.close();
    },
  };
}

async function listen(server: Server, { port, host }: Settings): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
}

/** How long requests under way may take to finish, in milliseconds; one that a fault leaves unanswered never does. */
const GRACE = 1000;

/** No new connections; requests under way are finished, connections that only wait are cut. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    afterRealTime(GRACE, () => server.closeAllConnections());
  });
}

function logRequest(log: Log, entry: LoggedRequest): void {
  const { method, path, operation, answer, milliseconds, id, session, outcome } = entry;
  log.request({
    method,
    path,
    operation,
    status: answer?.status ?? null,
    ms: milliseconds,
    request: id,
    session,
    outcome,
  });
}
