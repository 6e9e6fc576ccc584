import { printableLines } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import { ControlError } from '../../client/control-error.ts';
import { isRunByNpx, waitForEnd } from '../../command/shutdown.ts';
import { createExaminer } from '../../examine/commands/examiner.ts';
import type { ShopExaminer } from '../../examine/shop-examiner.ts';
import { isDatabaseUrl } from '../../postgres/store/database.ts';
import type { Sandbox } from '../../sandbox.ts';
import { SettingsError } from '../../server/config/resolve-settings.ts';
import type { Settings } from '../../server/config/settings.ts';
import { start } from '../../start-with.ts';
import { bannerOf, readyLineOf } from './banner.ts';

/** Runs a sandbox until the process is asked to end; resolves when it is closed. Rejects as `start` does, or for an unusable adapter. */
export async function runSandbox(settings: Readonly<Settings>): Promise<void> {
  // Called before the start, because the first process of a container ignores signals without a listener.
  const endRequest = waitForEnd({ withParent: settings.exitWithParent || isRunByNpx(process.env) });
  let client: SandboxClient | undefined;
  const examiner = await loadExaminer(settings, () => client);
  const sandbox = await start(settings, { examiner });
  if (examiner) {
    client = await prepareSession(settings, sandbox);
  }
  announce(sandbox);
  await endRequest;
  // Awaited after the sandbox is closed, because the last order of an examination ends only then, and the shop is stopped after it.
  const examinerStop = examiner?.stop();
  await sandbox.close();
  await examinerStop;
}

/** The examiner of the shop in the settings, if there is one. Loads the adapter once, to throw SettingsError before the start. */
async function loadExaminer(
  { examine: file, examineCommand: command, data }: Readonly<Settings>,
  runningSandbox: () => SandboxClient | undefined,
): Promise<ShopExaminer | undefined> {
  if (file === undefined) {
    if (command !== undefined) {
      throw new SettingsError('--examine-command goes with --examine, which names the adapter of that shop');
    }
    return undefined;
  }
  if (isDatabaseUrl(data)) {
    throw new SettingsError('--examine needs its own sandbox: one that shares a database does not answer every call');
  }
  const { loadAdapter } = await import('../../examine/adapters/adapters.ts');
  const { close } = await loadAdapter(file).catch((error: Error) => {
    throw new SettingsError(`--examine: ${error.message}`);
  });
  await close();
  return createExaminer({ file, command, app: undefined, runningSandbox });
}

/** The session for a shop that is already running. */
const SESSION = 'examination';

/** The client for examinations. With a command, each of them creates its own session; a running shop uses SESSION. */
async function prepareSession({ examineCommand }: Readonly<Settings>, { client }: Sandbox): Promise<SandboxClient> {
  if (examineCommand !== undefined) {
    return client;
  }
  // The session may exist from an earlier start.
  await client.createSession(SESSION, { ids: 'differ' }).catch((error: unknown) => {
    if (!(error instanceof ControlError && error.status === 409)) {
      throw error;
    }
  });
  return client.inSession(SESSION);
}

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
