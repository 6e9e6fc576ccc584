import { existsSync, writeFileSync } from 'node:fs';
import { codeOf, messageOf } from '../../base/errors.ts';
import { plural } from '../../base/text/plural.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type Command, type CommandResult, type Options, textOf, UsageError } from '../../command/command.ts';
import { readCoverages } from '../../command/coverage-files.ts';
import type { DryRun, ShopWords } from '../examination-result.ts';
import { visibilityOf } from '../report/report.ts';
import { type Invocation, toArguments } from './examination-reports.ts';
import { createExaminer, hasOwnSecret } from './examiner.ts';
import { EXAMINATION_OPTIONS, EXIT_CODES, report, runExamination } from './run-examination.ts';
import { watch } from './watch.ts';

export const DEFAULT_ADAPTER = './examine.mjs';

export const EXAMINE_COMMAND: Command = {
  name: 'examine',
  parameters: ['[adapter]'],
  options: [
    {
      flags: '--init',
      help: `write an adapter to fill in (default ${DEFAULT_ADAPTER}); a .json adapter needs no code`,
    },
    { flags: '--watch', help: `watch the orders that you place (the default if there is no ${DEFAULT_ADAPTER})` },
    { flags: '--webhook <url>', help: 'webhook address of the watched shop' },
    {
      flags: '--dry-run',
      help: 'place a few orders on each channel, and show what both sides see',
    },
    { flags: '--command <command>', help: 'command that starts the shop; it is stopped after the examination' },
    {
      flags: '--app <address>',
      help: "address of the shop, instead of the adapter's; adapters read it from EXAMINE_APP. {port}, also in --command, is replaced by a free port, which the shop gets as PORT",
    },
    {
      flags: '--state-cmd <command>',
      help: "command that prints state|fulfilments|paidAmount of {orderId}, instead of the adapter's orderState",
    },
    {
      flags: '--coverage <file>',
      help: 'file or folder that the test kits wrote: first try what your tests have never seen',
    },
    ...EXAMINATION_OPTIONS,
  ],
  help: 'examine your shop: place orders, disturb requests and notifications, and check that money and goods stay right',
  details: () => EXIT_CODES,
  isUnknownOnError: true,
  skipsSandboxCheck: true,
  run: async (client, [file], options) => {
    if (options['init'] === true) {
      return writeAdapter(file ?? DEFAULT_ADAPTER);
    }
    return isWatch(file, options) ? watch(client, options) : examine(client, file ?? DEFAULT_ADAPTER, options);
  },
};

/** Whether orders are watched instead of placed. Throws UsageError for options that do not go together. */
function isWatch(file: string | undefined, { watch: isRequested, dryRun, webhook, amount }: Options): boolean {
  if (isRequested === true && (file !== undefined || dryRun === true)) {
    throw new UsageError('--watch takes no adapter: it watches the orders that you place');
  }
  const isWatched = isRequested === true || (file === undefined && dryRun !== true && !existsSync(DEFAULT_ADAPTER));
  if (!isWatched && webhook !== undefined) {
    throw new UsageError('--webhook is only for --watch: an adapter exports webhookUrl');
  }
  if (isWatched && amount !== undefined) {
    throw new UsageError('--amount is for orders that an adapter places, not for --watch');
  }
  return isWatched;
}

async function writeAdapter(file: string): Promise<CommandResult> {
  const { starterAdapterFor } = await import('../adapters/starter-adapter.ts');
  try {
    writeFileSync(file, starterAdapterFor(file), { flag: 'wx' });
  } catch (error) {
    throw new UsageError(
      codeOf(error) === 'EEXIST'
        ? `${file} already exists: remove it, or name another file`
        : `${file} cannot be written: ${messageOf(error)}`,
    );
  }
  const text = `${file} was written: fill in placeOrder and orderState, and then check them: merchant-sandbox examine ${file} --dry-run`;
  return { data: { file }, text };
}

async function examine(client: SandboxClient, file: string, options: Options): Promise<CommandResult> {
  const coverageFile = textOf(options['coverage']);
  const coverage = coverageFile === undefined ? undefined : (await readCoverages([coverageFile])).cells;
  return runExamination(options, async ({ baseline, only, amount, seed, budgetMs, onProgress, signal }) => {
    const runningSandbox = options['isUrlGiven'] === true ? client : undefined;
    let visibility: Invocation['named'] = [];
    const examiner = await createExaminer({
      file,
      command: textOf(options['command']),
      app: textOf(options['app']),
      stateCommand: textOf(options['stateCmd']),
      bundles: textOf(options['bundles']),
      runningSandbox: () => runningSandbox,
      onProgress,
      onReady({ adapter, client: { baseUrl } }) {
        visibility = visibilityOf(adapter);
        // The console of a sandbox that runs already knows nothing of this examination.
        return runningSandbox ?? process.stderr.write(`watch it at ${baseUrl}/_sandbox/console/examination\n`);
      },
    });
    signal.throwIfAborted();
    signal.addEventListener('abort', () => void examiner.stop(), { once: true });
    const request = { only, amount, seed, budgetMs, coverage };
    return options['dryRun'] === true
      ? dryRunResult(await examiner.dryRun(request))
      : report(await examiner.run(request), invocationOf(file, visibility, options), baseline, options);
  });
}

function invocationOf(file: string, visibility: Invocation['named'], options: Options): Invocation {
  const [command, app, coverage, stateCommand] = ['command', 'app', 'coverage', 'stateCmd'].map((name) =>
    textOf(options[name]),
  );
  const coverageFacts: Invocation['named'] =
    coverage === undefined ? [] : [['Began with', `what ${coverage} has never seen`]];
  const url = options['isUrlGiven'] === true ? textOf(options['url']) : undefined;
  return {
    args: ['examine', file, ...toArguments({ command, app, 'state-cmd': stateCommand, url })],
    named: [
      ['Adapter', file],
      ['Shop', command === undefined ? 'already running' : `started by ${command}`],
      ...visibility,
      ...coverageFacts,
    ],
    hasOwnSecret: hasOwnSecret(),
  };
}

function dryRunResult({ tried, words }: DryRun): CommandResult {
  const text = tried.flatMap(({ lines, problem }) => [...lines, problem ?? 'works', '']);
  const isUnknown = tried.every(({ problem }) => problem !== undefined);
  const isFailure = tried.some(({ hasOwnPrice }) => hasOwnPrice);
  const works = tried.filter(({ problem }) => problem === undefined).length;
  text.push(`${works} of ${plural(tried.length, 'channel')} ${works === 1 ? 'works' : 'work'}`, '');
  const states = isUnknown ? [] : ['order states of the shop, as they were understood:', ...wordLines(words)];
  return { data: { tried, words }, text: [...text, ...states].join('\n').trimEnd(), isFailure, isUnknown };
}

function wordLines({ open, paid, givenUp }: ShopWords): string[] {
  const line = (meaning: string, words: readonly string[]) =>
    `  ${meaning}: ${words.length === 0 ? 'none seen' : words.join(', ')}`;
  return [line('open', open), line('paid', paid), line('given up', givenUp)];
}
