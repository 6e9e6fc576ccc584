import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { printableLines } from '../../base/text/printable.ts';
import { afterMilliseconds } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { Examination, Examined } from '../../examine/examination.ts';
import { type Command, type Options, type Shown, UsageError } from './command.ts';
import { endOfInput } from './input.ts';
import { progressOn } from './progress.ts';
import { askedToEnd } from './shutdown.ts';

const DEFAULT_ADAPTER = './examine.mjs';
const DEFAULT_BUDGET = '60s';
const DEFAULT_BUNDLES = 'examination';

/** What a shop is told where it is started: a merchant of the fixtures. */
const MERCHANT = {
  MERCHANT_ID: 'M-1000',
  MERCHANT_API_KEY: 'test-api-key-1000',
  MERCHANT_KEY: 'test-merchant-key-1000',
};
/** The secret of the examination's endpoint, where the environment names none. */
const SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgZXhhbWluYXRpb24=';

/** Examines a shop: whether it is right, whatever the provider does. */
export const EXAMINE_COMMAND: Command = {
  name: 'examine',
  parameters: ['[adapter]'],
  options: [
    { flags: '--init', help: `write an adapter to fill in, ${DEFAULT_ADAPTER} where none is named` },
    { flags: '--watch', help: `place no orders and watch yours, as where there is no ${DEFAULT_ADAPTER}` },
    { flags: '--webhook <url>', help: 'where the shop takes notifications, for a watch' },
    { flags: '--dry-run', help: 'place one order on each channel, and tell what is seen on both sides' },
    { flags: '--command <command>', help: 'start the shop with this, and end it after the examination' },
    { flags: '--app <address>', help: "the shop's address; left out, the adapter's" },
    { flags: '--only <ids>', help: 'only these invariants, situations or channels, e.g. I3,notified-twice' },
    {
      flags: '--budget <time>',
      help: `until when combinations are tried, e.g. 5m (default ${DEFAULT_BUDGET}), or orders watched`,
    },
    {
      flags: '--seed <number>',
      help: 'draws amounts and combinations (default 1); of a watch, the situation that comes first',
    },
    { flags: '--strict', help: 'what is not exercised fails, too' },
    { flags: '--json <file>', help: 'write the verdicts as JSON' },
    { flags: '--junit <file>', help: 'write the verdicts as JUnit XML' },
    { flags: '--html <file>', help: 'write the report as one HTML file' },
    { flags: '--bundles <folder>', help: `where violations are kept to be replayed (default ${DEFAULT_BUNDLES})` },
  ],
  help: 'examine your shop: place orders, disturb every call and notification, and see whether money and goods stay right',
  details: () => 'Exit codes: 0 nothing is violated, 1 something is, 2 it could not be told.',
  findsSandbox: true,
  run: async (client, [file], options) => {
    if (options['init'] === true) {
      return writeAdapter(file ?? DEFAULT_ADAPTER);
    }
    return isWatch(file, options) ? watch(client, options) : examine(client, file ?? DEFAULT_ADAPTER, options);
  },
};

/** Throws UsageError for options that do not go together. */
function isWatch(file: string | undefined, { watch: isAsked, dryRun, webhook }: Options): boolean {
  if (isAsked === true && (file !== undefined || dryRun === true)) {
    throw new UsageError('--watch takes no adapter and places no order: it watches those that you place');
  }
  const isWatched = isAsked === true || (file === undefined && dryRun !== true && !existsSync(DEFAULT_ADAPTER));
  if (!isWatched && webhook !== undefined) {
    throw new UsageError('--webhook is for a watch: an adapter exports webhookUrl');
  }
  return isWatched;
}

/** Reads the wire while the user, or the user's tests, place orders. */
async function watch(client: SandboxClient, options: Options): Promise<Shown> {
  const { AdapterError } = await import('../../examine/adapter.ts');
  const { setUpWatch } = await import('../../examine/watch/set-up.ts');
  const { introductionOf, summaryOfWatch } = await import('../../examine/watch/words.ts');
  const seed = seedOf(options['seed']);
  const stop = new AbortController();
  void Promise.race([askedToEnd({ withParent: false }), endOfInput()]).then(() => stop.abort());
  if (options['budget'] !== undefined) {
    afterMilliseconds(budgetOf(options['budget']), () => stop.abort());
  }
  const say = (text: string) => process.stderr.write(`${printableLines(text)}\n`);
  const folder = textOf(options['bundles']) ?? DEFAULT_BUNDLES;
  try {
    const setting = await setUpWatch({
      command: textOf(options['command']),
      app: textOf(options['app']),
      webhookUrl: textOf(options['webhook']),
      running: options['urlIsGiven'] === true ? client : undefined,
      environment: environmentOf(),
    });
    try {
      const { watch: watching, situations } = await setting.watch({
        seed,
        only: listOf(options['only']),
        signal: stop.signal,
        keepBundle: (bundle) => keep(join(folder, 'watch.bundle'), bundle),
        onSight: say,
      });
      const watched = await watching.run(() =>
        say(introductionOf(setting, { ...MERCHANT, ...shownSecret() }, situations)),
      );
      return { ...(await report(watched.examined, options)), text: summaryOfWatch(watched, setting.url) };
    } finally {
      await setting.close();
    }
  } catch (error) {
    throw error instanceof AdapterError ? new UsageError(error.message) : error;
  }
}

/** One of the user's own is not printed. */
function shownSecret() {
  return { WEBHOOK_SECRET: process.env['WEBHOOK_SECRET'] === undefined ? SECRET : '(as in the environment)' };
}

function environmentOf() {
  return { ...MERCHANT, WEBHOOK_SECRET: process.env['WEBHOOK_SECRET'] ?? SECRET };
}

async function writeAdapter(file: string): Promise<Shown> {
  const { ADAPTER_TEMPLATE } = await import('../../examine/template.ts');
  try {
    writeFileSync(file, ADAPTER_TEMPLATE, { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`);
  }
  const text = `${file}: fill in placeOrder and orderState, then see that they work: merchant-sandbox examine ${file} --dry-run`;
  return { data: { file }, text };
}

async function examine(client: SandboxClient, file: string, options: Options): Promise<Shown> {
  const { AdapterError } = await import('../../examine/adapter.ts');
  const { setUp } = await import('../../examine/set-up.ts');
  const [budgetMs, seed] = [budgetOf(options['budget']), seedOf(options['seed'])];
  const stop = new AbortController();
  void askedToEnd({ withParent: false }).then(() => stop.abort(new UsageError('the examination was stopped')));
  const progress = progressOn(process.stderr);
  const folder = textOf(options['bundles']) ?? DEFAULT_BUNDLES;
  try {
    const setting = await setUp({
      file,
      command: textOf(options['command']),
      app: textOf(options['app']),
      running: options['urlIsGiven'] === true ? client : undefined,
      environment: environmentOf(),
    });
    try {
      const examination = await setting.examination({
        budgetMs,
        seed,
        only: listOf(options['only']),
        signal: stop.signal,
        keepBundle: (id, bundle) => keep(join(folder, `${id}.bundle`), bundle),
        onProgress: progress.show,
      });
      return options['dryRun'] === true ? await tryOut(examination) : await report(await examination.run(), options);
    } finally {
      progress.end();
      await setting.close();
    }
  } catch (error) {
    throw error instanceof AdapterError ? new UsageError(error.message) : error;
  }
}

/** One order on each channel, as both sides see it. */
async function tryOut(examination: Examination): Promise<Shown> {
  const tried = await examination.tryOut();
  const text = tried.flatMap(({ lines, problem }) => [...lines, problem ?? 'this works', '']).join('\n');
  return { data: tried, text: text.trimEnd(), isUnknown: tried.every(({ problem }) => problem !== undefined) };
}

async function report(examined: Examined, options: Options): Promise<Shown> {
  const { REPORTS } = await import('../../examine/report/reports.ts');
  const { summaryOf } = await import('../../examine/report/summary.ts');
  for (const kind of ['json', 'junit', 'html'] as const) {
    const file = textOf(options[kind]);
    if (file !== undefined) {
      keep(file, REPORTS[kind](examined));
    }
  }
  return { data: examined, text: summaryOf(examined), ...endOf(examined, options['strict'] === true) };
}

/** How the command ends: with what is known for sure first. */
function endOf({ counts }: Examined, isStrict: boolean): Pick<Shown, 'isFailure' | 'isUnknown'> {
  const isKnown = counts.handled + counts['handled-after-reconcile'] > 0 && counts.inconclusive === 0;
  const isBroken = counts.violated > 0 || (isStrict && counts['not-exercised'] > 0);
  return { isFailure: isBroken, isUnknown: !isBroken && !isKnown };
}

function textOf(given: Options[string]): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

function listOf(given: Options[string]): string[] {
  const words = (textOf(given) ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function budgetOf(given: Options[string]): number {
  const text = textOf(given) ?? DEFAULT_BUDGET;
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
  if (number === undefined) {
    throw new UsageError(`--budget takes a time such as 60s, 5m or 1h, not ${JSON.stringify(text)}`);
  }
  return Number(number) * (UNITS[unit] ?? 1);
}

function seedOf(given: Options[string]): number {
  const text = textOf(given) ?? '1';
  if (!/^\d{1,15}$/.test(text)) {
    throw new UsageError(`--seed takes a whole number, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

/** Writes a file, and the folder that it is to be in. Returns its name. */
function keep(file: string, text: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`);
  }
}
