import { type Browser, type BrowserContext, chromium, type Locator } from 'playwright-core';
import { findBrowser, launchOptions } from '../../scripts/browser.mjs';
import { delay } from '../../src/base/timers.ts';

/** `SLOW=300 npm run test:only -- test/browser` delays every fetch by 300 ms, which reveals what a test does not wait for. */
const SLOW_MS = Number(process.env['SLOW'] ?? 0);

/** A headless browser, which the caller closes. `npm run browser` finds or installs one. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) {
    throw new Error('No Chromium found: npm run browser says how to get one.');
  }
  const launch = () => chromium.launch(launchOptions(executablePath));
  // Launched a second time after a failure, because Chromium sometimes crashes at its start on a busy machine.
  const browser = await launch().catch(launch);
  return SLOW_MS > 0 ? withSlowFetches(browser) : browser;
}

function withSlowFetches(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    await slowDown(context);
    return context;
  };
  return browser;
}

async function slowDown(context: BrowserContext): Promise<void> {
  await context.route('**', async (route) => {
    if (route.request().resourceType() === 'fetch') {
      await delay(SLOW_MS);
    }
    // The page may have been closed since.
    await route.continue().catch(() => undefined);
  });
}

/** Waits for exactly `count` elements, because the content of an answer may appear later than the heading above it. */
export async function waitForCount(locator: Locator, count: number): Promise<void> {
  if (count > 0) {
    await locator.nth(count - 1).waitFor({ state: 'attached' });
  }
  await locator.nth(count).waitFor({ state: 'detached' });
}
