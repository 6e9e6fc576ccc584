import { writeFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { printable } from '../../base/text/printable.ts';
import { every } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { Examined, Progress } from '../../examine/examination.ts';
import type { ShopExaminer } from '../../examine/shop-examiner.ts';
import { type Command, type Options, type Shown, UsageError } from './command.ts';
import { BUNDLES, examinerOf, keep } from './examiner.ts';
import { askedToEnd } from './shutdown.ts';

const DEFAULT_ADAPTER = './examine.mjs';
const DEFAULT_BUDGET = '60s';

/** Examines a shop: whether it is right, whatever the provider does. */
export const EXAMINE_COMMAND: Command = {
  name: 'examine',
  parameters: ['[adapter]'],
  options: [
    { flags: '--init', help: `write an adapter to fill in, ${DEFAULT_ADAPTER} where none is named` },
    { flags: '--dry-run', help: 'place one order on each channel, and tell what is seen on both sides' },
    { flags: '--command <command>', help: 'start the shop with this, and end it after the examination' },
    { flags: '--app <address>', help: "the shop's address; left out, the adapter's" },
    { flags: '--only <ids>', help: 'only these invariants, situations or channels, e.g. I3,notified-twice' },
    { flags: '--budget <time>', help: `until when combinations are tried, e.g. 5m (default ${DEFAULT_BUDGET})` },
    { flags: '--seed <number>', help: 'draws amounts and combinations (default 1)' },
    { flags: '--strict', help: 'what is not exercised fails, too' },
    { flags: '--json <file>', help: 'write the verdicts as JSON' },
    { flags: '--junit <file>', help: 'write the verdicts as JUnit XML' },
    { flags: '--html <file>', help: 'write the report as one HTML file' },
    { flags: '--bundles <folder>', help: `where violations are kept to be replayed (default ${BUNDLES})` },
  ],
  help: 'examine your shop: place orders, disturb every call and notification, and see whether money and goods stay right',
  details: () => 'Exit codes: 0 nothing is violated, 1 something is, 2 it could not be told.',
  findsSandbox: true,
  run: async (client, [file = DEFAULT_ADAPTER], options) =>
    options['init'] === true ? writeAdapter(file) : examine(client, file, options),
};

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
  const wanted = {
    budgetMs: budgetOf(options['budget']),
    seed: seedOf(options['seed']),
    only: listOf(options['only']),
  };
  const progress = progressOn(process.stderr);
  const running = options['urlIsGiven'] === true ? client : undefined;
  const examiner = await examinerOf({
    file,
    command: textOf(options['command']),
    app: textOf(options['app']),
    bundles: textOf(options['bundles']),
    running: () => running,
    onProgress: progress.show,
    // The console of a sandbox that runs already knows nothing of this examination.
    onReady: ({ baseUrl }) => running ?? process.stderr.write(`watch it at ${baseUrl}/_sandbox/console/examination\n`),
  });
  void askedToEnd({ withParent: false }).then(() => examiner.stop());
  try {
    return options['dryRun'] === true
      ? await tryOut(examiner, wanted)
      : await report(await examiner.run(wanted), options);
  } catch (error) {
    const { AdapterError } = await import('../../examine/adapter.ts');
    throw error instanceof AdapterError ? new UsageError(error.message) : error;
  } finally {
    progress.end();
  }
}

/** One order on each channel, as both sides see it. */
async function tryOut(examiner: ShopExaminer, wanted: Parameters<ShopExaminer['tryOut']>[0]): Promise<Shown> {
  const tried = await examiner.tryOut(wanted);
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
