import { join } from 'node:path';
import { printableLines } from '../../base/text/printable.ts';
import { afterMilliseconds } from '../../base/timers.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type CommandResult, type Options, textOf, UsageError } from '../../command/command.ts';
import { waitForEndOfInput } from '../../command/input.ts';
import { writeOutputFile } from '../../command/output-file.ts';
import { waitForStop } from '../../command/shutdown.ts';
import { parseMilliseconds } from '../../command/time-option.ts';
import { hasOwnSecret, shopEnvironment } from './examiner.ts';
import { DEFAULT_BUNDLES, parseOptions, report } from './run-examination.ts';

/** Watches the traffic while the user, or the user's tests, place orders. */
export async function watch(client: SandboxClient, options: Options): Promise<CommandResult> {
  const { AdapterError } = await import('../shop/adapter.ts');
  const { readBaseline } = await import('../verdicts/baseline.ts');
  const { setUpWatch } = await import('../watch/set-up-watch.ts');
  const { introductionOf, summaryOfWatch } = await import('../watch/watch-text.ts');
  const { seed, only } = parseOptions(options);
  const baselineFile = textOf(options['baseline']);
  const [command, app, webhook] = ['command', 'app', 'webhook'].map((name) => textOf(options[name]));
  const runningSandbox = options['isUrlGiven'] === true ? client : undefined;
  const folder = textOf(options['bundles']) ?? DEFAULT_BUNDLES;
  const print = (text: string) => process.stderr.write(`${printableLines(text)}\n`);
  try {
    const baseline = baselineFile === undefined ? new Set<string>() : await readBaseline(baselineFile);
    const environment = shopEnvironment();
    const prepared = await setUpWatch({ command, app, webhookUrl: webhook, runningSandbox, environment });
    try {
      const { watch: orderWatch, situations } = await prepared.createWatch({
        seed,
        only,
        signal: createEndSignal(options),
        writeBundle: (bundle) => writeOutputFile(join(folder, 'watch.bundle'), bundle),
        onLine: print,
      });
      const isOwnSecret = hasOwnSecret();
      const shownEnvironment = isOwnSecret
        ? { ...environment, WEBHOOK_SECRET: '(as in the environment)' }
        : environment;
      const watched = await orderWatch.run(() => print(introductionOf(prepared, shownEnvironment, situations)));
      const invocation = {
        args: undefined,
        hasOwnSecret: isOwnSecret,
        named: [
          ['Watched at', prepared.url],
          ['Notifications go to', prepared.receivers.join(', ') || 'nobody'],
        ] as const,
      };
      return await report(watched.result, invocation, baseline, options, () => summaryOfWatch(watched, prepared.url));
    } finally {
      await prepared.close();
    }
  } catch (error) {
    throw error instanceof AdapterError ? new UsageError(error.message) : error;
  }
}

function createEndSignal(options: Options): AbortSignal {
  const stop = new AbortController();
  void Promise.race([waitForStop(), waitForEndOfInput()]).then(() => stop.abort());
  const budget = textOf(options['budget']);
  if (budget !== undefined) {
    afterMilliseconds(parseMilliseconds('--budget', budget), () => stop.abort());
  }
  return stop.signal;
}
