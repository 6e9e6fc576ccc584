import { startExamined } from '../app/sandbox.ts';
import { didYouMean } from '../base/text/nearest.ts';
import type { SandboxClient } from '../client/client.ts';
import { loadFixtures } from '../config/fixtures.ts';
import type { Examiner } from '../entry-points/control-api/examiner.ts';
import { type Adapter, AdapterError, loadAdapter } from './adapter.ts';
import type { Bench } from './case.ts';
import { Examination, type ExaminationOptions } from './examination.ts';
import { INVARIANTS } from './invariants.ts';
import { Patience } from './settled.ts';
import { ShopProcess } from './shop-process.ts';
import { SITUATIONS } from './situations.ts';

/** Where a shop that is not started here expects the sandbox. */
const USUAL_PORT = 4100;
const SESSION = 'examination';
const CURRENCY = 'USD';

export interface SetUpOptions {
  /** The adapter. */
  file: string;
  /** What starts the shop; undefined where it runs already. */
  command: string | undefined;
  /** The shop's address, where it is not the adapter's. */
  app: string | undefined;
  /** A running sandbox, in the session that a running shop calls; undefined for one of the examination's own. */
  running: SandboxClient | undefined;
  /** What the shop is told beside the sandbox's address; its WEBHOOK_SECRET is the endpoint's. */
  environment: Readonly<Record<string, string>> & { WEBHOOK_SECRET: string };
  /** What a sandbox of the examination's own shows in its console. */
  examiner: Examiner | undefined;
}

type Wanted = Pick<ExaminationOptions, 'only'> & Omit<ExaminationOptions, 'channels' | 'currency'>;

/** A shop and a sandbox that are ready for an examination. */
export interface Setting {
  /** The session that the shop calls. */
  client: SandboxClient;
  /** Throws AdapterError for what is named in `only` and not there. */
  examination(options: Wanted): Promise<Examination>;
  close(): Promise<void>;
}

/** Starts what is to be started. Throws AdapterError where the shop or its adapter cannot be used. */
export async function setUp(options: SetUpOptions): Promise<Setting> {
  const adapter = atAddress(await loadAdapter(options.file), options.app);
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) {
      await step();
    }
  };
  try {
    const client = await sandboxFor(options, closing);
    const shop = await shopFor(options, adapter, client.baseUrl);
    if (shop) {
      closing.push(() => shop.stop());
      await shop.start();
    }
    const secret = options.environment.WEBHOOK_SECRET;
    const webhook = adapter.webhookUrl === undefined ? undefined : { url: adapter.webhookUrl, secret };
    const bench: Bench = { adapter, client, webhook, patience: new Patience(), shop };
    const examination = async ({ only, ...more }: Wanted) =>
      new Examination(bench, { ...more, ...(await selected(only)), currency: CURRENCY });
    return { client, examination, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The adapter with the address that is given, and that of its receiver in full. */
function atAddress(adapter: Adapter, app = adapter.app): Adapter {
  const { webhookUrl } = adapter;
  const whole = webhookUrl !== undefined && app !== undefined ? new URL(webhookUrl, app).href : webhookUrl;
  // A module's exports are no members of a spread's target that could be changed: this is a copy.
  return { ...adapter, ...(app === undefined ? {} : { app }), ...(whole === undefined ? {} : { webhookUrl: whole }) };
}

/** The client of the session that the shop calls. Ids must not come again after a reset: shops keep those that they have seen. */
async function sandboxFor(
  { command, running, examiner }: SetUpOptions,
  closing: (() => Promise<unknown>)[],
): Promise<SandboxClient> {
  if (!running) {
    const sandbox = await startExamined(examiner, { port: command === undefined ? USUAL_PORT : 0, ids: 'differ' });
    closing.push(() => sandbox.close());
    return sandbox.client;
  }
  if (command !== undefined) {
    const client = await running.createSession(`${SESSION}-${process.pid}`, { ids: 'differ' });
    closing.push(() => running.deleteSession(client.session));
    return client;
  }
  const { state } = (await running.state()) as { state: { state?: { ids?: string }; ids?: string } };
  if ((state.ids ?? state.state?.ids) !== 'differ') {
    throw new AdapterError(
      `the ids of session ${running.session} come again after each order, and a shop takes notifications that it knows for repeated ones: start the sandbox with --ids differ, and with new data`,
    );
  }
  return running;
}

async function shopFor(
  { command, environment }: SetUpOptions,
  { app }: Adapter,
  baseUrl: string,
): Promise<ShopProcess | undefined> {
  if (command === undefined) {
    return undefined;
  }
  if (app === undefined) {
    throw new AdapterError('where the shop answers is not known: export app from the adapter, or give --app');
  }
  return new ShopProcess({ command, app, environment: { ...environment, PAYMENTS_URL: baseUrl } });
}

/** Throws AdapterError for what is neither an invariant, nor a situation, nor a channel. */
export async function expectKnown(named: readonly string[]): Promise<void> {
  await selected(named);
}

/** Splits what is named into channels and the rest. Throws AdapterError for what is neither. */
async function selected(named: readonly string[]): Promise<Pick<ExaminationOptions, 'channels' | 'only'>> {
  const { channels: fixture } = await loadFixtures();
  const channels = fixture.channels.map(({ id }) => id);
  const others: string[] = [...INVARIANTS, ...SITUATIONS].map(({ id }) => id);
  const unknown = named.find((name) => !channels.includes(name) && !others.includes(name));
  if (unknown !== undefined) {
    const all = [...others, ...channels];
    throw new AdapterError(
      `there is no invariant, situation or channel ${unknown}${didYouMean(unknown, all)}; there are ${all.join(', ')}`,
    );
  }
  const wanted = channels.filter((id) => named.includes(id));
  return { channels: wanted.length === 0 ? channels : wanted, only: named.filter((name) => others.includes(name)) };
}
