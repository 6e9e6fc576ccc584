import { isCaught } from '../../base/catch.ts';
import type { SandboxClient } from '../../client/client.ts';
import { caseOf } from '../cases/case.ts';
import { WHOLE_SHOP } from '../scope.ts';
import { type Closing, closeAll, DEFAULT_PORT, parseSelection, startOwnSandbox, startShop } from '../set-up.ts';
import { AdapterError } from '../shop/adapter.ts';
import { withPort } from '../shop/shop-port.ts';
import type { Situation } from '../situations/situation.ts';
import { invariantsOf } from '../verdicts/verdicts.ts';
import { WATCHED } from './scenario.ts';
import { OrderWatch, type WatchOptions } from './watch.ts';

export interface WatchSetUpOptions {
  /** What starts the shop, and where it answers; undefined where it runs already. */
  command: string | undefined;
  app: string | undefined;
  /** Where the shop takes notifications; undefined where the sandbox knows, or there is no such place. */
  webhookUrl: string | undefined;
  /** A running sandbox, in the session that the shop calls; undefined for one of the watch's own. */
  running: SandboxClient | undefined;
  /** What the shop is told beside the sandbox's address. */
  environment: Readonly<Record<string, string>> & { WEBHOOK_SECRET: string };
}

type Wanted = Omit<WatchOptions, 'situations' | 'channels'> & { only: readonly string[] };

/** A sandbox, and a shop where one is to be started, that are ready to be watched. */
export interface WatchSetting {
  /** Where the shop has to call. */
  url: string;
  /** Where notifications go. */
  receivers: readonly string[];
  /** Throws AdapterError for what is named in `only` and cannot be watched. */
  watch(options: Wanted): Promise<{ watch: OrderWatch; situations: readonly Situation[] }>;
  close(): Promise<void>;
}

/** Starts what is to be started. Throws AdapterError. */
export async function setUpWatch(given: WatchSetUpOptions): Promise<WatchSetting> {
  const options = await withPort(given);
  const closing: Closing = [];
  const close = () => closeAll(closing);
  try {
    const client = await sandboxFor(options, closing);
    if (options.webhookUrl !== undefined) {
      await client.setEndpoints([{ url: options.webhookUrl, secret: options.environment.WEBHOOK_SECRET }]);
    }
    await startShop({ ...options, signal: undefined }, client, closing);
    const receivers = (await client.endpoints()).endpoints.flatMap((each) => (isCaught(each) ? [] : each.url));
    const watch = async ({ only, ...more }: Wanted) => {
      const { channels, named } = await parseSelection(only, WHOLE_SHOP);
      const situations = situationsOf(named, receivers.length > 0);
      return { watch: new OrderWatch(client, { ...more, channels, situations }), situations };
    };
    return { url: client.baseUrl, receivers, watch, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function sandboxFor({ command, running }: WatchSetUpOptions, closing: Closing): Promise<SandboxClient> {
  if (!running) {
    const sandbox = await startOwnSandbox(command === undefined ? DEFAULT_PORT : 0, undefined);
    closing.push(() => sandbox.close());
    return sandbox.client;
  }
  const { mode } = await running.clock();
  if (mode === 'frozen') {
    throw new AdapterError(
      `the clock of session ${running.session} is frozen, but a watch needs real time: run merchant-sandbox clock real`,
    );
  }
  return running;
}

/** Those that are named by themselves or by an invariant; all where none are. */
function situationsOf(named: readonly string[], isNotified: boolean): Situation[] {
  const possible = WATCHED.filter(({ kind }) => isNotified || kind !== 'notification');
  const found = possible.filter(
    (each) =>
      named.length === 0 || named.includes(each.id) || invariantsOf(caseOf([each])).some((id) => named.includes(id)),
  );
  if (found.length === 0) {
    const known = possible.map(({ id }) => id).join(', ');
    throw new AdapterError(
      `the traffic shows nothing of ${named.join(', ')}; without an adapter, you can use ${known}`,
    );
  }
  return found;
}
