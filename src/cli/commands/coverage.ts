import { type CoverageView, cellKeyOf } from '../../base/report/coverage-cells.ts';
import { printableLines } from '../../base/text/printable.ts';
import { type Command, type CommandResult, type Options, UsageError } from '../../command/command.ts';
import { readCoverage, readCoverages } from '../../command/coverage-files.ts';
import { writeJsonAndPage } from '../../command/output-file.ts';
import { textOfCoverage } from './coverage-text.ts';
import { assertSandboxRuns } from './readiness.ts';

export const COVERAGE_COMMAND: Command = {
  name: 'coverage',
  parameters: ['[files-or-folders...]'],
  options: [
    { flags: '--min <percent>', help: 'exit with 1 if less was seen' },
    {
      flags: '--compare <file>',
      help: 'list what was seen in that file but not now; exit with 1 if anything is listed',
    },
    { flags: '--json <file>', help: 'write the coverage as JSON, which this command can read' },
    { flags: '--html <file>', help: 'write the coverage as one HTML file' },
  ],
  help: "list the provider's behaviours that your code has never seen, each with a line that tests it",
  details: () =>
    'Reads the files that test kits wrote, or asks the running sandbox if none is named. Exit codes: 0 success, 1 less than --min or less than in --compare, 2 wrong usage.',
  skipsSandboxCheck: true,
  async run(client, files, options) {
    if (options['isSessionGiven'] === true) {
      throw new UsageError('coverage is for all sessions: leave out --session');
    }
    const minimum = parsePercent(options['min']);
    const previous = typeof options['compare'] === 'string' ? await readCoverage(options['compare']) : undefined;
    if (files.length === 0) {
      await assertSandboxRuns(client);
    }
    const coverage = await (files.length === 0 ? client.coverage() : readCoverages(files));
    await writeJsonAndPage(
      coverage,
      async () => (await import('./coverage-page.tsx')).pageOfCoverage(coverage),
      options,
    );
    return judge(coverage, previous, minimum);
  },
};

function judge(coverage: CoverageView, previous: CoverageView | undefined, minimum: number | undefined): CommandResult {
  const seenBefore = new Set(previous?.cells.filter(({ degree }) => degree === 'seen').map(cellKeyOf));
  const lostCells = coverage.cells.filter((cell) => cell.degree !== 'seen' && seenBefore.has(cellKeyOf(cell)));
  const isBelow = minimum !== undefined && coverage.percent < minimum;
  const text = [
    textOfCoverage(coverage),
    ...(isBelow ? [`\n${coverage.percent} % is below --min ${minimum}`] : []),
    ...(lostCells.length > 0
      ? ['\nSeen before, but not now:', ...lostCells.map((cell) => `  ${cellKeyOf(cell)}\n    ${cell.try}`)]
      : []),
  ].join('\n');
  return { data: coverage, text: printableLines(text), isFailure: isBelow || lostCells.length > 0 };
}

function parsePercent(option: Options[string]): number | undefined {
  if (option === undefined) {
    return undefined;
  }
  if (typeof option !== 'string' || !/^(100|\d{1,2})$/.test(option)) {
    throw new UsageError(`--min takes a whole number from 0 to 100, not ${option}`);
  }
  return Number(option);
}
