import { codeOf } from '../base/errors.ts';
import type { SandboxClient } from '../client/client.ts';
import { ControlError } from '../client/control-error.ts';
import { type Examiner, loadFixtures } from '../server/index.ts';
import { startWith } from '../start-with.ts';
import { loadAdapter } from './adapters/adapters.ts';
import { parseNames, type Selection } from './cases/selection.ts';
import { Examination } from './examination.ts';
import type { ExaminationOptions } from './examination-options.ts';
import { EarlierOrders } from './observation/earlier-orders.ts';
import { type Scope, WHOLE_SHOP } from './scope.ts';
import { type Adapter, AdapterError } from './shop/adapter.ts';
import type { ExaminedShop } from './shop/examined-shop.ts';
import { QuietPeriod } from './shop/quiet-period.ts';
import { choosePort } from './shop/shop-port.ts';
import { ShopProcess } from './shop/shop-process.ts';

/** The port of the sandbox, for a shop that the examination does not start. */
export const DEFAULT_PORT = 4100;
const SESSION = 'examination';
export const CURRENCY = 'USD';

export interface SetUpOptions {
  /** The path of the adapter. */
  file: string;
  /** The command that starts the shop; undefined if it runs already. */
  command: string | undefined;
  /** The shop's address, if it differs from that in the adapter. */
  app: string | undefined;
  /** The command that reads the state of an order in place of the adapter's orderState. */
  stateCommand?: string | undefined;
  /** The session that a running shop calls; a shop with a command gets a new one in the same sandbox. Undefined to start a sandbox. */
  runningSandbox: SandboxClient | undefined;
  /** The shop's environment apart from the sandbox's address; WEBHOOK_SECRET is the secret of the endpoint. */
  environment: Readonly<Record<string, string>> & { WEBHOOK_SECRET: string };
  /** Shown in the console of a sandbox that is started for the examination. */
  examiner: Examiner | undefined;
  /** Ends the wait for the shop. */
  signal: AbortSignal | undefined;
}

export interface ExamineRequest extends Omit<ExaminationOptions, 'selection' | 'currency' | 'scope'> {
  /** Names of channels, invariants, situations and findings; empty to examine everything. */
  only: readonly string[];
}

/** A shop and a sandbox that are ready for an examination. */
export interface PreparedShop {
  /** The session that the shop calls. */
  client: SandboxClient;
  adapter: Adapter;
  /** Throws AdapterError for an unknown name in `only`. */
  createExamination(options: ExamineRequest): Promise<Examination>;
  close(): Promise<void>;
}

/** Functions that release resources; the last one is called first. */
export type Cleanup = (() => Promise<unknown>)[];

export async function cleanUp(cleanup: Cleanup): Promise<void> {
  for (const step of cleanup.splice(0).reverse()) {
    await step();
  }
}

/** Starts the sandbox and the shop if necessary. Throws AdapterError if they or the adapter cannot be used, or the reason of the signal. */
export async function setUp(given: SetUpOptions): Promise<PreparedShop> {
  const options = await choosePort(given);
  const { adapter, close: closeAdapter } = await loadAdapter(options.file, options);
  const cleanup: Cleanup = [closeAdapter];
  const close = () => cleanUp(cleanup);
  try {
    const client = await prepareClient(options, cleanup);
    const shopProcess = await startShop({ ...options, app: adapter.app }, client, cleanup);
    const secret = options.environment.WEBHOOK_SECRET;
    const webhook = adapter.webhookUrl === undefined ? undefined : { url: adapter.webhookUrl, secret };
    const target: ExaminedShop = {
      adapter,
      client,
      webhook,
      quietPeriod: new QuietPeriod(adapter.patienceMs),
      earlierOrders: new EarlierOrders(),
      shopProcess,
    };
    const createExamination = async ({ only, ...request }: ExamineRequest) =>
      new Examination(target, {
        ...request,
        selection: await parseSelection(only, WHOLE_SHOP),
        scope: WHOLE_SHOP,
        currency: CURRENCY,
      });
    return { adapter, client, createExamination, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Throws AdapterError if the port is in use; 0 is any free port. */
export async function startOwnSandbox(port: number, examiner: Examiner | undefined) {
  try {
    return await startWith({ examiner }, { port, ids: 'differ' });
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE'
      ? new AdapterError(
          `port ${port} is already in use: stop the program that uses it or, if it is a sandbox, use --url http://127.0.0.1:${port}`,
        )
      : error;
  }
}

/** The client of the session that the shop calls. Throws AdapterError if its ids repeat after a reset, because shops remember old ones. */
export async function prepareClient(
  { command, runningSandbox, examiner }: Pick<SetUpOptions, 'command' | 'runningSandbox' | 'examiner'>,
  cleanup: Cleanup,
  port = command === undefined ? DEFAULT_PORT : 0,
): Promise<SandboxClient> {
  if (!runningSandbox) {
    const sandbox = await startOwnSandbox(port, examiner);
    cleanup.push(() => sandbox.close());
    return sandbox.client;
  }
  if (command !== undefined) {
    const client = await runningSandbox.createSession(`${SESSION}-${process.pid}`, { ids: 'differ' });
    cleanup.push(() => runningSandbox.deleteSession(client.session));
    return client;
  }
  const found = await runningSandbox.state().catch((error: unknown) => {
    if (error instanceof ControlError && error.status === 404) {
      return undefined;
    }
    throw error;
  });
  if (!found) {
    await runningSandbox.createSession(runningSandbox.session, { ids: 'differ' });
    cleanup.push(() => runningSandbox.deleteSession(runningSandbox.session));
    return runningSandbox;
  }
  const { state } = found as { state: { ids: string } };
  if (state.ids !== 'differ') {
    throw new AdapterError(
      `session ${runningSandbox.session} reuses its ids after each order, so a shop would take new notifications for repeated ones: start the sandbox with --ids differ and new data`,
    );
  }
  return runningSandbox;
}

/** Throws AdapterError, or the signal's reason if it fires. */
export async function startShop(
  { command, app, environment, signal }: Omit<SetUpOptions, 'file' | 'runningSandbox' | 'examiner'>,
  { baseUrl }: Pick<SandboxClient, 'baseUrl'>,
  cleanup: Cleanup,
): Promise<ShopProcess | undefined> {
  if (command === undefined) {
    return undefined;
  }
  if (app === undefined) {
    throw new AdapterError(
      'the address of the shop is unknown: use --app, such as --app http://127.0.0.1:3000, or export app from an adapter, which examine --init writes',
    );
  }
  const shop = new ShopProcess({ command, app, environment: { ...environment, PAYMENTS_URL: baseUrl } });
  cleanup.push(() => shop.stop());
  await shop.start(signal);
  return shop;
}

/** Throws AdapterError for an unknown name. */
export async function parseSelection(only: readonly string[], scope: Scope): Promise<Selection> {
  const { channels } = await loadFixtures();
  return parseNames(
    only,
    channels.channels.map(({ id }) => id),
    scope,
  );
}
