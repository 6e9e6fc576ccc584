import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { VERSION } from '../../base/package.ts';
import { formatUtc } from '../../base/time.ts';
import { machineNow } from '../../base/timers.ts';
import type { Adapter } from '../../examine/adapter.ts';
import type { Examined } from '../../examine/examination.ts';
import { type Again, type Runner, readyTestOf, testFileOf } from '../../examine/report/ready-test.ts';
import { type Report, sightOf } from '../../examine/report/report.ts';
import { REPORTS } from '../../examine/report/reports.ts';
import { stepSummaryOf } from '../../examine/report/step-summary.ts';
import { keep } from './kept-file.ts';

/** How the examination was asked for, and what is to be written of it. */
interface Wanted {
  /** The adapter. */
  file: string;
  /** Where bundles are. */
  folder: string;
  command: string | undefined;
  app: string | undefined;
  /** Of a sandbox that ran already. */
  url: string | undefined;
  files: Readonly<Record<keyof typeof REPORTS, string | undefined>>;
  /** The page of a CI run. */
  stepSummary: string | undefined;
}

/** Writes the reports that are wanted, and a test beside each bundle. Throws UsageError where one cannot be written. */
export function writeReports(examined: Examined, adapter: Adapter, wanted: Wanted): Report {
  const { file, command = null, files, stepSummary } = wanted;
  const report: Report = {
    ...withTests(examined, wanted),
    subject: { at: formatUtc(machineNow()), adapter: file, command, version: VERSION, ...sightOf(adapter) },
  };
  for (const kind of ['json', 'junit', 'html'] as const) {
    const name = files[kind];
    if (name !== undefined) {
      keep(name, REPORTS[kind](report));
    }
  }
  if (stepSummary) {
    keep(stepSummary, stepSummaryOf(report), 'behind');
  }
  return report;
}

function withTests(examined: Examined, { file, folder, command, app, url }: Wanted): Examined {
  const runner = runnerIn(process.cwd());
  const given = Object.entries({ command, app, url, seed: String(examined.seed) });
  const again: Again = {
    runner,
    project: relative(resolve(folder), process.cwd()).split(sep).join('/'),
    args: [file, ...given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))],
  };
  const verdicts = examined.verdicts.map((found) =>
    found.bundle === null
      ? found
      : { ...found, test: keep(join(folder, testFileOf(found, runner)), readyTestOf(found, again)) },
  );
  return { ...examined, verdicts };
}

/** The runner of a project: Vitest where its package.json names it. */
function runnerIn(folder: string): Runner {
  const file = join(folder, 'package.json');
  return existsSync(file) && /"vitest"\s*:/.test(readFileSync(file, 'utf8')) ? 'vitest' : 'jest';
}
