import { isCaught } from '../../base/catch.ts';
import type { SandboxClient } from '../../client/client.ts';
import { caseOf } from '../cases/case.ts';
import { WHOLE_SHOP } from '../scope.ts';
import { type Cleanup, cleanUp, DEFAULT_PORT, parseSelection, startOwnSandbox, startShop } from '../set-up.ts';
import { AdapterError } from '../shop/adapter.ts';
import { choosePort } from '../shop/shop-port.ts';
import type { Situation } from '../situations/situation.ts';
import { invariantsOf } from '../verdicts/verdicts.ts';
import { OrderWatch, type WatchOptions } from './order-watch.ts';
import { WATCHABLE } from './watch-scenario.ts';

export interface WatchSetUpOptions {
  /** The command that starts the shop, and the shop's address; undefined if it runs already. */
  command: string | undefined;
  app: string | undefined;
  /** The shop's webhook address; undefined if the sandbox has it already, or the shop has none. */
  webhookUrl: string | undefined;
  /** The session that the shop calls in a running sandbox; undefined to start a sandbox for the watch. */
  runningSandbox: SandboxClient | undefined;
  /** The shop's environment apart from the sandbox's address. */
  environment: Readonly<Record<string, string>> & { WEBHOOK_SECRET: string };
}

type WatchRequest = Omit<WatchOptions, 'situations' | 'channels'> & { only: readonly string[] };

/** A sandbox and a shop that are ready to be watched. */
export interface PreparedWatch {
  /** The address that the shop must call. */
  url: string;
  /** The addresses of the receivers of notifications. */
  receivers: readonly string[];
  /** Throws AdapterError for a name in `only` that cannot be watched. */
  createWatch(options: WatchRequest): Promise<{ watch: OrderWatch; situations: readonly Situation[] }>;
  close(): Promise<void>;
}

/** Starts the sandbox and the shop if necessary. Throws AdapterError. */
export async function setUpWatch(given: WatchSetUpOptions): Promise<PreparedWatch> {
  const options = await choosePort(given);
  const cleanup: Cleanup = [];
  const close = () => cleanUp(cleanup);
  try {
    const client = await sandboxFor(options, cleanup);
    if (options.webhookUrl !== undefined) {
      await client.setEndpoints([{ url: options.webhookUrl, secret: options.environment.WEBHOOK_SECRET }]);
    }
    await startShop({ ...options, signal: undefined }, client, cleanup);
    const receivers = (await client.endpoints()).endpoints.flatMap((each) => (isCaught(each) ? [] : each.url));
    const createWatch = async ({ only, ...request }: WatchRequest) => {
      const { channels, namedIds } = await parseSelection(only, WHOLE_SHOP);
      const situations = selectSituations(namedIds, receivers.length > 0);
      return { watch: new OrderWatch(client, { ...request, channels, situations }), situations };
    };
    return { url: client.baseUrl, receivers, createWatch, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function sandboxFor({ command, runningSandbox }: WatchSetUpOptions, cleanup: Cleanup): Promise<SandboxClient> {
  if (!runningSandbox) {
    const sandbox = await startOwnSandbox(command === undefined ? DEFAULT_PORT : 0, undefined);
    cleanup.push(() => sandbox.close());
    return sandbox.client;
  }
  const { mode } = await runningSandbox.clock();
  if (mode === 'frozen') {
    throw new AdapterError(
      `the clock of session ${runningSandbox.session} is frozen, but a watch needs real time: run merchant-sandbox clock real`,
    );
  }
  return runningSandbox;
}

/** The situations that are selected by their id or an invariant; all if the selection is empty. Throws AdapterError if none is left. */
function selectSituations(ids: readonly string[], isNotified: boolean): Situation[] {
  const possible = WATCHABLE.filter(({ kind }) => isNotified || kind !== 'notification');
  const found = possible.filter(
    (each) => ids.length === 0 || ids.includes(each.id) || invariantsOf(caseOf([each])).some((id) => ids.includes(id)),
  );
  if (found.length === 0) {
    const names = possible.map(({ id }) => id).join(', ');
    throw new AdapterError(
      `the traffic shows nothing about ${ids.join(', ')}; without an adapter, you can use ${names}`,
    );
  }
  return found;
}
