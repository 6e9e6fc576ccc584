import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { VERSION } from '../../base/package.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import { unlessEmpty } from '../../base/unless-empty.ts';
import { writeOutputFile } from '../../command/output-file.ts';
import type { ExaminationResult } from '../examination-result.ts';
import { isTestable, type RepeatOptions, type Runner, readyTestsOf, testFileFor } from '../report/ready-test.ts';
import type { Facts, Report } from '../report/report.ts';
import { REPORTS } from '../report/reports.ts';
import { withoutSecrets } from '../report/secrets.ts';
import { stepSummaryOf } from '../report/step-summary.ts';

/** How the user started an examination. */
export interface Invocation {
  /** The command and its arguments without the selection; undefined in a watch, whose orders it cannot place again. */
  args: readonly string[] | undefined;
  named: Facts['named'];
  /** Whether the user named the secret that signs notifications. */
  hasOwnSecret: boolean;
}

interface ReportTargets {
  /** For the bundles and tests. */
  folder: string;
  files: Readonly<Record<keyof typeof REPORTS, string | undefined>>;
  /** The file whose text a CI service shows on the page of the run. */
  stepSummary: string | undefined;
}

/** Also writes tests next to the bundles, if a command can repeat the examination. Throws UsageError if a file cannot be written. */
export function writeReports(
  result: Omit<Report, 'facts'>,
  invocation: Invocation,
  { folder, files, stepSummary }: ReportTargets,
): Report {
  const facts = { at: formatUtc(machineNow()), version: VERSION, named: invocation.named };
  const report: Report = writeTests(withoutSecrets({ ...result, facts }), invocation, folder);
  for (const kind of ['json', 'junit', 'html'] as const) {
    const name = files[kind];
    if (name !== undefined) {
      writeOutputFile(name, REPORTS[kind](report));
    }
  }
  if (stepSummary) {
    writeOutputFile(stepSummary, stepSummaryOf(report), 'append');
  }
  return report;
}

function writeTests<Result extends ExaminationResult>(
  result: Result,
  { args, hasOwnSecret }: Invocation,
  folder: string,
): Result {
  if (args === undefined || !result.verdicts.some(isTestable)) {
    return result;
  }
  const repeatOptions: RepeatOptions = {
    runner: detectRunner(process.cwd()),
    project: relative(resolve(folder), process.cwd()).split(sep).join('/'),
    args: [...args, '--seed', String(result.seed)],
    port: unlessEmpty(process.env['PORT']),
    hasOwnSecret,
  };
  const test = writeOutputFile(join(folder, testFileFor(repeatOptions)), readyTestsOf(result.verdicts, repeatOptions));
  return {
    ...result,
    verdicts: result.verdicts.map((found) => (isTestable(found) ? { ...found, test } : found)),
  };
}

/** Omits options that are not set. */
export function toArguments(options: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

/** Vitest has precedence over Jest; default: the runner of Node.js. */
function detectRunner(folder: string): Runner {
  const file = join(folder, 'package.json');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return (['vitest', 'jest'] as const).find((name) => text.includes(`"${name}"`)) ?? 'node-test';
}
