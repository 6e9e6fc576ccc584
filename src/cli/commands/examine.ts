import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { printable } from '../../base/text/printable.ts';
import { every } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { Adapter } from '../../examine/adapter.ts';
import type { Baseline } from '../../examine/baseline.ts';
import type { Examination, Examined, LearntWords, Progress } from '../../examine/examination.ts';
import { type Command, type Options, type Shown, UsageError } from './command.ts';
import { keep } from './kept-file.ts';
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
    {
      flags: '--init',
      help: `write an adapter to fill in, ${DEFAULT_ADAPTER} where none is named; one named .json is filled in without code`,
    },
    { flags: '--dry-run', help: 'place one order on each channel, and tell what is seen on both sides' },
    { flags: '--command <command>', help: 'start the shop with this, and end it after the examination' },
    { flags: '--app <address>', help: "the shop's address; left out, the adapter's" },
    { flags: '--only <ids>', help: 'only these invariants, situations, channels or findings, e.g. I3,notified-twice' },
    { flags: '--budget <time>', help: `until when combinations are tried, e.g. 5m (default ${DEFAULT_BUDGET})` },
    { flags: '--seed <number>', help: 'draws amounts and combinations (default 1)' },
    {
      flags: '--baseline <file>',
      help: 'known failures, as a list of ids or an earlier --json: these do not fail; one that is mended does',
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
  run: async (client, [file = DEFAULT_ADAPTER], options) =>
    options['init'] === true ? writeAdapter(file) : examine(client, file, options),
};

async function writeAdapter(file: string): Promise<Shown> {
  const { adapterToFillIn } = await import('../../examine/adapters/init.ts');
  try {
    writeFileSync(file, adapterToFillIn(file), { flag: 'wx' });
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${messageOf(error)}`);
  }
  const text = `${file}: fill in placeOrder and orderState, then see that they work: merchant-sandbox examine ${file} --dry-run`;
  return { data: { file }, text };
}

async function examine(client: SandboxClient, file: string, options: Options): Promise<Shown> {
  const { AdapterError } = await import('../../examine/adapter.ts');
  const { readBaseline } = await import('../../examine/baseline.ts');
  const { setUp } = await import('../../examine/set-up.ts');
  const [budgetMs, seed] = [budgetOf(options['budget']), seedOf(options['seed'])];
  const known = textOf(options['baseline']);
  const stop = new AbortController();
  void askedToEnd({ withParent: false }).then(() => stop.abort(new UsageError('the examination was stopped')));
  const progress = progressOn(process.stderr);
  const folder = textOf(options['bundles']) ?? DEFAULT_BUNDLES;
  try {
    const baseline = known === undefined ? new Set<string>() : readBaseline(known);
    const setting = await setUp({
      file,
      command: textOf(options['command']),
      app: textOf(options['app']),
      running: options['urlIsGiven'] === true ? client : undefined,
      environment: { ...MERCHANT, WEBHOOK_SECRET: process.env['WEBHOOK_SECRET'] ?? SECRET },
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
      return options['dryRun'] === true
        ? await tryOut(examination)
        : await report(await examination.run(), setting.adapter, file, baseline, options);
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
  const { tried, words } = await examination.tryOut();
  const text = tried.flatMap(({ lines, problem }) => [...lines, problem ?? 'this works', '']);
  const isUnknown = tried.every(({ problem }) => problem !== undefined);
  const said = isUnknown ? [] : ["the shop's words, as they are taken:", ...wordLines(words)];
  return { data: { tried, words }, text: [...text, ...said].join('\n').trimEnd(), isUnknown };
}

function wordLines({ open, paid, givenUp }: LearntWords): string[] {
  const line = (what: string, said: readonly string[]) =>
    `  ${what}: ${said.length === 0 ? 'none was seen' : said.join(', ')}`;
  return [line('waits for money', open), line('paid', paid), line('given up', givenUp)];
}

async function report(
  examined: Examined,
  adapter: Adapter,
  file: string,
  baseline: Baseline,
  options: Options,
): Promise<Shown> {
  const { writeReports } = await import('./examination-reports.ts');
  const { summaryOf } = await import('../../examine/report/summary.ts');
  const written = writeReports(examined, adapter, {
    file,
    folder: textOf(options['bundles']) ?? DEFAULT_BUNDLES,
    command: textOf(options['command']),
    app: textOf(options['app']),
    url: options['urlIsGiven'] === true ? textOf(options['url']) : undefined,
    files: { json: textOf(options['json']), junit: textOf(options['junit']), html: textOf(options['html']) },
    stepSummary: process.env['GITHUB_STEP_SUMMARY'],
  });
  const { failuresOf } = await import('../../examine/baseline.ts');
  const { violated, mended } = failuresOf(examined, baseline);
  const isStrict = options['strict'] === true;
  const text = [
    summaryOf(written),
    ...mended.map((id) => `${id} is handled by now: take it out of ${textOf(options['baseline'])}`),
  ].join('\n');
  return { data: written, text, ...endOf(examined, violated.length + mended.length > 0, isStrict) };
}

/** How the command ends: with what is known for sure first. */
function endOf({ counts }: Examined, hasFailed: boolean, isStrict: boolean): Pick<Shown, 'isFailure' | 'isUnknown'> {
  const isKnown = counts.handled + counts['handled-after-reconcile'] + counts.violated > 0 && counts.inconclusive === 0;
  const isBroken = hasFailed || (isStrict && counts['not-exercised'] > 0);
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

/** Milliseconds between two lines where they cannot be written over. */
const BETWEEN_LINES_MS = 10_000;

/** Says what is being examined: on one line of a terminal, or every few seconds where it is kept. */
function progressOn(stream: typeof process.stderr) {
  const { isTTY, columns } = stream;
  let now = '';
  let hasEnded = false;
  const write = (text: string) => stream.write(text);
  const stop = isTTY ? undefined : every(BETWEEN_LINES_MS, () => now && write(`${now}\n`));
  return {
    show({ now: what, done, total, violated }: Progress): void {
      const count = total === 0 ? '' : `${done}/${total} `;
      now = `${count}${what}${violated === 0 ? '' : ` (violated: ${violated})`}`;
      if (isTTY) {
        write(`\r\x1b[2K${printable(now).slice(0, Math.max(10, columns - 1))}`);
      }
    },
    end(): void {
      stop?.();
      if (isTTY && !hasEnded) {
        write('\r\x1b[2K');
      }
      hasEnded = true;
    },
  };
}
