import type { DriftReport } from '../../base/schema/generated/recordings.ts';
import { variableOf } from '../../base/variables.ts';
import { type Command, type CommandResult, type Options, textOf, UsageError } from '../../command/command.ts';
import { assertWritableFiles, writeJsonAndPage, writeOutputFile } from '../../command/output-file.ts';
import { waitForStop } from '../../command/shutdown.ts';
import { FixtureError, resolveSettings, type Settings, SettingsError } from '../../server/index.ts';

export const DRIFT_COMMAND: Command = {
  name: 'drift',
  parameters: ['<folder>'],
  options: [
    { flags: '--fixtures <folder>', help: 'folder of your own fixtures, merged over the shipped ones' },
    { flags: '--scenario <name>', help: 'scenario of the sandbox (default: payer-decides)' },
    { flags: '--behaviour <name>', help: 'behaviour of the sandbox (default: standard)' },
    {
      flags: '--validation <strict|lenient>',
      help: `validation of the sandbox [${variableOf('validation')}] (default: strict)`,
    },
    {
      flags: '--content-type <interface|negotiated>',
      help: `media type of its answers [${variableOf('content-type')}] (default: interface, or negotiated with lenient validation)`,
    },
    { flags: '--noise', help: 'print the active noise rules, without a comparison' },
    {
      flags: '--noise-file <file>',
      help: 'your own noise rules (default: noise.json in the folder, if it exists)',
    },
    { flags: '--html <file>', help: 'write the report as one HTML file' },
    { flags: '--junit <file>', help: 'write the report as JUnit XML' },
    { flags: '--json <file>', help: 'write the report as JSON' },
  ],
  help: 'compare a recording with this sandbox, and show the differences',
  details: () => 'Exit codes: 0 no differences, 1 differences, 2 nothing was compared.',
  needsNoSandbox: true,
  isUnknownOnError: true,
  run: (_client, [folder = ''], options) =>
    options['noise'] === true ? showNoise(folder, options) : compare(folder, options),
};

async function showNoise(folder: string, options: Options): Promise<CommandResult> {
  const { readNoiseRules } = await import('../drift/noise-filter.ts');
  const { textOfNoise } = await import('./drift-text.ts');
  const rules = await asUsageErrors(() => readNoiseRules(folder, textOf(options['noiseFile'])));
  return { data: rules, text: textOfNoise(rules) };
}

async function compare(folder: string, options: Options): Promise<CommandResult> {
  const [fixtures, scenario, behaviour] = ['fixtures', 'scenario', 'behaviour'].map((name) => textOf(options[name]));
  assertWritableFiles(options, ['html', 'junit', 'json']);
  const stop = new AbortController();
  void waitForStop().then(() => stop.abort(new UsageError('the comparison was stopped')));
  const { drift } = await import('../drift.ts');
  const { textOfDrift } = await import('./drift-text.ts');
  const noiseFile = textOf(options['noiseFile']);
  const settings = { folder, fixtures, scenario, behaviour, noiseFile, signal: stop.signal };
  const report = await asUsageErrors(() => drift({ ...settings, ...resolveValidation(options) }));
  await writeReports(report, options);
  return {
    data: report,
    text: textOfDrift(report),
    isFailure: report.verdict === 'different',
    isUnknown: report.verdict === 'nothing-compared',
  };
}

/** From flags, variables and the config file, as for a sandbox that is started here. */
function resolveValidation(options: Options): Pick<Settings, 'validation' | 'contentType'> {
  const flags = { validation: textOf(options['validation']), 'content-type': textOf(options['contentType']) };
  const variables = ['config', 'validation', 'content-type'].map(variableOf);
  const { validation, contentType } = resolveSettings(
    flags,
    Object.fromEntries(variables.map((name) => [name, process.env[name]])),
  );
  return { validation, contentType };
}

async function writeReports(report: DriftReport, options: Options): Promise<void> {
  await writeJsonAndPage(report, async () => (await import('./drift-page.tsx')).pageOfDrift(report), options);
  const junit = textOf(options['junit']);
  if (junit !== undefined) {
    writeOutputFile(junit, (await import('./drift-junit.ts')).junitOfDrift(report));
  }
}

/** Reports unreadable recordings, fixtures and settings as wrong usage, because the user can correct them. */
async function asUsageErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  const { RecordingError } = await import('../recording.ts');
  try {
    return await run();
  } catch (error) {
    const isUserError = [RecordingError, FixtureError, SettingsError].some((each) => error instanceof each);
    throw isUserError && error instanceof Error ? new UsageError(error.message) : error;
  }
}
