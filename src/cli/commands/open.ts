import { messageOf } from '../../base/errors.ts';
import { wholeNumber } from '../../base/flag-values.ts';
import { plural } from '../../base/text/plural.ts';
import { printableLines } from '../../base/text/printable.ts';
import { readText } from '../../base/written-file.ts';
import { canOpenBrowser, openInBrowser } from '../../command/browser.ts';
import { type Command, type Options, type ResultStream, UsageError } from '../../command/command.ts';
import { isRunByNpx, waitForEnd } from '../../command/shutdown.ts';
import { FixtureError } from '../../server/config/fixture-error.ts';

/** Shows a bundle: starts a separate sandbox with the session as it was after its last step. */
export const OPEN_COMMAND: Command = {
  name: 'open',
  parameters: ['<file>'],
  options: [
    { flags: '--port <number>', help: 'port to listen on (default: any free one)' },
    { flags: '--no-browser', help: 'print the address of the console, and open no browser' },
  ],
  help: 'start a sandbox with the session of a bundle, and open its console at the last step',
  details: () => 'Runs until you stop it. Exit codes: 0 stopped, 2 the file cannot be opened.',
  needsNoSandbox: true,
  run: async (_client, [file = ''], options) => openBundle(file, options),
};

async function* openBundle(file: string, { port, browser }: Options): ResultStream {
  const endRequest = waitForEnd({ withParent: isRunByNpx(process.env) });
  const sandbox = await startWithBundle(file, parsePort(port));
  try {
    const { session, lastCall, steps, url } = sandbox;
    const address = `${url}/_sandbox/console/traffic${lastCall === undefined ? '' : `/${encodeURIComponent(lastCall)}`}`;
    const text = [
      `${file}: session ${session}, ${plural(steps, 'step')}`,
      `console  ${address}`,
      `Go back to a step: merchant-sandbox fork ${session} --at <step> --as <name> --url ${sandbox.base}`,
      'Its clock stands still and notifications are held. Press Ctrl-C to stop it.',
    ].join('\n');
    yield { data: { session, url, console: address, lastCall: lastCall ?? null, steps }, text: printableLines(text) };
    if (browser !== false && canOpenBrowser()) {
      openInBrowser(address);
    }
    await endRequest;
  } finally {
    await sandbox.close();
  }
}

/** Throws UsageError if the file cannot be read or opened. */
async function startWithBundle(file: string, port: number) {
  const { BundleError } = await import('../../server/histories/bundle.ts');
  const { readOpenedBundle } = await import('../../server/app/opened-bundle.ts');
  const { resolveSettings } = await import('../../server/config/resolve-settings.ts');
  const { start } = await import('../../start-with.ts');
  try {
    const opened = await readOpenedBundle(readBundleFile(file));
    const settings = Object.freeze({ ...resolveSettings({}), ...opened.settings, port, data: ':memory:', quiet: true });
    const sandbox = await start(settings, { bundle: opened });
    const { manifest, entries } = opened.bundle;
    const last = entries.findLast((entry) => entry.kind === 'call' && entry.origin === 'merchant');
    return {
      session: manifest.session,
      url: sandbox.sessionUrl(manifest.session),
      base: sandbox.url,
      lastCall: last?.kind === 'call' ? last.id : undefined,
      steps: entries.filter(({ kind }) => kind !== 'commit').length,
      close: () => sandbox.close(),
    };
  } catch (error) {
    if (error instanceof BundleError || error instanceof FixtureError) {
      throw new UsageError(`${file} cannot be opened: ${error.message}`);
    }
    throw error;
  }
}

function readBundleFile(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new UsageError(`${file} ${messageOf(error)}`);
  }
}

function parsePort(option: Options[string]): number {
  try {
    return typeof option === 'string' ? wholeNumber(0, 65_535).fromText(option) : 0;
  } catch (error) {
    throw new UsageError(`--port ${messageOf(error)}, not ${JSON.stringify(option)}`);
  }
}
