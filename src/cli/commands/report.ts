import type { Command } from '../../command/command.ts';
import { writeJsonAndPage, writeOutputFile } from '../../command/output-file.ts';
import { createReport } from './session-report.ts';

export const REPORT_COMMAND: Command = {
  name: 'report',
  parameters: [],
  options: [
    { flags: '--strict', help: 'exit with 1 if there are findings or wrong calls, or if no calls were made' },
    { flags: '--all-sessions', help: 'report on all sessions together, such as one for each test' },
    { flags: '--json <file>', help: 'write the report as JSON' },
    { flags: '--html <file>', help: 'write the report as one HTML file' },
  ],
  help: 'report on your integration: what is wrong, what was checked, and what your code has never seen',
  details: () =>
    'Appends a summary to the file that GITHUB_STEP_SUMMARY names. Exit codes: 0 success, 1 something is wrong or nothing was checked (with --strict), 2 wrong usage.',
  async run(client, _words, options) {
    const report = await createReport(client, options['allSessions'] === true);
    // Imported here, because it loads modules of examinations, which would slow down all other commands.
    const { textOfReport, stepSummaryOfReport } = await import('./report-text.ts');
    const text = textOfReport(report);
    await writeJsonAndPage(report, async () => (await import('./report-page.tsx')).pageOfReport(report), options);
    const stepSummary = process.env['GITHUB_STEP_SUMMARY'];
    if (stepSummary) {
      writeOutputFile(stepSummary, stepSummaryOfReport(report), 'append');
    }
    const { calls, wrongCalls } = report.checked;
    const isClean = report.findings.length === 0 && wrongCalls === 0 && calls.length > 0;
    return { data: report, text, isFailure: options['strict'] === true && !isClean };
  },
};
