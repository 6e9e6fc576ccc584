import { type Sandbox, start } from '../../app/sandbox.ts';
import { printableLines } from '../../base/text/printable.ts';
import type { Settings } from '../../config/settings.ts';
import { bannerOf, readyLineOf } from './banner.ts';
import { askedToEnd, isRunByNpx } from './shutdown.ts';

/** Runs a sandbox until the process is asked to end; resolves when it is closed. Rejects as `start` does. */
export async function runSandbox(settings: Readonly<Settings>): Promise<void> {
  // Before the start, which is long enough for a signal: the first process of a container takes none that it does not await.
  const asked = askedToEnd({ withParent: settings.exitWithParent || isRunByNpx(process.env) });
  const sandbox = await start(settings);
  announce(sandbox);
  await asked;
  await sandbox.close();
}

/** Says that it is ready, to people or to programs. */
function announce(sandbox: Sandbox): void {
  const { quiet, printUrl, logFormat } = sandbox.settings;
  const print = printUrl ? console.error : console.log;
  if (printUrl) {
    console.log(sandbox.url);
  }
  if (!quiet) {
    print(printableLines(logFormat === 'json' ? readyLineOf(sandbox) : bannerOf(sandbox)));
  }
}
