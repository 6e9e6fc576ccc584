import { isLoopback, LOOPBACK } from '../base/addresses.ts';
import { messageOf } from '../base/errors.ts';
import { wholeNumber } from '../base/flag-values.ts';
import { membersOf } from '../base/members.ts';
import { hostOf, parseUrl } from '../base/text/url.ts';
import { SandboxClient } from '../client/client.ts';
import { ControlError } from '../client/control-error.ts';
import { NoAnswerError } from '../client/no-answer-error.ts';
import { canOpenBrowser, openInBrowser } from '../command/browser.ts';
import { type Options, UsageError } from '../command/command.ts';
import { isRunByNpx, waitForEnd } from '../command/shutdown.ts';

/** Runs a demo until the process is asked to end. If one is running on that port, only shows that one, after a reset if `reset` is set. */
export async function runDemo({ port, reset, browser }: Options, print: (text: string) => void): Promise<void> {
  const portNumber = portOf(String(port));
  const running = portNumber === 0 ? undefined : await findDemo(portNumber);
  if (running) {
    const { client, shop } = running;
    if (reset) {
      await client.call('POST', '/demo/reset');
    }
    const headline = reset ? 'The demo was reset.' : 'The demo is already running.';
    show({ url: client.baseUrl, shopUrl: shop }, headline, browser === true, print);
    return;
  }
  const endRequest = waitForEnd({ withParent: isRunByNpx(process.env) });
  const { startDemo } = await import('./demo.ts');
  const demo = await startDemo({ port: portNumber });
  show(demo, 'The demo is ready. No money moves here, and nothing is stored on disk.', browser === true, print);
  const program = isRunByNpx(process.env) ? 'npx merchant-sandbox' : 'merchant-sandbox';
  const { port: bound } = new URL(demo.url);
  print(`  Press Ctrl-C to stop it. To reset it, run ${program} demo --port ${bound} --reset in another terminal.\n\n`);
  await endRequest;
  await demo.close();
}

/** The highest port is refused, because the shop uses the next one. */
function portOf(text: string): number {
  try {
    return wholeNumber(0, 65_534).fromText(text);
  } catch (error) {
    throw new UsageError(`--port ${messageOf(error)}, not ${JSON.stringify(text)}`);
  }
}

/** The demo at a port, if there is one. Throws UsageError if a sandbox without a demo runs there. */
async function findDemo(port: number): Promise<{ client: SandboxClient; shop: string } | undefined> {
  const client = new SandboxClient({ url: `http://${LOOPBACK}:${port}` });
  try {
    const { status, version } = await client.health();
    if (typeof status !== 'string' || typeof version !== 'string') {
      return undefined;
    }
  } catch {
    // No sandbox is there. If another program is, the start reports that the port is in use.
    return undefined;
  }
  const shop = await shopOf(client);
  if (shop === undefined) {
    throw new UsageError(
      `a sandbox that is not a demo is running on port ${port}: stop it, or choose another port with --port`,
    );
  }
  return { client, shop };
}

/** The address of the demo's shop, which is printed and opened. Only a loopback address, because another program may answer at the port. */
async function shopOf(client: SandboxClient): Promise<string | undefined> {
  try {
    const { shop } = membersOf(await client.call('GET', '/demo'));
    const url = typeof shop === 'string' ? parseUrl(shop) : undefined;
    return url && /^https?:$/.test(url.protocol) && isLoopback(hostOf(url)) ? url.origin : undefined;
  } catch (error) {
    if (error instanceof ControlError || error instanceof NoAnswerError) {
      return undefined;
    }
    throw error;
  }
}

function show(
  { url, shopUrl }: { url: string; shopUrl: string },
  headline: string,
  isBrowserWanted: boolean,
  print: (text: string) => void,
): void {
  const rows = [
    ['shop', `${shopUrl}/`],
    ['console', `${url}/_sandbox/`],
  ];
  const lines = rows.map(([name = '', address]) => `  ${name.padEnd(9)}${address}`);
  const hint = '  Buy something in the shop, pay for it, and see in the console what happened.';
  print(`${[headline, '', ...lines, '', hint].join('\n')}\n`);
  if (isBrowserWanted && canOpenBrowser()) {
    openInBrowser(`${url}/_sandbox/`);
    openInBrowser(`${shopUrl}/`);
  }
}
