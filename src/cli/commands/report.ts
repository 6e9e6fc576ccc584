import type { Command, Options } from './command.ts';
import { keep } from './kept-file.ts';
import { reportOf, type SessionReport } from './session-report.ts';

/** Says what a session tells of the integration, to people who write no code, too. */
export const REPORT_COMMAND: Command = {
  name: 'report',
  parameters: [],
  options: [
    { flags: '--strict', help: 'exit with 1 where something is wrong' },
    { flags: '--json <file>', help: 'write it as JSON' },
    { flags: '--html <file>', help: 'write it as a page that needs no network' },
  ],
  help: 'report on your integration: what is wrong, what was checked, and what your code has never seen',
  details: () =>
    'Where the environment has GITHUB_STEP_SUMMARY, a summary is appended there. Exit codes: 0 reported, 1 something is wrong, with --strict, 2 wrong use.',
  suggest: async () => [],
  async run(client, _words, options) {
    const report = await reportOf(client);
    // Only here, since it brings along what examinations are told with, and no other command is to wait for that.
    const { textOfReport } = await import('./report-text.ts');
    const text = textOfReport(report);
    await write(report, options);
    return { data: report, text, isFailure: options['strict'] === true && report.findings.length > 0 };
  },
};

async function write(report: SessionReport, { json, html }: Options): Promise<void> {
  if (typeof json === 'string') {
    keep(json, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (typeof html === 'string') {
    const { pageOfReport } = await import('./report-page.tsx');
    keep(html, pageOfReport(report));
  }
  const stepSummary = process.env['GITHUB_STEP_SUMMARY'];
  if (stepSummary) {
    const { stepSummaryOfReport } = await import('./report-text.ts');
    keep(stepSummary, stepSummaryOfReport(report), 'behind');
  }
}
