import { join } from 'node:path';
import { printableLines } from '../../base/text/printable.ts';
import { type CommandResult, EXIT_UNKNOWN, type Options, textOf, UsageError } from '../../command/command.ts';
import { assertWritableFiles, assertWritableFolder, writeOutputFile } from '../../command/output-file.ts';
import { waitForStop } from '../../command/shutdown.ts';
import { parseMilliseconds } from '../../command/time-option.ts';
import type { ExaminationResult } from '../examination-result.ts';
import type { ExamineRequest } from '../set-up.ts';
import type { Baseline } from '../verdicts/baseline.ts';
import type { Verdict } from '../verdicts/verdicts.ts';
import type { Invocation } from './examination-reports.ts';
import { createProgressDisplay } from './progress.ts';

const DEFAULT_BUDGET = '60s';
/** In the default data folder, which a project should have in `.gitignore` anyway. */
export const DEFAULT_BUNDLES = 'sandbox-data/examination';

/** Options of every examination, of a shop and of a receiver. */
export const EXAMINATION_OPTIONS = [
  {
    flags: '--only <ids>',
    help: 'check only these invariants, situations, channels or findings, such as I2,notified-twice',
  },
  { flags: '--budget <time>', help: `time for trying combinations, such as 5m (default ${DEFAULT_BUDGET})` },
  { flags: '--amount <amount>', help: 'amount of every order, such as 10.00 (default: a random one for each)' },
  { flags: '--seed <number>', help: 'seed of random amounts and combinations (default 1)' },
  {
    flags: '--baseline <file>',
    help: 'known failures, as a list of ids or an earlier --json file: the examination fails on others, and if one no longer occurs',
  },
  { flags: '--strict', help: 'fail if a requirement was not exercised' },
  {
    flags: '--next',
    help: 'also fail on violations of newer situations and invariants, which are not required yet (default: only if --only names them)',
  },
  { flags: '--json <file>', help: 'write the verdicts as JSON' },
  { flags: '--junit <file>', help: 'write the verdicts as JUnit XML' },
  { flags: '--html <file>', help: 'write the report as one HTML file' },
  { flags: '--bundles <folder>', help: `folder for bundles of violations (default ${DEFAULT_BUNDLES})` },
];

export const EXIT_CODES = `Exit codes: 0 no requirement is violated, 1 one is violated, ${EXIT_UNKNOWN} inconclusive, or stopped early.`;

/** Throws UsageError, also if a bundle or report could not be written. */
export function parseOptions(options: Options): Omit<ExamineRequest, 'signal' | 'onProgress'> {
  const folder = textOf(options['bundles']) ?? DEFAULT_BUNDLES;
  // A dry run writes no bundle or report.
  if (options['dryRun'] !== true) {
    assertWritableFolder(folder);
    assertWritableFiles(options, ['json', 'junit', 'html']);
  }
  return {
    budgetMs: parseMilliseconds('--budget', textOf(options['budget']) ?? DEFAULT_BUDGET),
    amount: parseAmountOption(textOf(options['amount'])),
    seed: parseSeedOption(options['seed']),
    only: splitList(textOf(options['only'])),
    writeBundle: (id, bundle) => writeOutputFile(join(folder, `${id}.bundle`), bundle),
  };
}

/** Runs an examination with its progress on standard error, until it ends or is interrupted. */
export async function runExamination(
  options: Options,
  run: (request: ExamineRequest & { baseline: Baseline }) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { AdapterError } = await import('../shop/adapter.ts');
  const { readBaseline } = await import('../verdicts/baseline.ts');
  const { textOfViolation } = await import('../report/summary.ts');
  const request = parseOptions(options);
  const stop = new AbortController();
  const progress = createProgressDisplay(process.stderr);
  void waitForStop().then(() => {
    progress.say('stopping after the current order; press Ctrl-C again after three seconds to end at once');
    stop.abort(new UsageError('the examination was stopped'));
  });
  try {
    const baselineFile = textOf(options['baseline']);
    const baseline: Baseline = baselineFile === undefined ? new Set() : await readBaseline(baselineFile);
    let isFirstShown = false;
    return await run({
      ...request,
      baseline,
      signal: stop.signal,
      onProgress(now) {
        if (now.firstViolation && !isFirstShown) {
          isFirstShown = true;
          progress.say(printableLines(textOfViolation(now.firstViolation)));
        }
        progress.show(now);
      },
    });
  } catch (error) {
    throw error instanceof AdapterError ? new UsageError(error.message) : error;
  } finally {
    progress.end();
  }
}

/** Writes the requested reports. The text of the result is their summary. */
export async function report(
  result: ExaminationResult,
  invocation: Invocation,
  baseline: Baseline,
  options: Options,
  summarize?: () => string,
): Promise<CommandResult> {
  const { writeReports } = await import('./examination-reports.ts');
  const { summaryOf } = await import('../report/summary.ts');
  const { describeUncounted } = await import('../report/report.ts');
  const { classifyFailures } = await import('../verdicts/baseline.ts');
  const { areNextNamed } = await import('../verdicts/requirements.ts');
  const isNextRequired = options['next'] === true || areNextNamed(splitList(textOf(options['only'])));
  const { violated, fixed, uncounted: uncountedVerdicts } = classifyFailures(result.verdicts, baseline, isNextRequired);
  const uncounted = describeUncounted(uncountedVerdicts);
  const written = writeReports({ ...result, ...(uncounted ? { uncounted } : {}) }, invocation, {
    folder: textOf(options['bundles']) ?? DEFAULT_BUNDLES,
    files: { json: textOf(options['json']), junit: textOf(options['junit']), html: textOf(options['html']) },
    stepSummary: process.env['GITHUB_STEP_SUMMARY'],
  });
  const stale = fixed.map((id) => `${id} is handled now: remove it from ${textOf(options['baseline'])}`);
  const hasFailed = violated.length + fixed.length > 0;
  const end = [...stale, ...(uncounted ? ['', uncounted.note] : [])];
  const text = [summarize ? summarize() : summaryOf(written), ...end].join('\n');
  return { data: written, text, ...exitStatus(result, hasFailed, { ...options, next: isNextRequired }) };
}

/** A failure takes precedence over an inconclusive result, unless the examination was stopped. */
function exitStatus(
  { counts, verdicts, isStopped }: ExaminationResult,
  hasFailed: boolean,
  { strict, next }: Options,
): Pick<CommandResult, 'isFailure' | 'isUnknown'> {
  if (isStopped) {
    return { isUnknown: true };
  }
  const hasVerdict = (wanted: Verdict) =>
    verdicts.some(({ verdict, isScored }) => verdict === wanted && (isScored || next === true));
  const hasConclusive = counts.handled + counts['handled-after-reconcile'] + counts.violated > 0;
  const isFailure = hasFailed || (strict === true && hasVerdict('not-exercised'));
  const isConclusive = hasConclusive && !hasVerdict('inconclusive');
  return { isFailure, isUnknown: !isFailure && !isConclusive };
}

function splitList(given = ''): string[] {
  return given.split(',').flatMap((word) => word.trim() || []);
}

const AMOUNT = /^(?!0+\.00$)(0|[1-9]\d{0,8})\.\d{2}$/;

function parseAmountOption(text: string | undefined): string | undefined {
  if (text !== undefined && !AMOUNT.test(text)) {
    throw new UsageError(`--amount takes an amount such as 10.00, not ${JSON.stringify(text)}`);
  }
  return text;
}

function parseSeedOption(option: Options[string]): number {
  const text = textOf(option) ?? '1';
  if (!/^\d{1,15}$/.test(text)) {
    throw new UsageError(`--seed takes a whole number, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}
